package selftest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kcrypto/registry"
)

// coverage counts what a driver was shown.
type coverage map[string]int

// layout notes where operands lie: in place or not, each operand's offset of 1, and outputs that end at an odd address.
func (s coverage) layout(d direction, dst, src, iv, aad []byte) {
	end := address(dst) + uintptr(len(dst))
	if len(dst) > 0 && address(dst) == address(src) {
		s[string(d)+" in place"]++
	} else {
		s[string(d)+" out of place"]++
	}
	if len(dst) > 0 && end%alignment == alignment-1 {
		s[string(d)+" ending at an odd offset"]++
	}
	for name, b := range map[string][]byte{"dst": dst, "src": src, "iv": iv, "aad": aad} {
		if len(b) > 0 && address(b)%alignment == 1 {
			s[string(d)+" "+name+"+1"]++
		}
	}
}

func (s coverage) require(t *testing.T, things ...string) {
	t.Helper()
	for _, thing := range things {
		if s[thing] == 0 {
			t.Errorf("never seen: %s", thing)
		}
	}
}

func TestEveryAEADLayoutIsReached(t *testing.T) {
	seen := coverage{}
	record := func(a AEAD, chunk int) AEAD {
		if chunk == 64 {
			seen["chunks of 64 bytes"]++
		}
		watch := func(d direction, dst, nonce, text, aad []byte, n int) {
			seen[string(d)]++
			switch free := cap(dst) - len(dst); {
			case free == 0 && n > 0:
				seen[string(d)+" without capacity"]++
				return
			case len(dst) == 13:
				seen[string(d)+" appended"]++
			}
			seen.layout(d, dst[len(dst):][:n], text, nonce, aad)
		}
		inner := keying{AEAD: a, setKey: func(a AEAD, k []byte) error {
			if len(k) > 0 && address(k)%alignment == 1 {
				seen["key+1"]++
			}
			return a.SetKey(k)
		}}
		return opening{sealing{inner, func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			watch(encryption, dst, nonce, plaintext, aad, len(plaintext)+a.Overhead())
			return a.Seal(dst, nonce, plaintext, aad)
		}}, func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			watch(decryption, dst, nonce, ciphertext, aad, len(ciphertext)-a.Overhead())
			return a.Open(dst, nonce, ciphertext, aad)
		}}
	}
	if err := Run(context.Background(), fakeSubject("gcm(aes)", record, nil), nil, Options{}); err != nil {
		t.Fatal(err)
	}
	seen.require(t, "chunks of 64 bytes", "key+1")
	for _, d := range []string{"encryption", "decryption"} {
		seen.require(t, d+" in place", d+" out of place", d+" ending at an odd offset", d+" without capacity", d+" appended",
			d+" dst+1", d+" src+1", d+" iv+1", d+" aad+1")
	}
	// Each vector in each layout is sealed once and opened twice, the forgery included; one Open is without a key.
	n := VectorCount("gcm(aes)") * (len(commonLayouts) + len(aeadLayouts))
	if seen["encryption"] != n || seen["decryption"] != 2*n+1 {
		t.Errorf("%d encryptions and %d decryptions, want %d and %d", seen["encryption"], seen["decryption"], n, 2*n+1)
	}
}

// recordingStream notes how a Stream is used.
type recordingStream struct {
	*fakeStream
	seen  coverage
	calls int
}

func (w *recordingStream) XORKeyStream(dst, src []byte) {
	if w.calls++; w.calls == 2 {
		w.seen["second piece"]++
	}
	w.seen.layout("stream", dst, src, w.iv, nil)
	w.fakeStream.XORKeyStream(dst, src)
}

func (w *recordingStream) Seek(offset uint64) error {
	if w.calls > 0 && offset < w.offset {
		w.seen["seek back"]++
	}
	return w.fakeStream.Seek(offset)
}

func TestEveryStreamLayoutIsReached(t *testing.T) {
	for algorithm := range xors {
		t.Run(algorithm, func(t *testing.T) {
			seen := coverage{}
			record := func(c Skcipher, chunk int) Skcipher {
				if chunk == 64 {
					seen["chunks of 64 bytes"]++
				}
				return ciphering{
					Skcipher: c,
					encrypt: func(c Skcipher, dst, src, iv []byte) error {
						seen.layout(encryption, dst, src, iv, nil)
						return c.Encrypt(dst, src, iv)
					},
					decrypt: func(c Skcipher, dst, src, iv []byte) error {
						seen.layout(decryption, dst, src, iv, nil)
						return c.Decrypt(dst, src, iv)
					},
					at: func(c Skcipher, dst, src, iv []byte, offset uint64) error {
						if offset > 0 {
							seen["random access"]++
						}
						return c.XORKeyStreamAt(dst, src, iv, offset)
					},
				}
			}
			s := fakeSubject(algorithm, nil, record)
			s.Stream = func(c Skcipher, iv []byte) (Stream, error) {
				return &recordingStream{fakeStream: &fakeStream{c: c, iv: bytes.Clone(iv)}, seen: seen}, nil
			}
			if err := Run(context.Background(), s, nil, Options{}); err != nil {
				t.Fatal(err)
			}
			seen.require(t, "chunks of 64 bytes", "second piece", "seek back", "random access",
				"stream in place", "stream out of place")
			for _, d := range []string{"encryption", "decryption"} {
				seen.require(t, d+" in place", d+" out of place", d+" ending at an odd offset", d+" dst+1", d+" src+1", d+" iv+1")
			}
		})
	}
}

func TestSectorCallsAreReached(t *testing.T) {
	seen := coverage{}
	record := func(c Skcipher, _ int) Skcipher {
		return ciphering{Skcipher: c, sectors: func(c Skcipher, dst, src []byte, size int, first uint64) error {
			seen.layout("sectors", dst, src, nil, nil)
			if size%16 != 0 {
				seen["stealing"]++
			}
			if first+uint64(len(src)/size) == 0 {
				seen["last number"]++
			}
			seen[fmt.Sprintf("%d of %d", len(src)/size, size)]++
			return c.EncryptSectors(dst, src, size, first)
		}}
	}
	if err := Run(context.Background(), fakeSubject("xts(aes)", nil, record), nil, Options{}); err != nil {
		t.Fatal(err)
	}
	seen.require(t, "sectors in place", "sectors out of place", "stealing", "last number",
		"1 of 17", "67 of 16", "2 of 4096")
}

// TestRandomMessagesReachEverySize: a normal run's messages have every key and tag size, other nonces, and 32 KiB.
func TestRandomMessagesReachEverySize(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		r := newRun(fakeSubject(algorithm, nil, nil), nil, 0)
		d := &r.subject.Driver
		keys, tags, nonces, aads, offsets, total := map[int]bool{}, map[int]bool{}, map[int]bool{}, map[int]bool{}, 0, 0
		for i := range comparisons {
			m := r.plainMessage(i)
			keys[len(m.key)], tags[m.tag], nonces[len(m.iv)], aads[len(m.aad)] = true, true, true, true
			total += len(m.in)
			if m.offset > 0 {
				offsets++
			}
			if !slices.Contains(d.KeySizes, len(m.key)) || len(m.in) < d.MinSize || len(m.in)%max(d.MultipleOf, 1) != 0 {
				t.Errorf("message %s is not legal", m.name())
			}
		}
		if total < 32<<10 || total > 33<<10 {
			t.Errorf("%d bytes in all, want 32 KiB", total)
		}
		if len(keys) != len(d.KeySizes) || len(tags) != max(len(d.AuthSizes), 1) {
			t.Errorf("keys %v, tags %v", keys, tags)
		}
		if wide := len(nonces) > len(nonceLengths); wide != d.AnyNonce || d.Nonces != nil && len(nonces) != len(d.Nonces) {
			t.Errorf("nonces %v", nonces)
		}
		sizes := d.AADSizes
		if sizes == nil && d.Type == registry.TypeAEAD {
			sizes = aadLengths
		}
		if len(aads) != max(len(sizes), 1) {
			t.Errorf("additional data %v", aads)
		}
		if (offsets > 0) != (r.subject.Stream != nil) {
			t.Errorf("%d messages with an offset", offsets)
		}
	})
}

// TestRandomLayouts: what is drawn is within bounds, covers everything, and its name tells it apart.
func TestRandomLayouts(t *testing.T) {
	for _, algorithm := range []string{"gcm(aes)", "ctr(aes)", "xts(aes)"} {
		r, cuts := newRun(fakeSubject(algorithm, nil, nil), nil, 0), regexp.MustCompile(`\[[^]]*\]%`)
		names, words, pieces := map[string]bool{}, map[string]int{}, map[int]int{}
		for range 4000 {
			l := r.randomLayout()
			for _, offset := range []int{l.src, l.dst, l.key, l.iv, l.aad} {
				if offset < 0 || offset >= alignment {
					t.Fatalf("offset %d: %s", offset, l.name())
				}
			}
			ends := l.pieces(1000)
			if !slices.IsSorted(ends) || ends[len(ends)-1] != 1000 || len(ends) > 8 {
				t.Fatalf("pieces %v: %s", ends, l.name())
			}
			pieces[len(ends)]++
			names[l.name()] = true
			for _, word := range strings.Fields(cuts.ReplaceAllString(l.name(), "")) {
				words[strings.TrimRight(strings.SplitAfter(word, "=")[0], "0123456789")]++
			}
		}
		want := []string{"random:", "inplace", "src+", "dst+", "key+", "iv+", "aad+", "chunk="}
		switch algorithm {
		case "gcm(aes)":
			want = append(want, "prefix=", "grow")
		case "ctr(aes)":
			want = append(want, "stream", "seek", "at", "cuts=")
			if len(pieces) != 8 {
				t.Errorf("numbers of pieces: %v", pieces)
			}
		case "xts(aes)":
			want = append(want, "sector")
		}
		for _, word := range want {
			if words[word] == 0 {
				t.Errorf("%s: no layout has %q", algorithm, word)
			}
		}
		if len(words) != len(want) || len(names) < 3900 {
			t.Errorf("%s: %d names of 4000, words %v", algorithm, len(names), words)
		}
	}
}

func TestMemory(t *testing.T) {
	var a area
	for _, n := range []int{0, 1, 63, 64, 1000} {
		for offset := range alignment {
			content := bytes.Repeat([]byte{7}, n)
			b := a.place(offset, content)
			if len(b) != n || cap(b) != n || n > 0 && int(address(b))%alignment != offset {
				t.Fatalf("n=%d offset=%d: len %d, cap %d, address %#x", n, offset, len(b), cap(b), address(b))
			}
			if _, yes := a.writtenAround(); yes || a.changed() {
				t.Fatalf("n=%d offset=%d: damaged from the start", n, offset)
			}
		}
	}
	for at := range len(a.mem) {
		a.mem[at] ^= 1
		distance, written := a.writtenAround()
		want := 0
		if at < a.from {
			want = at - a.from
		} else if at >= a.to {
			want = at - a.to + 1
		}
		if distance != want || written != (want != 0) || !a.changed() {
			t.Errorf("byte %d changed: writtenAround() = %d, %v", at, distance, written)
		}
		a.mem[at] ^= 1
	}
}

func TestTexts(t *testing.T) {
	s := newSource(0)
	constant, ascending, bands, powers := 0, 0, [4]int{}, 0
	for range 4000 {
		b := s.text(64)
		if bytes.Count(b, b[:1]) == 64 {
			constant++
		} else if step := b[1] - b[0]; step != 0 && b[63] == b[0]+63*step && b[32] == b[0]+32*step {
			ascending++
		}
		n := s.length(8000)
		if n < 0 || n > 8000 {
			t.Fatalf("length %d", n)
		}
		switch {
		case n < 64:
			bands[0]++
		case n < 256:
			bands[1]++
		case n < 1024:
			bands[2]++
		default:
			bands[3]++
		}
		if n > 0 && n&(n-1) == 0 {
			powers++
		}
	}
	if constant < 100 || ascending < 100 || constant+ascending > 2500 {
		t.Errorf("%d constant and %d ascending texts of 4000", constant, ascending)
	}
	if slices.Min(bands[:]) < 400 || powers < 700 {
		t.Errorf("lengths in bands %v, %d powers of two, of 4000", bands, powers)
	}
	if len(s.text(0)) != 0 {
		t.Error("an empty text is not empty")
	}
}

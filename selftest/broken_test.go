package selftest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// wantFailure runs the self-test on a broken driver and checks what the failure says.
func wantFailure(t *testing.T, s Subject, o Options, says ...string) {
	t.Helper()
	g := fakeSubject(s.Driver.Algorithm, nil, nil)
	err := Run(context.Background(), s, &g, o)
	if err == nil {
		t.Fatal("the self-test passed")
	}
	text := err.Error()
	if strings.Contains(text, "\n") {
		t.Errorf("more than one line: %s", text)
	}
	prefix := fmt.Sprintf("alg: %s: %s ", s.Driver.Type, s.Driver.Name)
	for _, part := range append(says, "(seed 0x") {
		if !strings.HasPrefix(text, prefix) || !strings.Contains(text, part) {
			t.Errorf("want %q after %q, got: %s", part, prefix, text)
		}
	}
}

// sealing and opening replace one method of a correct AEAD.
type sealing struct {
	AEAD
	seal func(a AEAD, dst, nonce, plaintext, aad []byte) []byte
}

func (s sealing) Seal(dst, nonce, plaintext, aad []byte) []byte {
	return s.seal(s.AEAD, dst, nonce, plaintext, aad)
}

type opening struct {
	AEAD
	open func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error)
}

func (o opening) Open(dst, nonce, ciphertext, aad []byte) ([]byte, error) {
	return o.open(o.AEAD, dst, nonce, ciphertext, aad)
}

func badSeal(f func(a AEAD, dst, nonce, plaintext, aad []byte) []byte) aeadFault {
	return func(a AEAD, _ int) AEAD { return sealing{a, f} }
}

func badOpen(f func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error)) aeadFault {
	return func(a AEAD, _ int) AEAD {
		return opening{a, func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			if _, err := a.Open(nil, nonce, ciphertext, aad); errors.Is(err, registry.ErrNoKey) {
				return nil, err
			}
			return f(a, dst, nonce, ciphertext, aad)
		}}
	}
}

// poke writes memory next to b as wrong assembly would.
func poke(b []byte, at int) {
	*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at)) ^= 0x55
}

// spoiledIf returns a Seal whose last byte is wrong for some messages.
func spoiledIf(when func(dst, plaintext, aad, nonce []byte) bool) aeadFault {
	return badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
		wrong := when(dst, plaintext, aad, nonce)
		out := a.Seal(dst, nonce, plaintext, aad)
		if wrong {
			out[len(out)-1] ^= 1
		}
		return out
	})
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func TestBrokenSealIsCaught(t *testing.T) {
	always := func(dst, plaintext, aad, nonce []byte) bool { return true }
	for _, c := range []struct {
		name  string
		fault aeadFault
		says  []string
	}{
		{"last byte", spoiledIf(always), []string{
			`encryption test failed (wrong result) on test vector 0 (GCM specification test case 1), layout "out of place": expected 5a, got 5b at byte 15 of 16`}},
		{"in place only", spoiledIf(func(dst, plaintext, _, _ []byte) bool {
			return len(plaintext) > 0 && cap(dst) > 0 && address(dst) == address(plaintext)
		}), []string{`test vector 1 (`, `layout "in place"`}},
		{"misaligned only", spoiledIf(func(dst, _, _, _ []byte) bool { return address(dst)%2 == 1 }),
			[]string{`layout "misaligned by 1"`}},
		{"from 300 bytes on", spoiledIf(func(_, plaintext, _, _ []byte) bool { return len(plaintext) >= 300 }),
			[]string{"encryption test failed (wrong result) on random message 39 (klen=", "plen=300 alen="}},
		{"long additional data", spoiledIf(func(_, _, aad, _ []byte) bool { return len(aad) > 200 }),
			[]string{"on random message", "alen="}},
		{"nonce of 17 to 59 bytes", spoiledIf(func(_, _, _, nonce []byte) bool { return len(nonce) > 16 && len(nonce) < 60 }),
			[]string{"on random message", "ivlen="}},
		{"too short", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			return out[:len(out)-1]
		}), []string{"encryption test failed (wrong length)", "expected 16 bytes, got 15"}},
		{"writes after dst", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			poke(out, len(out)+1)
			return out
		}), []string{"encryption test failed (overran dst)", "wrote byte 2 after its end"}},
		{"writes before dst", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			poke(out, -1)
			return out
		}), []string{"encryption test failed (overran dst)", "wrote byte 1 before its start"}},
		{"writes beyond the capacity", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			if cap(dst) == len(dst) {
				poke(dst, len(dst))
			}
			return a.Seal(dst, nonce, plaintext, aad)
		}), []string{"encryption test failed (overran dst)", `layout "into a new slice"`}},
		{"writes what dst held", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			if len(dst) > 0 {
				dst[0] = 0
			}
			return a.Seal(dst, nonce, plaintext, aad)
		}), []string{"encryption test failed (corrupted dst)", `layout "appended to 13 bytes"`}},
		{"output elsewhere", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			return a.Seal(dst[:len(dst):len(dst)], nonce, plaintext, aad)
		}), []string{"encryption test failed (wrong result)", "the output is not where dst has room for it"}},
		{"writes src", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			if len(plaintext) > 0 && address(plaintext) != address(out) {
				plaintext[len(plaintext)-1]++
			}
			return out
		}), []string{"encryption test failed (corrupted src)"}},
		{"writes the nonce", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			defer func() { nonce[0]++ }()
			return a.Seal(dst, nonce, plaintext, aad)
		}), []string{"encryption test failed (corrupted iv)"}},
		{"writes additional data", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			if len(aad) > 0 {
				aad[0]++
			}
			return out
		}), []string{"encryption test failed (corrupted aad)"}},
		{"panics", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			if len(plaintext) == 60 {
				_ = plaintext[len(plaintext)] // index out of range
			}
			return a.Seal(dst, nonce, plaintext, aad)
		}), []string{"panicked on test vector 3 (", "index out of range [60]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantFailure(t, fakeSubject("gcm(aes)", c.fault, nil), Options{}, c.says...)
		})
	}
}

// TestMemoryFaultIsCaught: a driver that touches unmapped memory fails its test and does not end the program.
func TestMemoryFaultIsCaught(t *testing.T) {
	if !guard.Available {
		t.Skip("NOT RUN: there are no guard pages here")
	}
	edge, free, err := guard.After(16)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	fault := badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
		poke(edge, 16)
		return a.Seal(dst, nonce, plaintext, aad)
	})
	wantFailure(t, fakeSubject("gcm(aes)", fault, nil), Options{}, "panicked on test vector 0 (",
		fmt.Sprintf("at address %#x", address(edge)+16))
}

func TestBrokenOpenIsCaught(t *testing.T) {
	// peek decrypts whatever the tag says.
	peek := func(a AEAD, nonce, ciphertext, aad []byte) []byte {
		n := len(ciphertext) - a.Overhead()
		return a.Seal(nil, nonce, ciphertext[:n], aad)[:n]
	}
	// leaky opens, and hands what it decrypted before a failure to leak.
	leaky := func(leak func(room, plaintext []byte) ([]byte, error)) aeadFault {
		return badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			plaintext := peek(a, nonce, ciphertext, aad)
			out, err := a.Open(dst, nonce, ciphertext, aad)
			if err == nil || len(plaintext) == 0 || cap(dst)-len(dst) < len(plaintext) {
				return out, err
			}
			return leak(dst[len(dst):][:len(plaintext)], plaintext)
		})
	}
	for _, c := range []struct {
		name  string
		fault aeadFault
		says  []string
	}{
		{"accepts any tag", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			return append(dst, peek(a, nonce, ciphertext, aad)...), nil
		}), []string{`decryption unexpectedly succeeded on test vector 0 (`, `layout "out of place"`, "of the tag flipped"}},
		{"compares all but the tag's last byte", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			n, plaintext := len(ciphertext)-a.Overhead(), peek(a, nonce, ciphertext, aad)
			if !bytes.HasPrefix(a.Seal(nil, nonce, plaintext, aad)[n:], ciphertext[n:len(ciphertext)-1]) {
				return a.Open(dst, nonce, ciphertext, aad)
			}
			return append(dst, plaintext...), nil
		}), []string{"decryption unexpectedly succeeded"}},
		{"leaves the plaintext", leaky(func(room, plaintext []byte) ([]byte, error) {
			copy(room, plaintext)
			return nil, registry.ErrAuth
		}), []string{"decryption test failed (dst not wiped)", "test vector 2 (", "byte 0 of 64 is 0xd9"}},
		{"leaves its last byte", leaky(func(room, plaintext []byte) ([]byte, error) {
			room[len(room)-1] = plaintext[len(room)-1]
			return nil, registry.ErrAuth
		}), []string{"decryption test failed (dst not wiped)", "byte 63 of 64 is 0x55"}},
		{"returns it beside the error", leaky(func(_, plaintext []byte) ([]byte, error) {
			return plaintext, registry.ErrAuth
		}), []string{"decryption test failed (output returned)"}},
		{"other error", leaky(func(_, _ []byte) ([]byte, error) {
			return nil, errors.New("oops")
		}), []string{"decryption test failed (wrong error)", `expected_error="message authentication failed", actual_error="oops"`}},
		{"refuses what is authentic", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			return nil, registry.ErrAuth
		}), []string{"decryption test failed (error)", `: "message authentication failed"`}},
		{"wrong plaintext", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			out, err := a.Open(dst, nonce, ciphertext, aad)
			if len(out) > len(dst) {
				out[len(dst)] ^= 0x80
			}
			return out, err
		}), []string{"decryption test failed (wrong result)", "expected 0000000000000000, got 8000000000000000 at byte 0 of 16"}},
		{"writes the tag when in place", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
			out, err := a.Open(dst, nonce, ciphertext, aad)
			if err == nil && len(ciphertext) > a.Overhead() && cap(dst) > 0 && address(dst) == address(ciphertext) {
				ciphertext[len(ciphertext)-1]++
			}
			return out, err
		}), []string{"decryption test failed (overran dst)", `layout "in place"`, "wrote byte 16 after its end"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantFailure(t, fakeSubject("gcm(aes)", c.fault, nil), Options{}, c.says...)
		})
	}
}

// keying replaces SetKey and SetAuthSize of a correct AEAD.
type keying struct {
	AEAD
	setKey      func(a AEAD, key []byte) error
	setAuthSize func(a AEAD, n int) error
}

func (k keying) SetKey(key []byte) error {
	if k.setKey == nil {
		return k.AEAD.SetKey(key)
	}
	return k.setKey(k.AEAD, key)
}

func (k keying) SetAuthSize(n int) error {
	if k.setAuthSize == nil {
		return k.AEAD.SetAuthSize(n)
	}
	return k.setAuthSize(k.AEAD, n)
}

func TestBrokenSizesAreCaught(t *testing.T) {
	for _, c := range []struct {
		name string
		fake keying
		says string
	}{
		{"other error for a wrong key", keying{setKey: func(a AEAD, key []byte) error {
			if a.SetKey(key) != nil {
				return errors.New("bad key")
			}
			return nil
		}}, `setkey of 0 bytes failed: expected_error="invalid key", actual_error="bad key"`},
		{"takes a key of 17 bytes", keying{setKey: func(a AEAD, key []byte) error {
			return a.SetKey(key[:len(key)&^1])
		}}, `setkey of 17 bytes unexpectedly succeeded: expected_error="invalid key"`},
		{"refuses a good key", keying{setKey: func(a AEAD, key []byte) error {
			if len(key) == 24 {
				return registry.ErrKeySize
			}
			return a.SetKey(key)
		}}, `setkey of 24 bytes failed: expected_error=none, actual_error="invalid key"`},
		{"keeps the old key after an error", keying{setKey: func(a AEAD, key []byte) error {
			if len(key) != 16 && len(key) != 24 && len(key) != 32 {
				return registry.ErrKeySize
			}
			return a.SetKey(key)
		}}, `decryption without a key failed: expected_error="no key set", actual_error="message authentication failed"`},
		{"takes a tag of 3 bytes", keying{setAuthSize: func(a AEAD, n int) error {
			return a.SetAuthSize(n + n&1)
		}}, `setauthsize of 3 bytes unexpectedly succeeded: expected_error="invalid tag size"`},
		{"ignores the tag size", keying{setAuthSize: func(a AEAD, n int) error {
			if err := a.SetAuthSize(n); err != nil {
				return err
			}
			return a.SetAuthSize(16)
		}}, "encryption test failed (wrong length)"},
		{"writes the key", keying{setKey: func(a AEAD, key []byte) error {
			err := a.SetKey(key)
			clear(key)
			return err
		}}, "encryption test failed (corrupted key)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fault := func(a AEAD, _ int) AEAD {
				k := c.fake
				k.AEAD = a
				return k
			}
			wantFailure(t, fakeSubject("gcm(aes)", fault, nil), Options{}, c.says)
		})
	}
}

func TestChunkBorderIsCaught(t *testing.T) {
	fault := func(a AEAD, chunk int) AEAD {
		return sealing{a, func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			out := a.Seal(dst, nonce, plaintext, aad)
			if chunk > 0 && len(plaintext) > chunk {
				out[len(dst)+chunk] ^= 1
			}
			return out
		}}
	}
	// RFC 7539's messages of more than 64 bytes are out[64:] wrong, in the layout that has small chunks.
	wantFailure(t, fakeSubject("rfc7539(chacha20,poly1305)", fault, nil), Options{},
		"encryption test failed (wrong result)", `layout "in place, chunks of 64 bytes"`, "at byte 64 of ")
}

// ciphering replaces single methods of a correct skcipher.
type ciphering struct {
	Skcipher
	encrypt, decrypt func(c Skcipher, dst, src, iv []byte) error
	sectors          func(c Skcipher, dst, src []byte, size int, first uint64) error
	at               func(c Skcipher, dst, src, iv []byte, offset uint64) error
	setKey           func(c Skcipher, key []byte) error
}

func (c ciphering) Encrypt(dst, src, iv []byte) error {
	if c.encrypt == nil {
		return c.Skcipher.Encrypt(dst, src, iv)
	}
	return c.encrypt(c.Skcipher, dst, src, iv)
}

func (c ciphering) Decrypt(dst, src, iv []byte) error {
	if c.decrypt == nil {
		return c.Skcipher.Decrypt(dst, src, iv)
	}
	return c.decrypt(c.Skcipher, dst, src, iv)
}

func (c ciphering) EncryptSectors(dst, src []byte, size int, first uint64) error {
	if c.sectors == nil {
		return c.Skcipher.EncryptSectors(dst, src, size, first)
	}
	return c.sectors(c.Skcipher, dst, src, size, first)
}

func (c ciphering) XORKeyStreamAt(dst, src, iv []byte, offset uint64) error {
	if c.at == nil {
		return c.Skcipher.XORKeyStreamAt(dst, src, iv, offset)
	}
	return c.at(c.Skcipher, dst, src, iv, offset)
}

func (c ciphering) SetKey(key []byte) error {
	if c.setKey == nil {
		return c.Skcipher.SetKey(key)
	}
	return c.setKey(c.Skcipher, key)
}

// narrowCounter is ctr(aes) whose counter carries within its last size bytes only.
func narrowCounter(size int) ciphering {
	at := func(c Skcipher, dst, src, iv []byte, offset uint64) error {
		for from := 0; from < len(src); {
			block := (offset + uint64(from)) / 16
			end := min(len(src), int((block+1)*16-offset))
			counter := bytes.Clone(iv)
			addWithin(counter[16-size:], block)
			if err := c.XORKeyStreamAt(dst[from:end], src[from:end], counter, (offset+uint64(from))%16); err != nil {
				return err
			}
			from = end
		}
		return nil
	}
	whole := func(c Skcipher, dst, src, iv []byte) error { return at(c, dst, src, iv, 0) }
	return ciphering{encrypt: whole, decrypt: whole, at: at}
}

// addWithin adds to a big-endian number and drops the carry.
func addWithin(digits []byte, n uint64) {
	for i := len(digits) - 1; i >= 0; i-- {
		n += uint64(digits[i])
		digits[i] = byte(n)
		n >>= 8
	}
}

func TestBrokenSkcipherIsCaught(t *testing.T) {
	type change = func(c Skcipher, dst, src, iv []byte) error
	encrypting := func(after func(dst, src, iv []byte)) change {
		return func(c Skcipher, dst, src, iv []byte) error {
			err := c.Encrypt(dst, src, iv)
			if err == nil {
				after(dst, src, iv)
			}
			return err
		}
	}
	for _, c := range []struct {
		name, algorithm string
		fake            ciphering
		says            []string
	}{
		{"ctr: 32-bit counter", "ctr(aes)", narrowCounter(4), []string{"encryption test failed (wrong result)", "low 32 bits of the counter wrap", "at byte 16 of 33"}},
		{"ctr: 64-bit counter", "ctr(aes)", narrowCounter(8), []string{"low 64 bits of the counter wrap"}},
		{"ctr: 96-bit counter", "ctr(aes)", narrowCounter(12), []string{"low 96 bits of the counter wrap"}},
		{"ctr: offset of 32 bits", "ctr(aes)", ciphering{at: func(c Skcipher, dst, src, iv []byte, offset uint64) error {
			return c.XORKeyStreamAt(dst, src, iv, offset&(1<<32-1))
		}}, []string{"on test vector", "offset carries into the upper half"}},
		{"ctr: next block", "ctr(aes)", ciphering{at: func(c Skcipher, dst, src, iv []byte, offset uint64) error {
			if len(src) == 16 && offset == 64 {
				offset -= 16
			}
			return c.XORKeyStreamAt(dst, src, iv, offset)
		}}, []string{"encryption test failed (wrong output IV)", "NIST SP 800-38A F.5.1", "under IV f0f1f2f3f4f5f6f7f8f9fafbfcfdff03"}},
		{"ctr: advances the IV", "ctr(aes)", ciphering{encrypt: encrypting(func(_, _, iv []byte) { iv[15]++ })},
			[]string{"encryption test failed (corrupted iv)"}},
		{"ctr: writes src", "ctr(aes)", ciphering{encrypt: encrypting(func(dst, src, _ []byte) {
			if address(dst) != address(src) {
				src[0]++
			}
		})}, []string{"encryption test failed (corrupted src)"}},
		{"ctr: a whole block at the end", "ctr(aes)", ciphering{encrypt: encrypting(func(dst, _, _ []byte) {
			for i := len(dst); i%16 != 0; i++ {
				poke(dst, i)
			}
		})}, []string{"encryption test failed (overran dst)", "wrote byte 1 after its end"}},
		{"xctr: 8-bit counter", "xctr(aes)", ciphering{at: func(c Skcipher, dst, src, iv []byte, offset uint64) error {
			return c.XORKeyStreamAt(dst, src, iv, offset&(1<<12-1))
		}}, []string{"across block 2^8"}},
		{"chacha20: runs over", "chacha20", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
			err := c.Encrypt(dst, src, iv)
			if errors.Is(err, registry.ErrLength) {
				return c.Encrypt(dst[:64], src[:64], iv)
			}
			return err
		}}, []string{"encryption of 65 bytes under IV ffffffff", `unexpectedly succeeded: expected_error="invalid length"`}},
		{"chacha20: runs over, after output", "chacha20", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
			err := c.Encrypt(dst, src, iv)
			if errors.Is(err, registry.ErrLength) {
				_ = c.Encrypt(dst[:64], src[:64], iv)
			}
			return err
		}}, []string{"encryption of 65 bytes under IV ffffffff", "wrote to dst"}},
		{"xts: decrypts the tail wrongly", "xts(aes)", ciphering{decrypt: func(c Skcipher, dst, src, iv []byte) error {
			n, err := len(src), c.Decrypt(dst, src, iv)
			if err == nil && n%16 == 1 {
				dst[n-1] ^= 1
			}
			return err
		}}, []string{"decryption test failed (wrong result)", "IEEE 1619-2007 annex B vector 15", "at byte 16 of 17"}},
		{"xts: tweaks of sectors", "xts(aes)", ciphering{sectors: func(c Skcipher, dst, src []byte, size int, first uint64) error {
			for i := 0; i < len(src); i += size {
				var iv [16]byte
				binary.LittleEndian.PutUint32(iv[:], uint32(first)+uint32(i/size))
				if err := c.Encrypt(dst[i:i+size], src[i:i+size], iv[:]); err != nil {
					return err
				}
			}
			return nil
		}}, []string{"encryption test failed (wrong result in sectors)", "3 sectors from "}},
		{"xts: takes 15 bytes", "xts(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
			if len(src) < 16 {
				return nil
			}
			return c.Encrypt(dst, src, iv)
		}}, []string{"encryption of 15 bytes", "unexpectedly succeeded"}},
		{"ecb: other error for half a block", "ecb(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
			if c.Encrypt(dst, src, iv) != nil {
				return fmt.Errorf("half a block: %w", registry.ErrNoKey)
			}
			return nil
		}}, []string{"encryption of 1 bytes", `expected_error="invalid length", actual_error="half a block: no key set"`}},
		{"ecb: from 38 blocks on", "ecb(aes)", ciphering{encrypt: encrypting(func(dst, _, _ []byte) {
			if len(dst) > 37*16 {
				dst[37*16] ^= 1
			}
		})}, []string{"encryption test failed (wrong result) on random message", "at byte 592 of "}},
		{"rfc3686: works without a key", "rfc3686(ctr(aes))", ciphering{setKey: func(c Skcipher, key []byte) error {
			if n := len(key); n != 20 && n != 28 && n != 36 {
				return registry.ErrKeySize
			}
			return c.SetKey(key)
		}}, []string{`encryption without a key unexpectedly succeeded: expected_error="no key set"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fault := func(s Skcipher, _ int) Skcipher {
				f := c.fake
				f.Skcipher = s
				return f
			}
			wantFailure(t, fakeSubject(c.algorithm, nil, fault), Options{}, c.says...)
		})
	}
}

// blockLoss is a Stream that forgets the rest of a block between two calls.
type blockLoss struct{ *fakeStream }

func (b blockLoss) XORKeyStream(dst, src []byte) {
	b.fakeStream.XORKeyStream(dst, src)
	b.offset = (b.offset + 15) &^ 15
}

// noSeek is a Stream that only seeks to the beginning of blocks.
type noSeek struct{ *fakeStream }

func (n noSeek) Seek(offset uint64) error { return n.fakeStream.Seek(offset &^ 15) }

func TestBrokenStreamIsCaught(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(*fakeStream) Stream
		says  string
	}{
		{"pieces", func(s *fakeStream) Stream { return blockLoss{s} }, `layout "split in two"`},
		{"seek", func(s *fakeStream) Stream { return noSeek{s} }, `layout "uneven misaligned pieces, last first by Seek"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fakeSubject("ctr(aes)", nil, nil)
			s.Stream = func(k Skcipher, iv []byte) (Stream, error) {
				return c.fault(&fakeStream{c: k, iv: bytes.Clone(iv)}), nil
			}
			wantFailure(t, s, Options{}, "encryption test failed (wrong result)", c.says)
		})
	}
}

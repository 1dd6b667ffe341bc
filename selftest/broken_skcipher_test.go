package selftest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kcrypto/registry"
)

// ciphering replaces single methods of a correct skcipher.
type ciphering struct {
	Skcipher
	encrypt, decrypt func(c Skcipher, dst, src, iv []byte) error
	sectors          func(c Skcipher, dst, src []byte, size int, first uint64) error
	numbers          func(iv registry.SectorIV) registry.SectorIV
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

func (c ciphering) EncryptSectorsIV(dst, src []byte, size int, iv registry.SectorIV) error {
	if c.numbers != nil {
		iv = c.numbers(iv)
	}
	return c.Skcipher.EncryptSectorsIV(dst, src, size, iv)
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

// encrypting does something more after a correct Encrypt.
func encrypting(after func(dst, src, iv []byte)) ciphering {
	return ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
		err := c.Encrypt(dst, src, iv)
		if err == nil {
			after(dst, src, iv)
		}
		return err
	}}
}

var brokenSkciphers = []struct {
	name, algorithm string
	fake            ciphering
	says            []string
}{
	{"ctr: 32-bit counter", "ctr(aes)", narrowCounter(4),
		[]string{"encryption test failed (wrong result)", "low 32 bits of the counter wrap", "at byte 16 of 33"}},
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
	}}, []string{"encryption test failed (wrong output IV)", "NIST SP 800-38A F.5.1",
		"under IV f0f1f2f3f4f5f6f7f8f9fafbfcfdff03"}},
	{"ctr: refuses the next block", "ctr(aes)", ciphering{at: func(c Skcipher, dst, src, iv []byte, offset uint64) error {
		if len(src) == 16 && offset == 64 {
			return registry.ErrLength
		}
		return c.XORKeyStreamAt(dst, src, iv, offset)
	}}, []string{`encryption test failed (error) on test vector 0 (`, `of the block after the message: "invalid length"`}},
	{"ctr: refuses the next IV", "ctr(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
		if iv[15] == 3 {
			return registry.ErrLength
		}
		return c.Encrypt(dst, src, iv)
	}}, []string{`encryption test failed (error) on test vector 0 (`, `of a block under the next IV: "invalid length"`}},
	{"ctr: refuses a message", "ctr(aes)", ciphering{decrypt: func(c Skcipher, dst, src, iv []byte) error {
		if len(src) == 36 {
			return registry.ErrLength
		}
		return c.Decrypt(dst, src, iv)
	}}, []string{`decryption test failed (error) on test vector 5 (RFC 3686 test vector 3)`, `: "invalid length"`}},
	{"ctr: refuses a key", "ctr(aes)", ciphering{setKey: func(c Skcipher, key []byte) error {
		if bytes.HasPrefix(key, []byte{0x2b, 0x7e, 0x15, 0x16}) {
			return registry.ErrKeySize
		}
		return c.SetKey(key)
	}}, []string{`setkey failed on test vector 0 (`, `expected success, got "invalid key"`}},
	{"ctr: advances the IV", "ctr(aes)", encrypting(func(_, _, iv []byte) { iv[15]++ }),
		[]string{"encryption test failed (corrupted iv)"}},
	{"ctr: writes src", "ctr(aes)", encrypting(func(dst, src, _ []byte) {
		if address(dst) != address(src) {
			src[0]++
		}
	}), []string{"encryption test failed (corrupted src)"}},
	{"ctr: a whole block at the end", "ctr(aes)", encrypting(func(dst, _, _ []byte) {
		for i := len(dst); i%16 != 0; i++ {
			poke(dst, i)
		}
	}), []string{"encryption test failed (overran dst)", "wrote byte 1 after its end"}},
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
	{"xts: refuses sectors", "xts(aes)", ciphering{sectors: func(Skcipher, []byte, []byte, int, uint64) error {
		return registry.ErrType
	}}, []string{`encryption test failed (error) on test vector 0 (`, `layout "as a sector": "wrong type of transform"`}},
	{"xts: refuses a data unit", "xts(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
		if len(src) == 1024 {
			return registry.ErrLength
		}
		return c.Encrypt(dst, src, iv)
	}}, []string{`encryption test failed (error) on sector run 8 (3 of 1024 bytes from number `,
		`of data unit 0: "invalid length"`}},
	{"xts: refuses many sectors", "xts(aes)", ciphering{sectors: func(
		c Skcipher, dst, src []byte, size int, first uint64,
	) error {
		if len(src) > 64*size {
			return registry.ErrLength
		}
		return c.EncryptSectors(dst, src, size, first)
	}}, []string{`encryption test failed (error) on sector run 1 (67 of 16 bytes from number `, `: "invalid length"`}},
	{"xts: sector numbers of 8 bits", "xts(aes)", ciphering{sectors: func(
		c Skcipher, dst, src []byte, size int, first uint64,
	) error {
		n := 0
		return sectorLoop(dst, src, size, from(first), func(dst, src, iv []byte) error {
			n++
			binary.LittleEndian.PutUint64(iv, first&^0xff|(first+uint64(n-1))&0xff)
			return c.Encrypt(dst, src, iv)
		})
	}}, []string{"encryption test failed (wrong result) on sector run 1 (67 of 16 bytes from number 4294967266)",
		"differs from one call a sector: expected "}},
	{"xts: more sectors than one pass takes", "xts(aes)", ciphering{sectors: func(
		c Skcipher, dst, src []byte, size int, first uint64,
	) error {
		err := c.EncryptSectors(dst, src, size, first)
		if len(src) > 16*size {
			dst[16*size] ^= 1
		}
		return err
	}}, []string{"encryption test failed (wrong result) on sector run 1 (67 of 16 bytes from number ",
		"at byte 256 of 1072"}},
	{"xts: a byte behind many sectors", "xts(aes)", ciphering{sectors: func(
		c Skcipher, dst, src []byte, size int, first uint64,
	) error {
		err := c.EncryptSectors(dst, src, size, first)
		if len(src) > 16*size {
			poke(dst, len(dst))
		}
		return err
	}}, []string{"encryption test failed (overran dst) on sector run 1 (67 of 16 bytes from number ",
		"wrote byte 1 after its end"}},
	{"xts: a sector's step is 1", "xts(aes)", ciphering{numbers: func(iv registry.SectorIV) registry.SectorIV {
		iv.Step = 1
		return iv
	}}, []string{"encryption test failed (wrong result) on sector run 13 (67 of 16 bytes from number ", "step 8",
		"at byte 16 of 1072"}},
	{"xts: plain is plain64", "xts(aes)", ciphering{numbers: func(iv registry.SectorIV) registry.SectorIV {
		if iv.Form == registry.IVPlain {
			iv.Form = registry.IVPlain64
		}
		return iv
	}}, []string{"encryption test failed (wrong result) on sector run 14 (9 of 528 bytes from number 4294967263 + " +
		"0 * 2^64 in plain, step 8)", "at byte 2640 of 4752"}},
	{"xts: plain64be is plain64", "xts(aes)", ciphering{numbers: func(iv registry.SectorIV) registry.SectorIV {
		if iv.Form == registry.IVPlain64BE {
			iv.Form = registry.IVPlain64
		}
		return iv
	}}, []string{"encryption test failed (wrong result) on sector run 15 (19 of 17 bytes"}},
	{"xts: the upper half of a number is left out", "xts(aes)", ciphering{numbers: func(
		iv registry.SectorIV,
	) registry.SectorIV {
		iv.High = 0
		return iv
	}}, []string{"encryption test failed (wrong result) on test vector ", `layout "as a sector"`}},
	{"xts: takes 15 bytes", "xts(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
		if len(src) < 16 {
			return nil
		}
		return c.Encrypt(dst, src, iv)
	}}, []string{"encryption of 15 bytes", "unexpectedly succeeded"}},
	{"cbc: decrypts in place with what it has overwritten", "cbc(aes)", ciphering{decrypt: func(
		c Skcipher, dst, src, iv []byte,
	) error {
		for len(src) > 16 {
			if err := c.Decrypt(dst[:16], src[:16], iv); err != nil {
				return err
			}
			iv, dst, src = src[:16], dst[16:], src[16:]
		}
		return c.Decrypt(dst, src, iv)
	}}, []string{"decryption test failed (wrong result) on test vector 0", `layout "in place`, "at byte 16 of 64"}},
	{"cts: the IV is XORed into the last block but one", "cts(cbc(aes))", ciphering{decrypt: func(
		c Skcipher, dst, src, iv []byte,
	) error {
		n := len(src)
		err := c.Decrypt(dst, src, iv)
		if rest := n % 16; rest > 0 && n > 16 {
			for i, b := range iv[:rest] {
				dst[n-rest+i] ^= b
			}
		}
		return err
	}}, []string{"decryption test failed (wrong result)", "OpenSSL evpciph_aes_cts.txt, AES-128, 47 bytes",
		"at byte 33 of 47"}},
	{"ecb: other error for half a block", "ecb(aes)", ciphering{encrypt: func(c Skcipher, dst, src, iv []byte) error {
		if c.Encrypt(dst, src, iv) != nil {
			return fmt.Errorf("half a block: %w", registry.ErrNoKey)
		}
		return nil
	}}, []string{"encryption of 1 bytes", `expected_error="invalid length", actual_error="half a block: no key set"`}},
	{"ecb: from 38 blocks on", "ecb(aes)", encrypting(func(dst, _, _ []byte) {
		if len(dst) > 37*16 {
			dst[37*16] ^= 1
		}
	}), []string{"encryption test failed (wrong result) on random message", "at byte 592 of "}},
	{"rfc3686: works without a key", "rfc3686(ctr(aes))", ciphering{setKey: func(c Skcipher, key []byte) error {
		if n := len(key); n != 20 && n != 28 && n != 36 {
			return registry.ErrKeySize
		}
		return c.SetKey(key)
	}}, []string{`encryption without a key unexpectedly succeeded: expected_error="no key set"`}},
}

func TestBrokenSkcipherIsCaught(t *testing.T) {
	for _, c := range brokenSkciphers {
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

// stuck is a Stream that does not seek at all.
type stuck struct{ *fakeStream }

func (stuck) Seek(uint64) error { return registry.ErrLength }

func TestBrokenStreamIsCaught(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(*fakeStream) (Stream, error)
		says  []string
	}{
		{"pieces", func(s *fakeStream) (Stream, error) { return blockLoss{s}, nil },
			[]string{"encryption test failed (wrong result)", `layout "split in two"`}},
		{"seek", func(s *fakeStream) (Stream, error) { return noSeek{s}, nil },
			[]string{"encryption test failed (wrong result)", `layout "uneven pieces, last first by Seek"`}},
		{"no seek", func(s *fakeStream) (Stream, error) { return stuck{s}, nil },
			[]string{"encryption test failed (error)", `layout "uneven pieces, last first by Seek": "invalid length"`}},
		{"no stream", func(*fakeStream) (Stream, error) { return nil, registry.ErrNoKey },
			[]string{"encryption test failed (error)", `layout "split in two": "no key set"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fakeSubject("ctr(aes)", nil, nil)
			s.Stream = func(k Skcipher, iv []byte) (Stream, error) {
				return c.fault(&fakeStream{c: k, iv: bytes.Clone(iv)})
			}
			wantFailure(t, s, Options{}, c.says...)
		})
	}
}

// swapped is a cipher whose batches are right but for two requests, which have each other's result.
type swapped struct{ Skcipher }

func (s swapped) batch(requests []registry.Request, crypt func(dst, src, iv []byte) error) (failed int) {
	for i := range requests {
		p := &requests[i]
		if p.Err = crypt(p.Dst, p.Src, p.IV); p.Err != nil {
			failed++
		}
	}
	return failed
}

func (s swapped) EncryptBatch(requests []registry.Request) (failed int) {
	return s.batch(requests, s.Encrypt)
}

func (s swapped) DecryptBatch(requests []registry.Request) (failed int) {
	failed = s.batch(requests, s.Decrypt)
	if len(requests) > 20 {
		a, b := requests[16].Dst, requests[20].Dst
		for i := range min(len(a), len(b)) {
			a[i], b[i] = b[i], a[i]
		}
	}
	return failed
}

// TestBrokenRequests: a driver that is right alone and wrong in a batch fails.
func TestBrokenRequests(t *testing.T) {
	s := fakeSubject("cbc(aes)", nil, func(c Skcipher, _ int) Skcipher { return swapped{c} })
	err := Run(context.Background(), s, nil, Options{Seed: 5})
	for _, want := range []string{"decryption test failed (wrong batch)", `"batch of 33 requests"`, "request "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

package selftest

import (
	"bytes"
	"context"
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

// wrongSealIf returns a Seal whose last byte is wrong for some messages.
func wrongSealIf(when func(dst, plaintext, aad, nonce []byte) bool) aeadFault {
	return badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
		wrong := when(dst, plaintext, aad, nonce)
		out := a.Seal(dst, nonce, plaintext, aad)
		if wrong {
			out[len(out)-1] ^= 1
		}
		return out
	})
}

func always(dst, plaintext, aad, nonce []byte) bool { return true }

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

var brokenSeals = []struct {
	name  string
	fault aeadFault
	says  []string
}{
	{"last byte", wrongSealIf(always), []string{
		"encryption test failed (wrong result) on test vector 0 (GCM specification test case 1)",
		`, layout "out of place": expected 5a, got 5b at byte 15 of 16 (seed`}},
	{"in place only", wrongSealIf(func(dst, plaintext, _, _ []byte) bool {
		return len(plaintext) > 0 && cap(dst) > 0 && address(dst) == address(plaintext)
	}), []string{`test vector 1 (`, `layout "in place"`}},
	{"misaligned only", wrongSealIf(func(dst, _, _, _ []byte) bool { return address(dst)%2 == 1 }),
		[]string{`layout "misaligned by 1"`}},
	{"from 300 bytes on", wrongSealIf(func(_, plaintext, _, _ []byte) bool { return len(plaintext) >= 300 }),
		[]string{"encryption test failed (wrong result) on random message 39 (klen=", "plen=300 alen="}},
	{"long additional data", wrongSealIf(func(_, _, aad, _ []byte) bool { return len(aad) > 200 }),
		[]string{"on random message", "alen="}},
	{"nonce of 17 to 59 bytes", wrongSealIf(func(_, _, _, nonce []byte) bool {
		return len(nonce) > 16 && len(nonce) < 60
	}),
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
	}), []string{"encryption test failed (overran dst)", `layout "appended to 5 bytes without capacity"`,
		"wrote beyond the capacity of dst"}},
	{"writes what dst held", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
		if len(dst) > 0 {
			dst[0] = 0
		}
		return a.Seal(dst, nonce, plaintext, aad)
	}), []string{"encryption test failed (corrupted dst)", `layout "appended to 13 bytes"`}},
	{"output elsewhere", badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
		return a.Seal(dst[:len(dst):len(dst)], nonce, plaintext, aad)
	}), []string{"encryption test failed (wrong result)", "the output is not where dst has capacity for it"}},
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
}

func TestBrokenSealIsCaught(t *testing.T) {
	for _, c := range brokenSeals {
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

// decryptUnverified decrypts without a look at the tag.
func decryptUnverified(a AEAD, nonce, ciphertext, aad []byte) []byte {
	n := len(ciphertext) - a.Overhead()
	return a.Seal(nil, nonce, ciphertext[:n], aad)[:n]
}

// afterForgery opens, and calls leak with what it decrypted if the tag was wrong.
func afterForgery(leak func(output, plaintext []byte) ([]byte, error)) aeadFault {
	return badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		plaintext := decryptUnverified(a, nonce, ciphertext, aad)
		out, err := a.Open(dst, nonce, ciphertext, aad)
		if err == nil || len(plaintext) == 0 || cap(dst)-len(dst) < len(plaintext) {
			return out, err
		}
		return leak(dst[len(dst):][:len(plaintext)], plaintext)
	})
}

var brokenOpens = []struct {
	name  string
	fault aeadFault
	says  []string
}{
	{"accepts any tag", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		return append(dst, decryptUnverified(a, nonce, ciphertext, aad)...), nil
	}), []string{`decryption unexpectedly succeeded on test vector 0 (`, `layout "out of place"`, "of the tag flipped"}},
	{"compares all but the tag's last byte", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		n, plaintext := len(ciphertext)-a.Overhead(), decryptUnverified(a, nonce, ciphertext, aad)
		if !bytes.HasPrefix(a.Seal(nil, nonce, plaintext, aad)[n:], ciphertext[n:len(ciphertext)-1]) {
			return a.Open(dst, nonce, ciphertext, aad)
		}
		return append(dst, plaintext...), nil
	}), []string{"decryption unexpectedly succeeded"}},
	{"leaves the plaintext", afterForgery(func(output, plaintext []byte) ([]byte, error) {
		copy(output, plaintext)
		return nil, registry.ErrAuth
	}), []string{"decryption test failed (dst not wiped)", "test vector 2 (", "byte 0 of 64 is 0xd9"}},
	{"leaves its last byte", afterForgery(func(output, plaintext []byte) ([]byte, error) {
		output[len(output)-1] = plaintext[len(output)-1]
		return nil, registry.ErrAuth
	}), []string{"decryption test failed (dst not wiped)", "byte 63 of 64 is 0x55"}},
	{"returns it beside the error", afterForgery(func(_, plaintext []byte) ([]byte, error) {
		return plaintext, registry.ErrAuth
	}), []string{"decryption test failed (output returned)"}},
	{"other error", afterForgery(func(_, _ []byte) ([]byte, error) {
		return nil, errors.New("oops")
	}), []string{"decryption test failed (wrong error)",
		`expected_error="message authentication failed", actual_error="oops"`}},
	{"refuses what is authentic", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		return nil, registry.ErrAuth
	}), []string{"decryption test failed (error)", `: "message authentication failed"`}},
	{"wrong plaintext", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		out, err := a.Open(dst, nonce, ciphertext, aad)
		if len(out) > len(dst) {
			out[len(dst)] ^= 0x80
		}
		return out, err
	}), []string{"decryption test failed (wrong result)",
		"expected 0000000000000000, got 8000000000000000 at byte 0 of 16"}},
	{"writes the tag when in place", badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		out, err := a.Open(dst, nonce, ciphertext, aad)
		if err == nil && len(ciphertext) > a.Overhead() && cap(dst) > 0 && address(dst) == address(ciphertext) {
			ciphertext[len(ciphertext)-1]++
		}
		return out, err
	}), []string{"decryption test failed (overran dst)", `layout "in place"`, "wrote byte 16 after its end"}},
}

func TestBrokenOpenIsCaught(t *testing.T) {
	for _, c := range brokenOpens {
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

var brokenSizes = []struct {
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
	{"refuses one key", keying{setKey: func(a AEAD, key []byte) error {
		if bytes.HasPrefix(key, []byte{0xfe, 0xff, 0xe9, 0x92}) {
			return registry.ErrKeySize
		}
		return a.SetKey(key)
	}}, `setkey failed on test vector 2 (GCM specification test case 3), layout "out of place": ` +
		`expected success, got "invalid key"`},
	{"writes the key", keying{setKey: func(a AEAD, key []byte) error {
		err := a.SetKey(key)
		clear(key)
		return err
	}}, "encryption test failed (corrupted key)"},
}

func TestBrokenSizesAreCaught(t *testing.T) {
	for _, c := range brokenSizes {
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

func TestTagSizeRefusedLateIsCaught(t *testing.T) {
	left := 20 // 18 sizes are tried before the first message
	fault := func(a AEAD, _ int) AEAD {
		return keying{AEAD: a, setAuthSize: func(a AEAD, n int) error {
			if left--; left < 0 {
				return registry.ErrAuthSize
			}
			return a.SetAuthSize(n)
		}}
	}
	wantFailure(t, fakeSubject("gcm(aes)", fault, nil), Options{},
		`setauthsize failed on test vector 0 (GCM specification test case 1), layout "misaligned by 1": expected success`)
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

//go:build linux && (amd64 || arm64 || s390x || riscv64)

package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// The longest messages. KCRYPTO_LONG=1 runs the tests over 4 GiB on every driver, which takes minutes. Without it only
// the best driver of each algorithm is tested, with what takes seconds.

// textLimits is the longest plaintext in bytes: SP 800-38D section 5.2.1.1, RFC 8439 section 2.8,
// RFC 3610 section 2.1.
var textLimits = map[string]uint64{
	"gcm(aes)": 1<<36 - 32, "rfc4106(gcm(aes))": 1<<36 - 32,
	"rfc7539(chacha20,poly1305)": 1<<38 - 64, "rfc7539esp(chacha20,poly1305)": 1<<38 - 64, "xchacha20poly1305": 1<<38 - 64,
	"ccm(aes)": 1<<24 - 1, "rfc4309(ccm(aes))": 1<<32 - 1,
}

// unmapped reserves n bytes of address space that fault when touched, for calls that must be refused without touching
// it.
func unmapped(t *testing.T, n uint64) []byte {
	t.Helper()
	m, err := unix.Mmap(-1, 0, int(n), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		t.Skipf("NOT RUN HERE: no %d bytes of address space: %v", n, err)
	}
	t.Cleanup(func() { unix.Munmap(m) })
	return m
}

// TestTextLimits: one byte more than the limit is refused before memory is touched. At the limit the call reaches the
// driver, which then faults in the unmapped message.
func TestTextLimits(t *testing.T) {
	needGuard(t)
	for algorithm, limit := range textLimits {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			l := keyedMessages{make([]byte, model.keySizes[0]), model.nonce, model.tags[len(model.tags)-1], nil}
			a, nonce, aad := newAEAD(t, d, l), make([]byte, model.nonce), make([]byte, 8)
			m, n, tag := unmapped(t, limit+64), int(limit), l.tagSize
			mustPanic(t, "Seal", "want at most", func() { a.Seal(m[:0], nonce, m[:n+1], aad) })
			_, err := a.Open(m[:0], nonce, m[:n+1+tag], aad)
			wantError(t, "Open", err, registry.ErrLength)
			wantFault(t, "Seal", func() { a.Seal(m[:0], nonce, m[:n], aad) })
			wantFault(t, "Open", func() { a.Open(m[:0], nonce, m[:n+tag], aad) })
		})
	}
}

func wantFault(t *testing.T, op string, f func()) {
	t.Helper()
	var fault *guard.Fault
	if err := guard.Run(f); !errors.As(err, &fault) {
		t.Errorf("%s at the limit did not reach the message: %v", op, err)
	}
}

// TestXTSUnitLimit: 2^20 blocks are a data unit (IEEE 1619 section 5.1), a byte more is not.
func TestXTSUnitLimit(t *testing.T) {
	const limit = 16 << 20
	rng := newRandom(t.Name())
	key, iv, plain := rng.bytes(64), rng.bytes(16), rng.bytes(limit+1)
	want := sync.OnceValue(func() []byte { return slowXTS(key, iv, plain[:limit-3], false) })
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		s := newSkcipher(t, d, key)
		wantError(t, "Encrypt", s.Encrypt(plain, plain, iv), registry.ErrLength)
		wantError(t, "Decrypt", s.Decrypt(plain, plain, iv), registry.ErrLength)
		if testing.Short() {
			return
		}
		got := make([]byte, limit)
		if err := s.Encrypt(got, plain[:limit], iv); err != nil {
			t.Fatal(err)
		}
		if err := s.Decrypt(got, got, iv); err != nil || !bytes.Equal(got, plain[:limit]) {
			t.Fatalf("2^20 blocks and back: %s (%v)", difference(got, plain[:limit]), err)
		}
		if err := s.Encrypt(got, plain[:limit-3], iv); err != nil || !bytes.Equal(got[:limit-3], want()) {
			t.Fatalf("2^20 blocks less 3 bytes: %s (%v)", difference(got[:limit-3], want()), err)
		}
	})
}

// isLong reports whether to run a long test on d.
func isLong(t *testing.T, d registry.Info, best string) bool {
	t.Helper()
	if os.Getenv("KCRYPTO_LONG") != "" {
		return true
	}
	if testing.Short() || d.Driver != best {
		t.Skipf("NOT RUN: KCRYPTO_LONG=1 runs it on %s", d.Driver)
	}
	return true
}

func huge(t *testing.T, n int) []byte {
	t.Helper()
	m, free, err := guard.Huge(n)
	if err != nil {
		t.Skipf("NOT RUN HERE: %v", err)
	}
	t.Cleanup(func() { free() })
	return m
}

// TestHugeAdditionalData has more than 2^32 bits of it.
func TestHugeAdditionalData(t *testing.T) {
	for _, algorithm := range []string{"gcm(aes)", "rfc7539(chacha20,poly1305)", "xchacha20poly1305"} {
		model, best := aeadModelOf(t, algorithm), usable(t, newRegistry(t, ""), algorithm)[0]
		rng := newRandom(t.Name() + algorithm)
		key, nonce, text := rng.bytes(32), rng.bytes(model.nonce), rng.bytes(100)
		aad := huge(t, 1<<29+21)
		copy(aad, rng.bytes(1<<16))
		want := sync.OnceValue(func() []byte { return model.seal(key, nonce, text, aad, 16) })
		eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
			if isLong(t, d, best) {
				a := newAEAD(t, d, keyedMessages{key, model.nonce, 16, nil})
				if s := difference(a.Seal(nil, nonce, text, aad), want()); s != "" {
					t.Fatal(s)
				}
			}
		})
	}
}

// overFourGiB is more than 2^32 bytes, and not a multiple of a block.
const overFourGiB = 1<<32 + 3<<20 + 16 + 5

// TestHugeMessages seals more than 4 GiB, in 2 MiB of memory that is mapped repeatedly. The drivers are independent of
// each other and must agree on the end of the ciphertext and on the tag, which depends on all of it.
func TestHugeMessages(t *testing.T) {
	needLong(t)
	for _, algorithm := range algorithms(registry.TypeAEAD) {
		model := aeadModelOf(t, algorithm)
		rng := newRandom(t.Name() + algorithm)
		key, nonce, aad := rng.bytes(model.keySizes[0]), rng.bytes(model.nonce), rng.bytes(8)
		src, dst := huge(t, overFourGiB), huge(t, overFourGiB+16)
		copy(src, rng.bytes(2<<20))
		var want []byte
		eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
			a := newAEAD(t, d, keyedMessages{key, model.nonce, 16, nil})
			got := bytes.Clone(a.Seal(dst[:0], nonce, src, aad)[overFourGiB-1<<16:])
			if want == nil {
				want = got
			}
			n := len(got)
			if hashesAfterwards(d) {
				n -= 16
			}
			if s := difference(got[:n], want[:n]); s != "" {
				t.Fatal(s)
			}
		})
	}
}

// hashesAfterwards reports whether a driver hashes the ciphertext only when all of it is there, as generic GCM does. By
// then this memory has been overwritten, so its tag means nothing here. (With rfc4543 its hash is tested over 4 GiB.)
func hashesAfterwards(d registry.Info) bool {
	return d.Impl == "generic" && (d.Algorithm == "gcm(aes)" || d.Algorithm == "rfc4106(gcm(aes))")
}

func needLong(t *testing.T) {
	t.Helper()
	if os.Getenv("KCRYPTO_LONG") == "" {
		t.Skip("NOT RUN: KCRYPTO_LONG=1 runs messages over 4 GiB on every driver")
	}
}

// TestHugeStreams and sectors: the last bytes of more than 4 GiB in one call are those of the model.
func TestHugeStreams(t *testing.T) {
	needLong(t)
	const tail = 1 << 20
	src, dst := huge(t, overFourGiB), huge(t, overFourGiB)
	eachStream(t, func(t *testing.T, d registry.Info, m *skModel) {
		// Parallel subtests would overwrite each other's dst.
		hugeStreams.Lock()
		defer hugeStreams.Unlock()
		f := newStreamCase(t, d, m, 1)
		if err := f.s.Encrypt(dst, src, f.iv); err != nil {
			t.Fatal(err)
		}
		at := overFourGiB - tail
		if s := difference(dst[at:], m.xorAt(f.key, f.iv, src[at:], uint64(at))); s != "" {
			t.Fatal(s)
		}
	})
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		hugeStreams.Lock()
		defer hugeStreams.Unlock()
		s, n := newSkcipher(t, d, newRandom(t.Name()).bytes(64)), overFourGiB&^4095
		if err := s.EncryptSectors(dst[:n], src[:n], 4096, 5); err != nil {
			t.Fatal(err)
		}
		want, at := make([]byte, tail), n-tail
		if err := s.EncryptSectors(want, src[at:n], 4096, 5+uint64(at/4096)); err != nil {
			t.Fatal(err)
		}
		if diff := difference(dst[at:n], want); diff != "" {
			t.Fatal(fmt.Sprint("sectors: ", diff))
		}
	})
}

var hugeStreams sync.Mutex

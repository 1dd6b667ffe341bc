package kcrypto_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Sizes that an algorithm has, and sizes that it must refuse.

// TestAEADRefusesSizes tries every size that the algorithm does not have. Seal must panic, and everything else return
// an error.
func TestAEADRefusesSizes(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			refuseTagSizes(t, d, model)
			refuseNonceSizes(t, d, model)
			refuseKeySizes(t, d, model)
			refuseAADSizes(t, d, model)
		})
	})
}

func refuseTagSizes(t *testing.T, d registry.Info, model aeadModel) {
	a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, model.tags[0], nil})
	for _, n := range []int{-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 32, 200} {
		fresh, err := kcrypto.AllocAEAD(d.Driver, kcrypto.WithAuthSize(n))
		if slices.Contains(model.tags, n) {
			if err != nil || a.SetAuthSize(n) != nil || a.Overhead() != n {
				t.Fatalf("a tag of %d bytes is refused: %v", n, err)
			}
			fresh.Close()
			continue
		}
		before := a.Overhead()
		wantError(t, fmt.Sprintf("WithAuthSize(%d)", n), err, registry.ErrAuthSize)
		if want := fmt.Sprintf("%d bytes", max(n, 0)); !strings.Contains(err.Error(), want) {
			t.Errorf("WithAuthSize(%d): %q does not say %q", n, err, want)
		}
		wantError(t, fmt.Sprintf("SetAuthSize(%d)", n), a.SetAuthSize(n), registry.ErrAuthSize)
		if a.Overhead() != before {
			t.Errorf("a refused SetAuthSize(%d) changed the tag size to %d", n, a.Overhead())
		}
	}
}

func refuseNonceSizes(t *testing.T, d registry.Info, model aeadModel) {
	for _, n := range []int{-1, 0, 1, 4, 7, 8, 11, 12, 13, 16, 17, 23, 24, 25, 32, 255} {
		fresh, err := kcrypto.AllocAEAD(d.Driver, kcrypto.WithNonceSize(n))
		if model.takes(n) {
			if err != nil {
				t.Fatalf("a nonce of %d bytes is refused: %v", n, err)
			}
			fresh.Close()
			continue
		}
		wantError(t, fmt.Sprintf("WithNonceSize(%d)", n), err, registry.ErrNonceSize)
		right := fmt.Sprintf("want %d bytes", model.nonce)
		switch {
		case model.anyNonce:
			right = "want 1 byte or more"
		case model.nonces != nil:
			right = fmt.Sprintf("want one of %v", d.NonceSizes)
		}
		for _, want := range []string{fmt.Sprintf("%d bytes", max(n, 0)), right} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("WithNonceSize(%d): %q does not say %q", n, err, want)
			}
		}
	}
	tag := model.tags[len(model.tags)-1]
	a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, tag, nil})
	for n := range 40 {
		if n == model.nonce {
			continue
		}
		_, err := a.Open(nil, make([]byte, n), make([]byte, 64), make([]byte, 8))
		wantError(t, fmt.Sprintf("Open with a nonce of %d bytes", n), err, registry.ErrNonceSize)
		mustPanic(t, fmt.Sprintf("Seal with a nonce of %d bytes", n), "nonce", func() {
			a.Seal(nil, make([]byte, n), make([]byte, 64), make([]byte, 8))
		})
	}
}

func refuseKeySizes(t *testing.T, d registry.Info, model aeadModel) {
	for n := range 70 {
		a, err := kcrypto.NewAEAD(d.Driver, make([]byte, n))
		if !slices.Contains(model.keySizes, n) {
			wantError(t, fmt.Sprintf("a key of %d bytes", n), err, registry.ErrKeySize)
			continue
		}
		if err != nil {
			t.Fatalf("a key of %d bytes is refused: %v", n, err)
		}
		a.Close()
	}
}

func refuseAADSizes(t *testing.T, d registry.Info, model aeadModel) {
	if model.aadSizes == nil {
		return
	}
	tag := model.tags[len(model.tags)-1]
	a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, tag, nil})
	nonce := make([]byte, model.nonce)
	for n := range 24 {
		aad := make([]byte, n)
		_, err := a.Open(nil, nonce, make([]byte, 64), aad)
		if slices.Contains(model.aadSizes, n) {
			wantError(t, "Open of zeros", err, registry.ErrAuth)
			continue
		}
		wantError(t, fmt.Sprintf("Open with %d bytes of additional data", n), err, registry.ErrLength)
		mustPanic(t, fmt.Sprintf("Seal with %d bytes of additional data", n), "additional data", func() {
			a.Seal(nil, nonce, nil, aad)
		})
	}
}

// TestSkcipherRefusesSizes tries lengths, IVs and keys of sizes that the algorithm does not have. It expects an error
// and an output that is not written.
func TestSkcipherRefusesSizes(t *testing.T) {
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		model := skModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s := newSkcipher(t, d, make([]byte, model.keySizes[0]))
			refuseLengths(t, s, &model)
			refuseIVs(t, s, &model)
			refuseOptions(t, d)
			for n := range 70 {
				got, err := kcrypto.NewSkcipher(d.Driver, make([]byte, n))
				if !slices.Contains(model.keySizes, n) {
					wantError(t, fmt.Sprintf("a key of %d bytes", n), err, registry.ErrKeySize)
				} else if err != nil {
					t.Fatalf("a key of %d bytes is refused: %v", n, err)
				} else {
					got.Close()
				}
			}
		})
	})
}

// refuseOptions: a cipher without authentication has tags of no byte, and IVs of one size.
func refuseOptions(t *testing.T, d registry.Info) {
	for _, n := range []int{0, 1, 16} {
		s, err := kcrypto.AllocSkcipher(d.Driver, kcrypto.WithAuthSize(n), kcrypto.WithNonceSize(d.IVSize))
		if n > 0 {
			wantError(t, fmt.Sprintf("WithAuthSize(%d)", n), err, registry.ErrAuthSize)
		} else if err != nil {
			t.Errorf("WithAuthSize(0): %v", err)
		} else {
			s.Close()
		}
	}
	_, err := kcrypto.AllocSkcipher(d.Driver, kcrypto.WithNonceSize(d.IVSize+1))
	wantError(t, "an IV of one byte more", err, registry.ErrNonceSize)
}

func refuseLengths(t *testing.T, s *kcrypto.Skcipher, model *skModel) {
	var f canaryBuffer
	iv := make([]byte, model.iv)
	for n := range 100 {
		out := f.prepare(n, 0)
		if !model.fits(n) {
			wantError(t, fmt.Sprintf("%d bytes", n), s.Encrypt(out, make([]byte, n), iv), registry.ErrLength)
			wantError(t, fmt.Sprintf("%d bytes", n), s.Decrypt(out, make([]byte, n), iv), registry.ErrLength)
		}
		longer := (n + 16) &^ 15
		wantError(t, "a short output", s.Encrypt(out, make([]byte, longer), iv), registry.ErrLength)
		wantError(t, "a short output", s.Decrypt(out, make([]byte, longer), iv), registry.ErrLength)
		if s := f.writtenOutside(0); s != "" {
			t.Fatalf("a refused call wrote: %s", s)
		}
	}
}

func refuseIVs(t *testing.T, s *kcrypto.Skcipher, model *skModel) {
	buf := make([]byte, 64)
	for n := range 40 {
		if n == model.iv {
			continue
		}
		what := fmt.Sprintf("an IV of %d bytes", n)
		wantError(t, what, s.Encrypt(buf, buf, make([]byte, n)), registry.ErrNonceSize)
		wantError(t, what, s.Decrypt(buf, buf, make([]byte, n)), registry.ErrNonceSize)
		if model.keystream != nil {
			_, err := s.Stream(make([]byte, n))
			wantError(t, what, err, registry.ErrNonceSize)
			wantError(t, what, s.XORKeyStreamAt(buf, buf, make([]byte, n), 0), registry.ErrNonceSize)
		}
	}
	if model.iv > 0 && s.Encrypt(buf, buf, nil) == nil {
		t.Error("a nil IV is accepted")
	}
}

// TestLimitsByNonce: the longer a nonce of ccm, the shorter the longest message, which must not be taken for an empty
// one.
func TestLimitsByNonce(t *testing.T) {
	eachDriver(t, "ccm(aes)", func(t *testing.T, d registry.Info) {
		l := keyedMessages{make([]byte, 16), 13, 16, nil}
		a, nonce, text := newAEAD(t, d, l), make([]byte, 13), make([]byte, 1<<16)
		sealed := a.Seal(nil, nonce, text[:1<<16-1], nil)
		if s := difference(sealed, sealCCM(l.key, nonce, text[:1<<16-1], nil, 16)); s != "" {
			t.Error(s)
		}
		mustPanic(t, "Seal", "want at most 65535", func() { a.Seal(nil, nonce, text, nil) })
		_, err := a.Open(nil, nonce, append(sealed, 0), nil)
		wantError(t, "Open", err, registry.ErrLength)
	})
}

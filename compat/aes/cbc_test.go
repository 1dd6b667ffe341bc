package aes_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kcrypto/compat/internal/equiv"
)

type newMode = func(b cipher.Block, iv []byte) cipher.BlockMode

var cbcModes = map[string]newMode{
	"NewCBCEncrypter": cipher.NewCBCEncrypter, "NewCBCDecrypter": cipher.NewCBCDecrypter,
}

// eachCBC runs f on both packages' modes, by direction and key size.
func eachCBC(t *testing.T, f func(t *testing.T, original, ours func(iv []byte) cipher.BlockMode)) {
	for _, size := range keySizes {
		original, ours := blocks(t, size)
		for name, mode := range cbcModes {
			t.Run(fmt.Sprintf("AES-%d/%s", size*8, name), func(t *testing.T) {
				f(t, func(iv []byte) cipher.BlockMode { return mode(original, iv) },
					func(iv []byte) cipher.BlockMode { return mode(ours, iv) })
			})
		}
	}
}

// TestCBCSplits puts messages through in pieces of any number of blocks, apart and in place, with new IVs in between.
func TestCBCSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	eachCBC(t, func(t *testing.T, original, ours func(iv []byte) cipher.BlockMode) {
		for round := range 30 {
			iv := equiv.Pattern(16)
			a, b := original(iv), ours(iv)
			clear(iv) // both have copied it
			for piece := range 12 {
				n := 16 * rng.IntN(1+piece*piece)
				src := equiv.Pattern(n)
				want, got := make([]byte, n), make([]byte, n+3)
				if piece%2 == 1 {
					got = append(bytes.Clone(src), 0, 0, 0)
					b.CryptBlocks(got, got[:n])
				} else {
					b.CryptBlocks(got, src)
				}
				a.CryptBlocks(want, src)
				if !bytes.Equal(got, append(want, 0, 0, 0)) {
					t.Fatalf("round %d, piece %d of %d bytes differs", round, piece, n)
				}
				if piece == 7 {
					for _, m := range []cipher.BlockMode{a, b} {
						m.(interface{ SetIV([]byte) }).SetIV(slices.Repeat([]byte{byte(round)}, 16))
					}
				}
			}
		}
	})
}

// TestCBCMistakes: panics as crypto/cipher's, before any output, and the mode goes on as if nothing had been.
func TestCBCMistakes(t *testing.T) {
	eachCBC(t, func(t *testing.T, original, ours func(iv []byte) cipher.BlockMode) {
		for what, mistake := range map[string]func(m cipher.BlockMode, b []byte){
			"no full blocks":             func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b, b[:17]) },
			"no full blocks, dst short":  func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b[:3], b[:17]) },
			"dst short":                  func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b[:31], b[:32]) },
			"dst short, overlap":         func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b[1:17], b[:32]) },
			"overlap":                    func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b[16:], b[:32]) },
			"overlap from behind":        func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b, b[16:48]) },
			"near":                       func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b[32:], b[:32]) },
			"nothing":                    func(m cipher.BlockMode, b []byte) { m.CryptBlocks(nil, nil) },
			"nothing, inside the output": func(m cipher.BlockMode, b []byte) { m.CryptBlocks(b, b[5:5]) },
			"a short IV": func(m cipher.BlockMode, b []byte) {
				m.(interface{ SetIV([]byte) }).SetIV(b[:15])
			},
			"a long IV": func(m cipher.BlockMode, b []byte) { m.(interface{ SetIV([]byte) }).SetIV(b[:17]) },
		} {
			call := func(m cipher.BlockMode) equiv.Outcome {
				b := equiv.Pattern(80)
				m.CryptBlocks(b[:16], b[:16])
				o := equiv.Of(func() ([]byte, error) { mistake(m, b); return b, nil })
				m.CryptBlocks(b[:32], b[:32])
				o.Out = append(b, byte(m.BlockSize()))
				return o
			}
			equiv.Check(t, what, call(original(make([]byte, 16))), call(ours(make([]byte, 16))))
		}
		for _, n := range []int{0, 15, 17} {
			call := func(mode func([]byte) cipher.BlockMode) equiv.Outcome {
				return equiv.Of(func() ([]byte, error) { mode(make([]byte, n)); return nil, nil })
			}
			equiv.Check(t, fmt.Sprintf("an IV of %d bytes", n), call(original), call(ours))
		}
	})
}

// TestCBCAllocations: a call allocates nothing, once the key has a transform of its own.
func TestCBCAllocations(t *testing.T) {
	eachCBC(t, func(t *testing.T, _, ours func(iv []byte) cipher.BlockMode) {
		m, buf := ours(make([]byte, 16)), make([]byte, 1600)
		m.CryptBlocks(buf, buf) // by a transform of the pool
		for _, n := range []int{16, 1600} {
			if got := testing.AllocsPerRun(100, func() { m.CryptBlocks(buf[:n], buf[:n]) }); got != 0 {
				t.Errorf("%v allocations for %d bytes", got, n)
			}
		}
	})
}

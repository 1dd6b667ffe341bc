//go:build !purego

package ctr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"kcrypto/internal/codesize"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// eachRung runs f for every driver in assembly that this CPU can run; need skips the others.
func eachRung(t *testing.T, f func(t *testing.T, d registry.Driver)) {
	for _, d := range asmDrivers() {
		t.Run(d.Name, func(t *testing.T) {
			need(t, d)
			f(t, d)
		})
	}
}

// definition is the portable driver of d's algorithm, which has tests of its own.
func definition(d registry.Driver) registry.StreamCipher {
	if d.Algorithm == "xctr(aes)" {
		return new(genericXCTR)
	}
	return new(genericCTR)
}

// pen is memory whose ends are hard, for everything that the assembly touches.
type pen struct {
	key, iv, src, dst *guard.Arena
	place             func(*guard.Arena, int) []byte // at which end
}

const penSize = 16384

func newPen(t *testing.T) *pen {
	t.Helper()
	if !guard.Available {
		t.Log("NOT RUN: reads and writes outside of buffers are not noticed on this system")
	}
	p := &pen{}
	for _, a := range []**guard.Arena{&p.key, &p.iv, &p.src, &p.dst} {
		arena, err := guard.New(penSize)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { arena.Free() })
		*a = arena
	}
	return p
}

// cipher returns a key object of the rung d in the pen, with its key unless that is nil.
func (p *pen) cipher(t *testing.T, d registry.Driver, key []byte) registry.StreamCipher {
	t.Helper()
	var c registry.StreamCipher
	switch made := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(type) {
	case *asmCTR:
		k := (*asmCTR)(unsafe.Pointer(&p.place(p.key, int(unsafe.Sizeof(*made)))[0]))
		*k, c = *made, k
	case *asmXCTR:
		k := (*asmXCTR)(unsafe.Pointer(&p.place(p.key, int(unsafe.Sizeof(*made)))[0]))
		*k, c = *made, k
	default:
		t.Fatalf("%T is not in assembly", made)
	}
	if key == nil {
		return c
	}
	if err := c.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return c
}

// ends are the two places at which buffers lie.
var ends = []struct {
	name  string
	place func(*guard.Arena, int) []byte
}{{"unmapped memory behind", (*guard.Arena).After}, {"unmapped memory before", (*guard.Arena).Before}}

// check encrypts n random bytes from a block on, out of place and in place, and compares with ref.
func (p *pen) check(t *testing.T, c, ref registry.StreamCipher, n int, iv []byte, block uint64, what string) {
	t.Helper()
	src, dst, at := p.place(p.src, n), p.place(p.dst, n), p.place(p.iv, len(iv))
	copy(at, iv)
	copy(src, random(n, n))
	for i := range dst {
		dst[i] = 0xa5
	}
	before, want := bytes.Clone(src), make([]byte, n)
	ref.XORBlocks(want, src, iv, block)
	if err := guard.Run(func() { c.XORBlocks(dst, src, at, block) }); err != nil {
		t.Fatalf("%d bytes from block %d, %s: %v", n, block, what, err)
	}
	if !bytes.Equal(dst, want) {
		t.Fatalf("%d bytes from block %d, iv %x, %s: got %x, want %x", n, block, iv, what, dst, want)
	}
	if !bytes.Equal(src, before) || !bytes.Equal(at, iv) {
		t.Fatalf("%d bytes, %s: src or iv changed", n, what)
	}
	if err := guard.Run(func() { c.XORBlocks(src, src, at, block) }); err != nil {
		t.Fatalf("%d bytes in place, %s: %v", n, what, err)
	}
	if !bytes.Equal(src, want) {
		t.Fatalf("%d bytes in place from block %d, iv %x, %s: got %x, want %x", n, block, iv, what, src, want)
	}
}

// thin reports whether a short run leaves out the length n: it keeps all up to 80, and those around whole registers.
func thin(n int) bool { return testing.Short() && n > 80 && n%64 > 1 && n%16 != 15 }

// TestRungLengths compares every length up to twice the widest loop and a little more with the portable driver, for all
// key sizes, from random blocks on, with the memory around every buffer unmapped.
func TestRungLengths(t *testing.T) {
	eachRung(t, func(t *testing.T, d registry.Driver) {
		p, ref, dice := newPen(t), definition(d), rand.New(rand.NewPCG(1, 2))
		for _, end := range ends {
			p.place = end.place
			for i, keyLen := range d.KeySizes {
				key := random(i, keyLen)
				c := p.cipher(t, d, key)
				if err := ref.SetKey(key); err != nil {
					t.Fatal(err)
				}
				for n := range 2*loopBytes + 65 {
					if thin(n) {
						continue
					}
					block := dice.Uint64() >> dice.IntN(64)
					if n%3 == 0 {
						block = 0 // most messages begin there, and it has a way of its own
					}
					p.check(t, c, ref, n, random(n+i, blockSize), block, end.name)
				}
				for n := 4096 - 17; n <= 4096+17; n++ {
					p.check(t, c, ref, n, random(n+i, blockSize), dice.Uint64N(1<<40), end.name)
				}
			}
		}
	})
}

// TestRungCarries has the counter's low 8 to 128 bits run over at every block of the widest loop and of what follows,
// in messages of lengths that take all ways.
func TestRungCarries(t *testing.T) {
	lengths := []int{1, 16, 17, 31, 32, 48, 64, 65, 100, 128, 192, 256, 257, 320, 384, 448, 511, 512, 513, 700, 896, 1024, 1100}
	eachRung(t, func(t *testing.T, d registry.Driver) {
		p, ref := newPen(t), definition(d)
		p.place = (*guard.Arena).After
		key := random(7, 32)
		c := p.cipher(t, d, key)
		if err := ref.SetKey(key); err != nil {
			t.Fatal(err)
		}
		for i, ones := range []int{1, 2, 3, 4, 5, 8, 12, 16} {
			for before := range 72 {
				if testing.Short() && before%5 > 1 {
					continue
				}
				iv := random(before, blockSize)
				copy(iv[blockSize-ones:], bytes.Repeat([]byte{0xff}, ones))
				iv[blockSize-1] -= byte(before)
				block := uint64(1)<<(8*min(ones, 8)-1)<<1 - 1 - uint64(before) // where xctr's counter does the same
				if d.Algorithm == "ctr(aes)" {
					block = 0
				}
				n := lengths[(before+i)%len(lengths)]
				p.check(t, c, ref, n, iv, block, fmt.Sprintf("%d ones", 8*ones))
				p.check(t, c, ref, 1100, iv, block, fmt.Sprintf("%d ones", 8*ones))
				if d.Algorithm == "ctr(aes)" { // the same counter, half of it in block
					low := binary.BigEndian.Uint64(iv[8:])
					half := low / 2
					binary.BigEndian.PutUint64(iv[8:], low-half)
					p.check(t, c, ref, n, iv, half, fmt.Sprintf("%d ones, half in block", 8*ones))
				}
			}
		}
	})
}

// TestRungLowByte has the lowest byte of the counter run over at every block of messages of every number of registers:
// it is what the assembly counts in.
func TestRungLowByte(t *testing.T) {
	eachRung(t, func(t *testing.T, d registry.Driver) {
		p, ref := newPen(t), definition(d)
		p.place = (*guard.Arena).After
		key := random(8, 16)
		c := p.cipher(t, d, key)
		if err := ref.SetKey(key); err != nil {
			t.Fatal(err)
		}
		iv := random(9, blockSize)
		for n := 16; n <= 1100; n += 16 {
			for low := 256 - n/16 - 1; low <= 256; low++ {
				if testing.Short() && (n/16+low)%7 > 0 {
					continue
				}
				iv[blockSize-1] = byte(low)
				p.check(t, c, ref, n-low%16, iv, 0, fmt.Sprintf("lowest byte %d", iv[blockSize-1]))
			}
		}
	})
}

// TestRungLong has the lowest byte run over several times in one call, from all its values on.
func TestRungLong(t *testing.T) {
	eachRung(t, func(t *testing.T, d registry.Driver) {
		p, ref := newPen(t), definition(d)
		p.place = (*guard.Arena).After
		key := random(10, 24)
		c := p.cipher(t, d, key)
		if err := ref.SetKey(key); err != nil {
			t.Fatal(err)
		}
		for low := range 256 {
			if testing.Short() && low%13 > 0 {
				continue
			}
			iv := random(low, blockSize)
			iv[blockSize-1] = byte(low)
			p.check(t, c, ref, 3*256*blockSize+low*5, iv, 0, fmt.Sprintf("lowest byte %d", low))
		}
	})
}

// TestRungIVInOutput has the IV lie in the output, in messages of one chunk and of several.
func TestRungIVInOutput(t *testing.T) {
	eachRung(t, func(t *testing.T, d registry.Driver) {
		for _, n := range []int{16, 64, 300, 1100, 3000} {
			c, ref := d.NewSkcipher(registry.Config{Chunk: loopBytes}), definition(d)
			key, iv, src := random(1, 32), random(2, blockSize), random(3, n)
			iv[8], iv[9], iv[10], iv[11] = 0xff, 0xff, 0xff, 0xff // ctr's long way, as well as that of many chunks
			if c.SetKey(key) != nil || ref.SetKey(key) != nil {
				t.Fatal("no key")
			}
			want, dst := make([]byte, n), make([]byte, n)
			ref.Encrypt(want, src, iv)
			at := dst[(n-blockSize)/2:][:blockSize]
			copy(at, iv)
			if c.Encrypt(dst, src, at); !bytes.Equal(dst, want) {
				t.Errorf("%d bytes: got %x, want %x", n, dst, want)
			}
		}
	})
}

// TestBlankKey works with a key object that has no key and lies behind an unmapped page.
func TestBlankKey(t *testing.T) {
	eachRung(t, func(t *testing.T, d registry.Driver) {
		p := newPen(t)
		p.place = (*guard.Arena).Before
		c, buf := p.cipher(t, d, nil), make([]byte, 1100)
		for _, n := range []int{16, 64, 1100} {
			if err := guard.Run(func() { c.Encrypt(buf[:n], buf[:n], buf[:blockSize]) }); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	})
}

// TestCodeSize holds the machine code of all drivers together to 30 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`x?ctr(?:AESNI|AESNIAVX|VAESAVX2|VAESAVX512)`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, len(asmDrivers()), 30_000)
}

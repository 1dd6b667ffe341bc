package ctr

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// eachDriver runs f on every driver of this package and on the template over each of ctr(aes), with chunks so small
// that they end within messages. The key sizes are those of the driver.
func eachDriver(t *testing.T, f func(t *testing.T, d registry.Driver)) {
	drivers := Drivers()
	for _, d := range StdlibDrivers() {
		drivers = append(drivers, d.Driver)
	}
	template := Templates()[0]
	for _, d := range slices.Clone(drivers) {
		if template.Accepts(&d) == nil {
			drivers = append(drivers, template.Build(&d))
		}
	}
	if len(drivers) < 5 {
		t.Fatalf("%d drivers, want ctr-aes-generic, ctr-aes-stdlib, xctr-aes-generic and rfc3686 over the first two", len(drivers))
	}
	for _, d := range drivers {
		t.Run(d.Name, func(t *testing.T) {
			need(t, d)
			f(t, d)
		})
	}
}

// need skips a test where the CPU lacks what d needs, or fails it if KCRYPTO_REQUIRE names d. What stdlib needs, it
// needs to be fast, not to run.
func need(t *testing.T, d registry.Driver) {
	t.Helper()
	missing := cpu.Host().Missing(d.Needs)
	switch {
	case missing == nil || d.Impl == "stdlib":
	case strings.Contains(","+os.Getenv("KCRYPTO_REQUIRE")+",", ","+d.Name+","):
		t.Fatalf("KCRYPTO_REQUIRE wants it here, and the CPU lacks %v", missing)
	default:
		t.Skipf("NOT RUN HERE: the CPU lacks %v", missing)
	}
}

func keyed(t *testing.T, d registry.Driver, key []byte) registry.StreamCipher {
	t.Helper()
	c := d.NewSkcipher(registry.Config{Chunk: 100}).(registry.StreamCipher)
	if err := c.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return c
}

// random returns n bytes that depend on the seed alone.
func random(seed, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)}).Read(b)
	return b
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// reference is n bytes of keystream from a block on, by the definitions, one block of crypto/aes at a time.
func reference(t *testing.T, algorithm string, key, iv []byte, block uint64, n int) (stream []byte) {
	t.Helper()
	if algorithm == "rfc3686(ctr(aes))" {
		split := len(key) - nonceSize
		iv = append(append(bytes.Clone(key[split:]), iv...), 0, 0, 0, 1)
		key = key[:split]
	}
	cipher, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(stream) < n; block++ {
		var b [blockSize]byte
		if algorithm == "xctr(aes)" {
			binary.LittleEndian.PutUint64(b[:], block+1)
			for i := range b {
				b[i] ^= iv[i]
			}
		} else {
			counter := new(big.Int).SetBytes(iv)
			counter.Add(counter, new(big.Int).SetUint64(block))
			counter.SetBit(counter, 8*blockSize, 0).FillBytes(b[:])
		}
		cipher.Encrypt(b[:], b[:])
		stream = append(stream, b[:]...)
	}
	return stream[:n]
}

func xored(a, b []byte) []byte {
	c := bytes.Clone(a)
	for i := range c {
		c[i] ^= b[i]
	}
	return c
}

func TestVectors(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		if len(vectors[d.Algorithm]) == 0 {
			t.Fatalf("no vectors for %s", d.Algorithm)
		}
		for _, v := range vectors[d.Algorithm] {
			c := keyed(t, d, unhex(t, v.key))
			buf := unhex(t, v.in)
			if c.Encrypt(buf, buf, unhex(t, v.iv)); hex.EncodeToString(buf) != v.out {
				t.Errorf("%s: encrypts to %x, want %s", v.source, buf, v.out)
			}
			if c.Decrypt(buf, buf, unhex(t, v.iv)); hex.EncodeToString(buf) != v.in {
				t.Errorf("%s: decrypts to %x, want %s", v.source, buf, v.in)
			}
		}
	})
}

// TestLengths compares every length with the definition, in place and out of place, and looks at what must not change.
func TestLengths(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		for i, keyLen := range d.KeySizes {
			key, iv := random(i, keyLen), random(i+10, d.IVSize)
			c := keyed(t, d, key)
			stream := reference(t, d.Algorithm, key, iv, 0, 2100)
			for n := range 2100 {
				if n > 600 && n%97 > 1 {
					continue
				}
				src := random(n, n)
				want := xored(src, stream)
				dst := bytes.Repeat([]byte{0xa5}, n+blockSize)
				in, ivBefore := bytes.Clone(src), bytes.Clone(iv)
				c.Encrypt(dst[:n], src, iv)
				if !bytes.Equal(dst[:n], want) {
					t.Fatalf("key of %d bytes, %d bytes: got %x, want %x", keyLen, n, dst[:n], want)
				}
				if !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xa5}, blockSize)) {
					t.Fatalf("%d bytes: wrote %x behind dst", n, dst[n:])
				}
				if !bytes.Equal(src, in) || !bytes.Equal(iv, ivBefore) {
					t.Fatalf("%d bytes: src or iv changed", n)
				}
				if c.Decrypt(src, src, iv); !bytes.Equal(src, want) {
					t.Fatalf("%d bytes in place: got %x, want %x", n, src, want)
				}
			}
		}
	})
}

// TestWraps puts the carry out of the low 32, 64, 96 and 128 bits of the counter, and of the lowest bytes of xctr's, on
// every block of two batches.
func TestWraps(t *testing.T) {
	const blocks = 2*bufferBytes/blockSize + 3
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		key := random(1, d.KeySizes[0])
		c := keyed(t, d, key)
		src := random(2, blocks*blockSize)
		for _, ones := range []int{4, 8, 12, 16} {
			for before := range uint64(blocks) {
				iv := random(int(before), d.IVSize)
				block := uint64(1)<<(4*ones-1) - 1 - before // xctr, rfc3686: the counter is in block, not in iv
				if d.Algorithm == "ctr(aes)" {
					copy(iv[blockSize-ones:], bytes.Repeat([]byte{0xff}, ones))
					iv[blockSize-1] -= byte(before)
					block = 0
				}
				if d.Algorithm == "rfc3686(ctr(aes))" {
					block = min(block, espBlocks-blocks)
				}
				dst := make([]byte, len(src))
				c.XORBlocks(dst, src, iv, block)
				if want := xored(src, reference(t, d.Algorithm, key, iv, block, len(src))); !bytes.Equal(dst, want) {
					t.Fatalf("iv %x from block %d: got %x, want %x", iv, block, dst, want)
				}
			}
		}
	})
}

// TestBlocks enters a message at every block, and far out.
func TestBlocks(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		key, iv := random(1, d.KeySizes[0]), random(2, d.IVSize)
		c := keyed(t, d, key)
		src := random(3, 1100)
		whole := make([]byte, len(src))
		c.Encrypt(whole, src, iv)
		for from := 0; from < len(src); from += blockSize {
			for _, n := range []int{0, 1, blockSize, blockSize + 1, 300, len(src) - from} {
				n = min(n, len(src)-from)
				dst := make([]byte, n)
				c.XORBlocks(dst, src[from:from+n], iv, uint64(from/blockSize))
				if !bytes.Equal(dst, whole[from:from+n]) {
					t.Fatalf("%d bytes from byte %d differ from those of the whole", n, from)
				}
			}
		}
		for _, block := range []uint64{1<<32 - 70, c.Blocks(iv) - 69} {
			dst := make([]byte, len(src))
			c.XORBlocks(dst, src, iv, block)
			if want := xored(src, reference(t, d.Algorithm, key, iv, block, len(src))); !bytes.Equal(dst, want) {
				t.Errorf("from block %d: got %x, want %x", block, dst, want)
			}
		}
	})
}

// TestBind has a bound copy outlive its original's key.
func TestBind(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		key, iv := random(1, d.KeySizes[0]), random(2, d.IVSize)
		c := keyed(t, d, key)
		bound, boundIV := c.Bind(bytes.Clone(iv))
		again, againIV := bound.Bind(boundIV)
		if got, want := bound.Blocks(boundIV), c.Blocks(iv); got != want || again.Blocks(againIV) != want {
			t.Errorf("%d blocks when bound, %d when bound again, %d before", got, again.Blocks(againIV), want)
		}
		src := random(3, 333)
		want := xored(src, reference(t, d.Algorithm, key, iv, 5, len(src)))
		check := func(when string) {
			t.Helper()
			for _, b := range []struct {
				c  registry.StreamCipher
				iv []byte
			}{{bound, boundIV}, {again, againIV}} {
				dst := make([]byte, len(src))
				if b.c.XORBlocks(dst, src, b.iv, 5); !bytes.Equal(dst, want) {
					t.Errorf("%s: got %x, want %x", when, dst, want)
				}
			}
		}
		check("at first")
		if err := c.SetKey(random(4, d.KeySizes[len(d.KeySizes)-1])); err != nil {
			t.Fatal(err)
		}
		check("after another SetKey on the original")
		c.Wipe()
		check("after Wipe on the original")
	})
}

// TestRekey sets keys of falling length one after the other.
func TestRekey(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk})
		iv, src := random(1, d.IVSize), random(2, 100)
		for i := len(d.KeySizes) - 1; i >= 0; i-- {
			key := random(i, d.KeySizes[i])
			if err := c.SetKey(key); err != nil {
				t.Fatal(err)
			}
			dst := make([]byte, len(src))
			c.Encrypt(dst, src, iv)
			if want := xored(src, reference(t, d.Algorithm, key, iv, 0, len(src))); !bytes.Equal(dst, want) {
				t.Errorf("key of %d bytes after a longer one: got %x, want %x", len(key), dst, want)
			}
		}
	})
}

// TestWipe looks for key material after Wipe, where it can be looked for.
func TestWipe(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		fresh := d.NewSkcipher(registry.Config{Chunk: 100})
		c := keyed(t, d, random(1, d.KeySizes[0]))
		c.Wipe()
		if !reflect.DeepEqual(c, fresh) {
			t.Errorf("Wipe left something: %x, and %x when fresh", c, fresh)
		}
	})
}

// TestShared has goroutines share one key; it is for the race detector.
func TestShared(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		key, iv := random(1, d.KeySizes[0]), random(2, d.IVSize)
		c := keyed(t, d, key)
		src := random(3, 3000)
		want := xored(src, reference(t, d.Algorithm, key, iv, 0, len(src)))
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				bound, boundIV := c.Bind(bytes.Clone(iv))
				dst := make([]byte, len(src))
				if i%2 == 0 {
					bound.XORBlocks(dst, src, boundIV, 0)
				} else {
					c.Encrypt(dst, src, iv)
				}
				if !bytes.Equal(dst, want) {
					t.Error("wrong beside others")
				}
			})
		}
		wg.Wait()
	})
}

// TestAllocations counts them for a message with its IV on the stack: none, and what cipher.NewCTR needs for stdlib.
func TestAllocations(t *testing.T) {
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		c := keyed(t, d, random(1, d.KeySizes[0]))
		buf, iv := make([]byte, 1000), make([]byte, d.IVSize)
		limit := 0.0
		if d.Impl == "stdlib" {
			limit = 2
		}
		if n := testing.AllocsPerRun(20, func() { c.XORBlocks(buf, buf, iv, 1) }); n > limit {
			t.Errorf("%v allocations, want %v at most", n, limit)
		}
	})
}

func TestDrivers(t *testing.T) {
	want := map[string][]int{
		"ctr-aes-generic": {16, 24, 32}, "ctr-aes-stdlib": {16, 24, 32}, "xctr-aes-generic": {16, 24, 32},
		"rfc3686(ctr-aes-generic)": {20, 28, 36}, "rfc3686(ctr-aes-stdlib)": {20, 28, 36},
	}
	eachDriver(t, func(t *testing.T, d registry.Driver) {
		if sizes, ok := want[d.Name]; ok && fmt.Sprint(sizes) != fmt.Sprint(d.KeySizes) {
			t.Errorf("key sizes %v, want %v", d.KeySizes, sizes)
		}
		delete(want, d.Name)
		if d.Priority != 0 || d.Module != "kcrypto" || d.BlockSize != 1 || d.ChunkSize != 16 || d.MultipleOf != 0 {
			t.Errorf("wrong description %+v", d)
		}
	})
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

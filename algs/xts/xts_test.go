package xts

import (
	"bytes"
	stdaes "crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"golang.org/x/crypto/xts"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// eachDriver runs test on every driver that can work here.
func eachDriver(t *testing.T, test func(t *testing.T, d *registry.Driver)) {
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			if missing := cpu.Host().Missing(d.Needs); len(missing) > 0 {
				t.Skipf("NOT RUN HERE: %s: this CPU has no %v", d.Name, missing)
			}
			test(t, &d)
		})
	}
}

func open(t *testing.T, d *registry.Driver, key []byte) registry.SectorCipher {
	t.Helper()
	c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(registry.SectorCipher)
	if err := c.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return c
}

func randomBytes(rng *rand.ChaCha8, n int) []byte {
	b := make([]byte, n)
	rng.Read(b)
	return b
}

// slowEncrypt is XTS-AES-Encrypt of IEEE 1619 section 5.3.2, in its own letters.
func slowEncrypt(key, iv, plain []byte) []byte {
	key1, err1 := stdaes.NewCipher(key[:len(key)/2])
	key2, err2 := stdaes.NewCipher(key[len(key)/2:])
	if err1 != nil || err2 != nil {
		panic("slowEncrypt: key size")
	}
	t := bytes.Clone(iv)
	key2.Encrypt(t, t)
	block := func(p []byte) []byte { // section 5.3.1; t goes on to the next j
		c := make([]byte, 16)
		for i := range c {
			c[i] = p[i] ^ t[i]
		}
		key1.Encrypt(c, c)
		for i := range c {
			c[i] ^= t[i]
		}
		carry := byte(0)
		for i := range t {
			t[i], carry = t[i]<<1|carry, t[i]>>7
		}
		if carry == 1 {
			t[0] ^= 135
		}
		return c
	}
	var c []byte
	m, b := len(plain)/16, len(plain)%16
	for q := range m - 1 {
		c = append(c, block(plain[16*q:])...)
	}
	cc := block(plain[16*(m-1):])
	if b == 0 {
		return append(c, cc...)
	}
	pp := append(bytes.Clone(plain[16*m:]), cc[b:]...)
	return append(append(c, block(pp)...), cc[:b]...)
}

// check encrypts and decrypts, with buffers that have not a byte too many, apart and in place. what describes the case.
func check(t *testing.T, c registry.Skcipher, iv, plain, cipher []byte, what string) {
	t.Helper()
	n := len(plain)
	poison := bytes.Repeat([]byte{0xa5}, 32)
	for _, way := range []struct {
		name     string
		run      func(dst, src, iv []byte)
		in, want []byte
	}{{"encrypt", c.Encrypt, plain, cipher}, {"decrypt", c.Decrypt, cipher, plain}} {
		in, givenIV := bytes.Clone(way.in), bytes.Clone(iv)
		buf := append(make([]byte, n), poison...)
		dst := buf[:n:n]
		way.run(dst, in, givenIV)
		if !bytes.Equal(dst, way.want) {
			t.Fatalf("%s: %s gives %x, want %x", what, way.name, dst, way.want)
		}
		if !bytes.Equal(in, way.in) || !bytes.Equal(givenIV, iv) || !bytes.Equal(buf[n:], poison) {
			t.Fatalf("%s: %s wrote outside dst", what, way.name)
		}
		copy(dst, way.in)
		way.run(dst, dst, givenIV)
		if !bytes.Equal(dst, way.want) || !bytes.Equal(buf[n:], poison) {
			t.Fatalf("%s: %s in place gives %x, want %x", what, way.name, buf, way.want)
		}
	}
}

func TestVectors(t *testing.T) {
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var pattern []byte
	for i := range 512 {
		pattern = append(pattern, byte(i))
	}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		for _, v := range vectors {
			plain := unhex(v.plain)
			if v.plain == "" {
				plain = pattern
			}
			check(t, open(t, d, unhex(v.key)), unhex(v.iv), plain, unhex(v.cipher), v.name)
		}
	})
}

// TestAgainstDefinition takes every length to 1100, more than any loop's batch and what goes after it, under 32 keys and
// tweaks each up to 127 (and for the drivers in assembly up to 1100), so that the tweak carries and does not carry in
// every place.
func TestAgainstDefinition(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{1})
		compare := func(n int) {
			t.Helper()
			key, iv, plain := randomBytes(rng, d.KeySizes[rng.Uint64()%3]), randomBytes(rng, 16), randomBytes(rng, n)
			check(t, open(t, d, key), iv, plain, slowEncrypt(key, iv, plain), fmt.Sprintf("key %x, iv %x, %d bytes", key, iv, n))
		}
		for n := d.MinSize; n <= 1100; n++ {
			times := 32
			if n > 127 && (d.Impl == "generic" || testing.Short()) {
				times = 1
			}
			for range times {
				compare(n)
			}
		}
		for n := 4096 - 17; n <= 4096+17; n++ {
			compare(n)
		}
	})
}

// TestChunks crosses the end of a chunk of assembly once and twice, with every number of bytes behind it.
func TestChunks(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{5})
		for _, chunk := range []int{1, 512, 1023, 4096} {
			c := d.NewSkcipher(registry.Config{Chunk: chunk})
			for _, near := range []int{512, 1024, 1536, 4096, 8192} {
				for n := near - 17; n <= near+33; n++ {
					key, iv, plain := randomBytes(rng, d.KeySizes[rng.Uint64()%3]), randomBytes(rng, 16), randomBytes(rng, n)
					if err := c.SetKey(key); err != nil {
						t.Fatal(err)
					}
					check(t, c, iv, plain, slowEncrypt(key, iv, plain), fmt.Sprintf("chunk %d, key %x, iv %x, %d bytes", chunk, key, iv, n))
				}
			}
		}
	})
}

// TestAgainstXCrypto compares with golang.org/x/crypto/xts, a second opinion on whole blocks.
func TestAgainstXCrypto(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{2})
		for _, keySize := range d.KeySizes {
			key := randomBytes(rng, keySize)
			peer, err := xts.NewCipher(stdaes.NewCipher, key)
			if err != nil {
				t.Fatal(err)
			}
			c := open(t, d, key)
			for n := 16; n <= 3*bufferBytes; n += 16 {
				sector, plain := rng.Uint64(), randomBytes(rng, n)
				want := make([]byte, n)
				peer.Encrypt(want, plain, sector)
				iv := binary.LittleEndian.AppendUint64(nil, sector)
				check(t, c, append(iv, make([]byte, 8)...), plain, want, fmt.Sprintf("key %x, sector %d, %d bytes", key, sector, n))
			}
		}
	})
}

// TestSectors compares sector calls with the definition: sizes with and without a tail and stealing, longer than a chunk,
// so many sectors that their tweaks take several passes, and numbers over 2^32 and up to the last.
func TestSectors(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{3})
		for _, chunk := range []int{1, 4096, registry.DefaultChunk} {
			if testing.Short() && chunk != 4096 {
				continue
			}
			c := d.NewSkcipher(registry.Config{Chunk: chunk}).(registry.SectorCipher)
			for _, size := range []int{16, 17, 31, 32, 48, 240, 256, 496, 512, 520, 528, 529, 543, 640, 768, 785, 896, 1024, 1100, 4096, 4097, 4111} {
				for _, count := range []int{0, 1, 2, 3, 5, 31, 32, 33, 65} {
					for _, first := range []uint64{0, 1<<32 - 3, math.MaxUint64 - uint64(max(count, 1)) + 1} {
						if (testing.Short() || d.Impl == "generic") && (first == 0) != (count < 31) {
							continue
						}
						key, plain := randomBytes(rng, d.KeySizes[rng.Uint64()%3]), randomBytes(rng, size*count)
						if err := c.SetKey(key); err != nil {
							t.Fatal(err)
						}
						var want []byte
						for i := range count {
							iv := append(binary.LittleEndian.AppendUint64(nil, first+uint64(i)), make([]byte, 8)...)
							want = append(want, slowEncrypt(key, iv, plain[size*i:size*(i+1)])...)
						}
						what := fmt.Sprintf("chunk %d: %d sectors of %d bytes from number %d", chunk, count, size, first)
						check(t, sectorCalls{c, size, first}, nil, plain, want, what)
					}
				}
			}
		}
	})
}

// sectorCalls makes check work on sectors.
type sectorCalls struct {
	registry.SectorCipher
	size  int
	first uint64
}

func (s sectorCalls) Encrypt(dst, src, _ []byte) { s.EncryptSectors(dst, src, s.size, s.first) }
func (s sectorCalls) Decrypt(dst, src, _ []byte) { s.DecryptSectors(dst, src, s.size, s.first) }

func TestWeakKey(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(registry.WeakKeyChecker)
		for _, n := range d.KeySizes {
			key := bytes.Repeat([]byte("key"), n/2)[:n/2]
			key = append(key, key...)
			if c.WeakKey(key) == "" {
				t.Errorf("equal halves of %d bytes are not weak", n/2)
			}
			for i := range key {
				key[i] ^= 0x80
				if why := c.WeakKey(key); why != "" {
					t.Errorf("a key of %d bytes that differs in byte %d is weak: %s", n, i, why)
				}
				key[i] ^= 0x80
			}
		}
	})
}

// TestRekey sets keys of all sizes one after the other on one object.
func TestRekey(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{4})
		c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk})
		for i := range 30 {
			key, iv, plain := randomBytes(rng, d.KeySizes[(i+i/3)%3]), randomBytes(rng, 16), randomBytes(rng, 37)
			if err := c.SetKey(key); err != nil {
				t.Fatal(err)
			}
			check(t, c, iv, plain, slowEncrypt(key, iv, plain), fmt.Sprintf("key %d: %x", i, key))
		}
	})
}

func TestWipe(t *testing.T) {
	k := newGeneric(registry.Config{}).(*generic)
	if err := k.SetKey(bytes.Repeat([]byte{7}, 64)); err != nil {
		t.Fatal(err)
	}
	if k.data != k.tweak || *k == (generic{}) {
		t.Error("the key was not set: this test sees nothing")
	}
	k.Wipe()
	if *k != (generic{}) {
		t.Error("a key is left after Wipe")
	}
}

// TestPointerFree holds the key object to what the garbage collector and Wipe rely on.
func TestPointerFree(t *testing.T) { pointerFree(t, reflect.TypeFor[generic]()) }

func pointerFree(t *testing.T, key reflect.Type) {
	var walk func(reflect.Type)
	walk = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Struct:
			for i := range x.NumField() {
				walk(x.Field(i).Type)
			}
		case reflect.Array:
			walk(x.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.String, reflect.UnsafePointer:
			t.Errorf("%s has a %s in it", key, x)
		}
	}
	walk(key)
}

func TestAllocs(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		c := open(t, d, make([]byte, 64))
		buf, iv := make([]byte, 4096), make([]byte, 16)
		if allocs := testing.AllocsPerRun(20, func() {
			c.Encrypt(buf[:4087], buf[:4087], iv)
			c.Decrypt(buf[:4087], buf[:4087], iv)
			c.EncryptSectors(buf, buf, 512, 7)
			c.DecryptSectors(buf, buf, 512, 7)
		}); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	})
}

func BenchmarkEncrypt(b *testing.B) {
	for _, d := range Drivers() {
		for _, keySize := range []int{32, 64} {
			for _, n := range []int{16, 64, 256, 512, 1420, 4096, 16384} {
				b.Run(fmt.Sprintf("driver=%s/key=%d/size=%d", d.Name, keySize*4, n), func(b *testing.B) {
					c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk})
					if err := c.SetKey(make([]byte, keySize)); err != nil {
						b.Fatal(err)
					}
					buf, iv := make([]byte, n), make([]byte, 16)
					b.SetBytes(int64(n))
					for b.Loop() {
						c.Encrypt(buf, buf, iv)
					}
				})
			}
		}
	}
}

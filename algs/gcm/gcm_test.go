package gcm

import (
	"bytes"
	stdaes "crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// allDrivers lists every driver of this package.
func allDrivers() []registry.Driver {
	all := Drivers()
	for _, d := range StdlibDrivers() {
		all = append(all, d.Driver)
	}
	return all
}

// eachDriver runs test on every driver of gcm(aes) that can work here.
func eachDriver(t *testing.T, test func(t *testing.T, d *registry.Driver)) {
	for _, d := range allDrivers() {
		t.Run(d.Name, func(t *testing.T) {
			if why := missing(&d); why != "" {
				t.Skipf("NOT RUN HERE: %s: %s", d.Name, why)
			}
			test(t, &d)
		})
	}
}

// missing says why a driver cannot work here, or "". Go's own code works without what it needs to be chosen.
func missing(d *registry.Driver) string {
	if d.Unavailable != nil && d.Unavailable() != "" {
		return d.Unavailable()
	}
	if lacks := cpu.Host().Missing(d.Needs); lacks != nil && d.Impl != "stdlib" {
		return fmt.Sprint("this machine lacks ", lacks)
	}
	return ""
}

func open(t *testing.T, d *registry.Driver, key []byte) registry.AEAD {
	t.Helper()
	a := d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk})
	if err := a.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return a
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// slowSeal is GCM as SP 800-38D section 7.1 defines it, with a tag of 16 bytes.
func slowSeal(key, nonce, text, aad []byte) (sealed []byte) {
	block, err := stdaes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	h := make([]byte, 16)
	block.Encrypt(h, h)
	lengths := func(a, b int) []byte {
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(a)*8), uint64(b)*8)
	}
	counter := append(bytes.Clone(nonce), 0, 0, 0, 1)
	if len(nonce) != 12 {
		y := slowGHASH(load(h), slowGHASH(load(h), element{}, nonce), lengths(0, len(nonce))).bytes()
		counter = y[:]
	}
	stream := make([]byte, 16+(len(text)+15)/16*16)
	for i := 0; i < len(stream); i += 16 {
		block.Encrypt(stream[i:], counter)
		binary.BigEndian.PutUint32(counter[12:], binary.BigEndian.Uint32(counter[12:])+1)
	}
	for i, b := range text {
		sealed = append(sealed, b^stream[16+i])
	}
	y := slowGHASH(load(h), slowGHASH(load(h), element{}, aad), sealed)
	tag := slowGHASH(load(h), y, lengths(len(aad), len(text))).add(load(stream)).bytes()
	return append(sealed, tag[:]...)
}

// difference says where got is not want, which is as long.
func difference(got, want []byte) string {
	for i := range want {
		if got[i] != want[i] {
			end := min(i+16, len(want))
			return fmt.Sprintf("% x from byte %d of %d on, want % x", got[i:end], i, len(want), want[i:end])
		}
	}
	return "the right bytes"
}

// check seals and opens, with buffers that have not a byte too many, apart and in place, and compares with want, the
// text with a tag of any size. what describes the case.
func check(t *testing.T, a registry.AEAD, nonce, text, aad, want []byte, what string) {
	t.Helper()
	n := len(text)
	tag := want[n:]
	const poison = 0xa5
	buf := bytes.Repeat([]byte{poison}, len(want)+32)
	in := bytes.Clone(text)
	dst := buf[:len(want):len(want)]
	a.Seal(dst, nonce, in, aad)
	if !bytes.Equal(dst, want) {
		t.Fatalf("%s: sealed %s", what, difference(dst, want))
	}
	copy(dst, text)
	a.Seal(dst, nonce, dst[:n], aad)
	if !bytes.Equal(dst, want) {
		t.Fatalf("%s: sealed in place %s", what, difference(dst, want))
	}
	if !bytes.Equal(in, text) || !bytes.Equal(buf[len(want):], bytes.Repeat([]byte{poison}, 32)) {
		t.Fatalf("%s: Seal wrote outside dst", what)
	}

	out := bytes.Repeat([]byte{poison}, n+32)
	if !a.Open(out[:n:n], nonce, dst[:n], dst[n:], aad) || !bytes.Equal(out[:n], text) {
		t.Fatalf("%s: does not open: %s", what, difference(out[:n], text))
	}
	if !bytes.Equal(dst, want) || !bytes.Equal(out[n:], bytes.Repeat([]byte{poison}, 32)) {
		t.Fatalf("%s: Open wrote outside dst", what)
	}
	if !a.Open(dst[:n], nonce, dst[:n:n], bytes.Clone(tag), aad) || !bytes.Equal(dst[:n], text) {
		t.Fatalf("%s: does not open in place with the tag apart: %s", what, difference(dst[:n], text))
	}
	copy(dst, want)
	if !a.Open(dst[:n], nonce, dst[:n], dst[n:], aad) || !bytes.Equal(dst[:n], text) {
		t.Fatalf("%s: does not open in place: %s", what, difference(dst[:n], text))
	}
	for _, bit := range []int{0, len(tag)*8 - 1} {
		bad := bytes.Clone(tag)
		bad[bit/8] ^= 1 << (bit % 8)
		if a.Open(out[:n], nonce, want[:n], bad, aad) {
			t.Fatalf("%s: opened with bit %d of the tag changed", what, bit)
		}
	}
}

func TestVectors(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		for _, v := range specVectors {
			a := open(t, d, unhex(v.key))
			for _, size := range d.AuthSizes {
				want := append(unhex(v.cipher), unhex(v.tag)[:size]...)
				check(t, a, unhex(v.nonce), unhex(v.text), unhex(v.aad), want, fmt.Sprintf("%s, tag of %d bytes", v.name, size))
			}
		}
	})
}

// TestAgainstStd compares with crypto/cipher every length of text and additional data around the batches and groups,
// for every size of key, nonce and tag that it has.
func TestAgainstStd(t *testing.T) {
	if why := StdlibDrivers()[0].Unavailable(); why != "" {
		t.Skip("NOT RUN HERE: " + why)
	}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{3})
		for _, keySize := range d.KeySizes {
			key := randomBytes(rng, keySize)
			block, err := stdaes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			a := open(t, d, key)
			compare := func(std cipher.AEAD, err error, n, aadSize int) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				nonce, text, aad := randomBytes(rng, std.NonceSize()), randomBytes(rng, n), randomBytes(rng, aadSize)
				check(t, a, nonce, text, aad, std.Seal(nil, nonce, text, aad), fmt.Sprintf(
					"key %x, nonce %x, text of %d, aad of %d, tag of %d bytes", key, nonce, n, aadSize, std.Overhead()))
			}
			std, err := cipher.NewGCM(block)
			for n := range 601 {
				compare(std, err, n, n%37)
				compare(std, err, n%53, n)
			}
			for _, n := range []int{1023, 1024, 1025, 4096, 4099, 65536, 65537} {
				compare(std, err, n, 13)
				compare(std, err, 13, n)
			}
			for n := range 40 {
				for tag := 12; tag <= 16; tag++ {
					std, err := cipher.NewGCMWithTagSize(block, tag)
					compare(std, err, n, 40-n)
				}
				for size := 1; size < 40; size++ {
					std, err := cipher.NewGCMWithNonceSize(block, size)
					compare(std, err, n, 40-n)
				}
			}
			for _, size := range []int{63, 64, 65, 127, 128, 129, 255, 1000} {
				std, err := cipher.NewGCMWithNonceSize(block, size)
				compare(std, err, size, 20)
			}
		}
	})
}

// TestSizesOfNonceAndTag compares every pair of sizes with the definition: crypto/cipher lacks most of them.
func TestSizesOfNonceAndTag(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{4})
		for _, keySize := range d.KeySizes {
			key := randomBytes(rng, keySize)
			a := open(t, d, key)
			for _, nonceSize := range []int{1, 2, 8, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 128, 129, 255} {
				nonce, text, aad := randomBytes(rng, nonceSize), randomBytes(rng, 77), randomBytes(rng, 21)
				want := slowSeal(key, nonce, text, aad)
				for _, tag := range d.AuthSizes {
					check(t, a, nonce, text, aad, want[:len(text)+tag],
						fmt.Sprintf("key %x, nonce %x, tag of %d bytes", key, nonce, tag))
				}
			}
		}
	})
}

// nonceFor returns the nonce of 16 bytes that gives the first counter block j0 under key: with L the block of lengths,
// j0 = (nonce·H + L)·H.
func nonceFor(key []byte, j0 element) []byte {
	block, err := stdaes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	h := make([]byte, 16)
	block.Encrypt(h, h)
	inverse := invert(load(h))
	nonce := slowTimes(slowTimes(j0, inverse).add(element{0, 128}), inverse).bytes()
	return nonce[:]
}

// TestBounds has messages end where mapped memory ends: crypto/cipher reads and writes beyond short tags if it may.
func TestBounds(t *testing.T) {
	if !guard.Available {
		t.Skip("NOT RUN HERE: no memory protection on this system")
	}
	var arenas [2]*guard.Arena
	for i := range arenas {
		a, err := guard.New(256)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		arenas[i] = a
	}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		a := open(t, d, make([]byte, 16))
		nonce := make([]byte, 12)
		for _, tag := range d.AuthSizes {
			for n := range 100 {
				if err := guard.Run(func() {
					a.Seal(arenas[0].After(n+tag), nonce, arenas[1].After(n), nil)
					sealed := arenas[0].After(n + tag)
					if !a.Open(arenas[1].After(n), nonce, sealed[:n], sealed[n:], nil) {
						t.Errorf("%d bytes with a tag of %d: does not open", n, tag)
					}
				}); err != nil {
					t.Errorf("%d bytes with a tag of %d: %v", n, tag, err)
				}
			}
		}
	})
}

// TestCounterWrap lets the 32-bit counter wrap after every number of blocks up to three batches: the 96 bits above
// must not take part.
func TestCounterWrap(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{5})
		key := randomBytes(rng, 16)
		a := open(t, d, key)
		for blocks := range uint32(3 * bufferBytes / blockSize) {
			j0 := element{^uint64(0), ^uint64(0) - uint64(blocks)}
			nonce, text := nonceFor(key, j0), randomBytes(rng, int(blocks)*16+40)
			check(t, a, nonce, text, nil, slowSeal(key, nonce, text, nil), fmt.Sprintf("counter at 2^32-1-%d", blocks))
		}
	})
}

// TestTamper changes every bit of everything that is authenticated.
func TestTamper(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{6})
		a := open(t, d, randomBytes(rng, 16))
		for _, size := range d.AuthSizes {
			nonce, text, aad := randomBytes(rng, 12), randomBytes(rng, 37), randomBytes(rng, 19)
			sealed := make([]byte, len(text)+size)
			a.Seal(sealed, nonce, text, aad)
			dst := make([]byte, len(text))
			for name, part := range map[string][]byte{"nonce": nonce, "additional data": aad, "text and tag": sealed} {
				for bit := range 8 * len(part) {
					part[bit/8] ^= 1 << (bit % 8)
					if a.Open(dst, nonce, sealed[:len(text)], sealed[len(text):], aad) {
						t.Errorf("tag of %d bytes: opened with bit %d of the %s changed", size, bit, name)
					}
					part[bit/8] ^= 1 << (bit % 8)
				}
			}
			if !a.Open(dst, nonce, sealed[:len(text)], sealed[len(text):], aad) {
				t.Errorf("tag of %d bytes: does not open unchanged", size)
			}
		}
	})
}

// TestRekey sets keys of all sizes one after the other on one object, with sizes of nonce and tag between that take
// turns at crypto/cipher's code and the generic.
func TestRekey(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{7})
		a := d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk})
		for i := range 60 {
			key := randomBytes(rng, d.KeySizes[i%3])
			if err := a.SetKey(key); err != nil {
				t.Fatal(err)
			}
			for _, sizes := range [][2]int{{12, 16}, {12, 4}, {16, 16}, {16, 12}, {12, 13}, {12, 16}} {
				nonce, text := randomBytes(rng, sizes[0]), randomBytes(rng, 20)
				want := slowSeal(key, nonce, text, nil)[:len(text)+sizes[1]]
				check(t, a, nonce, text, nil, want, fmt.Sprintf("key %d: %x, nonce and tag of %v", i, key, sizes))
			}
		}
	})
}

// TestConcurrent lets goroutines seal and open with one object, each with sizes of its own, so that what the stdlib
// driver makes when first needed is made by several at once.
func TestConcurrent(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		key, text := make([]byte, 16), make([]byte, 100)
		a := open(t, d, key)
		var group sync.WaitGroup
		for i := range 16 {
			group.Go(func() {
				nonce, size := make([]byte, 11+i%3), d.AuthSizes[i%len(d.AuthSizes)]
				want, dst := slowSeal(key, nonce, text, nil)[:len(text)+size], make([]byte, len(text)+size)
				for range 20 {
					a.Seal(dst, nonce, text, nil)
					if !bytes.Equal(dst, want) || !a.Open(dst[:len(text)], nonce, dst[:len(text)], dst[len(text):], nil) {
						t.Errorf("nonce of %d, tag of %d bytes: wrong beside other goroutines", len(nonce), size)
						return
					}
				}
			})
		}
		group.Wait()
	})
}

func TestWipe(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		if d.Impl == "stdlib" {
			t.Skip("Go's objects hold the key; TestWipeStdlib looks at the rest")
		}
		config := registry.Config{Chunk: registry.DefaultChunk}
		a, fresh := d.NewAEAD(config), d.NewAEAD(config)
		if err := a.SetKey(bytes.Repeat([]byte{7}, 32)); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(a, fresh) {
			t.Error("the key was not set: this test sees nothing")
		}
		a.Wipe()
		if !reflect.DeepEqual(a, fresh) {
			t.Error("a key is left after Wipe")
		}
	})
}

// TestWipeStdlib looks at what the driver keeps itself.
func TestWipeStdlib(t *testing.T) {
	if why := StdlibDrivers()[0].Unavailable(); why != "" {
		t.Skip("NOT RUN HERE: " + why)
	}
	s := newStdlib(registry.Config{}).(*stdlib)
	if err := s.SetKey(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	fill := s.generic()
	if *fill == (generic{}) || s.raw[31] != 7 {
		t.Error("the key was not set: this test sees nothing")
	}
	s.Wipe()
	if *fill != (generic{}) || s.raw != [32]byte{} || s.block != nil || s.aead.Load() != nil || s.fill.Load() != nil {
		t.Error("a key is left after Wipe")
	}
}

// TestPointerFree holds the key object to what the garbage collector and Wipe rely on.
func TestPointerFree(t *testing.T) {
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
			t.Errorf("the key has a %s in it", x)
		}
	}
	for _, d := range allDrivers() {
		if d.Impl != "stdlib" {
			walk(reflect.TypeOf(d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk})).Elem())
		}
	}
}

func TestAllocs(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		a := open(t, d, make([]byte, 32))
		buf, aad := make([]byte, 2000), make([]byte, 13)
		for _, sizes := range [][2]int{{12, 16}, {12, 12}, {12, 8}, {16, 16}, {16, 14}} {
			nonce, n := make([]byte, sizes[0]), len(buf)-sizes[1]
			if allocs := testing.AllocsPerRun(20, func() {
				a.Seal(buf, nonce, buf[:n], aad)
				if !a.Open(buf[:n], nonce, buf[:n], buf[n:], aad) {
					t.Fatal("does not open")
				}
			}); allocs != 0 {
				t.Errorf("nonce and tag of %v bytes: %v allocations", sizes, allocs)
			}
		}
	})
}

func BenchmarkSeal(b *testing.B) {
	for _, d := range allDrivers() {
		if why := missing(&d); why != "" {
			b.Logf("NOT RUN HERE: %s: %s", d.Name, why)
			continue
		}
		for _, keySize := range []int{16, 32} {
			for _, n := range []int{16, 64, 256, 1024, 1420, 16384} {
				b.Run(fmt.Sprintf("driver=%s/key=%d/size=%d", d.Name, keySize*8, n), func(b *testing.B) {
					a := d.NewAEAD(registry.Config{Chunk: registry.DefaultChunk})
					if err := a.SetKey(make([]byte, keySize)); err != nil {
						b.Fatal(err)
					}
					buf, nonce, aad := make([]byte, n+16), make([]byte, 12), make([]byte, 16)
					b.SetBytes(int64(n))
					for b.Loop() {
						a.Seal(buf, nonce, buf[:n], aad)
					}
				})
			}
		}
	}
}

package chacha

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// chunks are the settings that the tests run with: every message that is longer than a block crosses the smallest.
var chunks = []int{1, 64, 200, 65536}

// allDrivers is every driver of the package that runs here, and the template over each that it takes.
func allDrivers() []registry.Driver {
	var all []registry.Driver
	for _, d := range StdlibDrivers() {
		all = append(all, d.Driver)
	}
	for _, d := range Drivers() {
		if len(cpu.Host().Missing(d.Needs)) == 0 {
			all = append(all, inForms(d)...)
		}
	}
	for _, t := range Templates() {
		for _, d := range slices.Clone(all) {
			if t.Accepts(&d) == nil {
				all = append(all, t.Build(&d))
			}
		}
	}
	return all
}

// inForms is d once in each of its forms.
func inForms(d registry.Driver) []registry.Driver {
	var all []registry.Driver
	for i, form := range d.Forms() {
		made := d
		if i > 0 {
			made.Name += fmt.Sprint(",", form)
		}
		if d.Type == registry.TypeAEAD {
			made.NewAEAD = func(c registry.Config) registry.AEAD { c.Tuning = form; return d.NewAEAD(c) }
		} else {
			made.NewSkcipher = func(c registry.Config) registry.Skcipher { c.Tuning = form; return d.NewSkcipher(c) }
		}
		all = append(all, made)
	}
	return all
}

// forEach runs f for every driver of an algorithm, and fails if there is none.
func forEach(t *testing.T, algorithm string, f func(t *testing.T, d *registry.Driver)) {
	t.Helper()
	found := false
	for _, d := range allDrivers() {
		if d.Algorithm == algorithm {
			found = true
			t.Run(d.Name, func(t *testing.T) { f(t, &d) })
		}
	}
	if !found {
		t.Fatalf("no driver of %s", algorithm)
	}
}

func newStreamCipher(t testing.TB, d *registry.Driver, chunk int, key []byte) registry.StreamCipher {
	t.Helper()
	s := d.NewSkcipher(registry.Config{Chunk: chunk})
	if err := s.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return s.(registry.StreamCipher)
}

func newAEADWithKey(t testing.TB, d *registry.Driver, chunk int, key []byte) registry.AEAD {
	t.Helper()
	a := d.NewAEAD(registry.Config{Chunk: chunk})
	if err := a.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return a
}

// newRand is seeded per test, so that a failure comes again.
func newRand(t testing.TB) *rand.ChaCha8 {
	var seed [32]byte
	copy(seed[:], t.Name())
	return rand.NewChaCha8(seed)
}

func random(r *rand.ChaCha8, n int) []byte {
	b := make([]byte, n)
	r.Read(b)
	return b
}

// referenceBlock is the block function as RFC 8439 section 2.3 writes it, with the number of rounds open and without
// the final addition if hash is set (HChaCha).
func referenceBlock(key, iv []byte, rounds int, hash bool) [64]byte {
	var in [16]uint32
	copy(in[:], []uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574})
	for i := range 8 {
		in[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	for i := range 4 {
		in[12+i] = binary.LittleEndian.Uint32(iv[4*i:])
	}
	x := in
	quarter := func(a, b, c, d int) {
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 16)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 12)
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 8)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 7)
	}
	for range rounds / 2 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	var out [64]byte
	for i := range 16 {
		if !hash {
			x[i] += in[i]
		}
		binary.LittleEndian.PutUint32(out[4*i:], x[i])
	}
	return out
}

// referenceXChaCha is n bytes of XChaCha's keystream from a 64-bit block number on.
func referenceXChaCha(key, iv []byte, rounds int, block uint64, n int) []byte {
	h := referenceBlock(key, iv[:16], rounds, true)
	subkey := append(h[:16:16], h[48:]...)
	var out []byte
	for ; len(out) < n; block++ {
		inner := binary.LittleEndian.AppendUint64(nil, binary.LittleEndian.Uint64(iv[24:])+block)
		b := referenceBlock(subkey, append(inner, iv[16:24]...), rounds, false)
		out = append(out, b[:]...)
	}
	return out[:n]
}

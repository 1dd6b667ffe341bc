package kcrypto_test

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// gcDriver is a driver that collects garbage in the middle of every call and notes whether its key was wiped meanwhile.
type gcDriver struct {
	wiped, wipedEarly *atomic.Bool
}

func newGCDriver() gcDriver { return gcDriver{new(atomic.Bool), new(atomic.Bool)} }

func (d gcDriver) work() {
	for range 3 {
		runtime.GC()
		time.Sleep(2 * time.Millisecond) // the cleanup's goroutine
	}
	if d.wiped.Load() {
		d.wipedEarly.Store(true)
	}
}

func (d gcDriver) SetKey([]byte) error { return nil }

func (d gcDriver) Wipe() { d.wiped.Store(true) }

func (d gcDriver) Seal(_, _, _, _ []byte) { d.work() }

func (d gcDriver) Open(_, _, _, _, _ []byte) bool { d.work(); return true }

func (d gcDriver) Encrypt(_, _, _ []byte) { d.work() }

func (d gcDriver) Decrypt(_, _, _ []byte) { d.work() }

func (d gcDriver) EncryptSectors(_, _ []byte, _ int, _ uint64) { d.work() }

func (d gcDriver) DecryptSectors(_, _ []byte, _ int, _ uint64) { d.work() }

func (d gcDriver) EncryptUnits(_, _ []byte, _ int, _ []byte) { d.work() }

func (d gcDriver) DecryptUnits(_, _ []byte, _ int, _ []byte) { d.work() }

func (d gcDriver) XORBlocks(_, _, _ []byte, _ uint64) { d.work() }

func (d gcDriver) Blocks([]byte) uint64 { return 1 << 40 }

func (d gcDriver) Pieces() (registry.Pieces, []byte) { return gcPieces{d}, nil }

// gcPieces is a gcDriver's way for messages in pieces.
type gcPieces struct{ driver gcDriver }

func (gcPieces) Unit() int                                    { return 16 }
func (p gcPieces) Begin(_ *registry.PieceState, _, _ []byte)  { p.driver.work() }
func (p gcPieces) Seal(_ *registry.PieceState, _, _ []byte)   { p.driver.work() }
func (p gcPieces) Open(_ *registry.PieceState, _, _ []byte)   { p.driver.work() }
func (p gcPieces) Keystream(_ *registry.PieceState, _ []byte) { p.driver.work() }
func (p gcPieces) Hash(_ *registry.PieceState, _ []byte)      { p.driver.work() }
func (p gcPieces) End(_ *registry.PieceState, _ []byte)       { p.driver.work() }

var boundKey gcDriver

func (d gcDriver) Bind(iv []byte) (registry.StreamCipher, []byte) {
	d.work()
	boundKey = newGCDriver()
	return boundKey, iv
}

// sectorsOnly is no stream cipher.
type sectorsOnly struct {
	registry.Skcipher
	sectorCalls
	unitCalls
}

type sectorCalls interface {
	EncryptSectors(dst, src []byte, sectorSize int, first uint64)
	DecryptSectors(dst, src []byte, sectorSize int, first uint64)
}

type unitCalls interface {
	EncryptUnits(dst, src []byte, size int, ivs []byte)
	DecryptUnits(dst, src []byte, size int, ivs []byte)
}

// waitWiped waits until the cleanup of a dropped transform has wiped its key.
func waitWiped(t *testing.T, name string, d gcDriver) {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); !d.wiped.Load(); {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if time.Now().After(until) {
			t.Fatalf("%s: the key was never wiped", name)
		}
	}
}

// TestKeyLivesThroughCall: the cleanup of a transform without references wipes its key, but not during a call on it.
// Drivers of other modules and our own go different ways through the calls, and so do results that fit behind dst and
// those that do not.
func TestKeyLivesThroughCall(t *testing.T) {
	var last gcDriver
	drivers := []registry.Driver{
		{Algorithm: "a", Name: "a-gc", Type: registry.TypeAEAD, BlockSize: 1, ChunkSize: 16, IVSize: 12,
			KeySizes: []int{16}, AuthSizes: []int{16},
			NewAEAD: func(registry.Config) registry.AEAD { last = newGCDriver(); return last }},
		{Algorithm: "s", Name: "s-gc", Type: registry.TypeSkcipher, BlockSize: 1, ChunkSize: 16, IVSize: 16,
			KeySizes: []int{16}, MinSize: 1,
			NewSkcipher: func(registry.Config) registry.Skcipher { last = newGCDriver(); return last }},
		{Algorithm: "b", Name: "b-gc", Type: registry.TypeSkcipher, BlockSize: 1, ChunkSize: 16, IVSize: 16,
			KeySizes: []int{16}, MinSize: 1,
			NewSkcipher: func(registry.Config) registry.Skcipher {
				last = newGCDriver()
				return struct{ registry.Skcipher }{last} // no stream cipher
			}},
		{Algorithm: "u", Name: "u-gc", Type: registry.TypeSkcipher, BlockSize: 16, ChunkSize: 16, IVSize: 16,
			KeySizes: []int{16}, MinSize: 1,
			NewSkcipher: func(registry.Config) registry.Skcipher {
				last = newGCDriver()
				return sectorsOnly{last, last, last}
			}},
	}
	foreign := registry.New()
	if err := foreign.Register(drivers); err != nil {
		t.Fatal(err)
	}
	t.Run("foreign", func(t *testing.T) { keyLives(t, foreign, &last) })
	vouched := registry.Options{Drivers: drivers, Own: ours.Vouch()}.New()
	t.Run("ours", func(t *testing.T) { keyLives(t, vouched, &last) })
}

// keyLives makes every call on transforms of the drivers of r. last is the key object that was made last.
func keyLives(t *testing.T, r *registry.Registry, last *gcDriver) {
	key, iv, b, out := make([]byte, 16), make([]byte, 16), make([]byte, 64), make([]byte, 100)
	a := func() *kcrypto.AEAD { return must(kcrypto.NewAEAD("a", key, kcrypto.WithRegistry(r))) }
	named := func(name string) *kcrypto.Skcipher {
		return must(kcrypto.NewSkcipher(name, key, kcrypto.WithRegistry(r)))
	}
	s := func() *kcrypto.Skcipher { return named("s") }
	packets := func(dst []byte) []kcrypto.Packet { return []kcrypto.Packet{{Dst: dst, Nonce: iv[:12], Src: b}} }
	for name, call := range map[string]func(){
		"Seal":             func() { a().Seal(out[:0], iv[:12], b, nil) },
		"Seal, grown":      func() { a().Seal(nil, iv[:12], b, nil) },
		"Open":             func() { a().Open(out[:0], iv[:12], b, nil) },
		"Open, grown":      func() { a().Open(nil, iv[:12], b, nil) },
		"SealBatch":        func() { a().SealBatch(packets(out[:0])) },
		"SealBatch, grown": func() { a().SealBatch(packets(nil)) },
		"OpenBatch":        func() { a().OpenBatch(packets(out[:0])) },
		"OpenBatch, grown": func() { a().OpenBatch(packets(nil)) },
		"Sealer":           func() { must(a().Sealer(iv[:12], nil)) },
		"Sealer.Seal":      func() { must(a().Sealer(iv[:12], nil)).Seal(out[:0], b) },
		"Sealer.Final":     func() { must(a().Sealer(iv[:12], nil)).Final(out[:0]) },
		"Opener.Open":      func() { must(a().UnverifiedOpener(iv[:12], nil)).Open(out[:0], b) },
		"Opener.Final":     func() { must(a().UnverifiedOpener(iv[:12], nil)).Final(out[:16]) },
		"Verify":           func() { a().Verify(bytes.NewReader(out), iv[:12], nil) },
		"SealParts":        func() { a().SealParts([][]byte{out[:80]}, iv[:12], [][]byte{b}, nil) },
		"OpenParts":        func() { a().OpenParts([][]byte{out[:48]}, iv[:12], [][]byte{b}, nil) },
		"Encrypt":          func() { s().Encrypt(b, b, iv) },
		"Decrypt":          func() { s().Decrypt(b, b, iv) },
		"Encrypt, blocks":  func() { named("b").Encrypt(b, b, iv) },
		"Decrypt, blocks":  func() { named("b").Decrypt(b, b, iv) },
		"EncryptSectors":   func() { s().EncryptSectors(b, b, 16, 0) },
		"DecryptSectors":   func() { s().DecryptSectors(b, b, 16, 0) },
		"EncryptSectorsIV": func() { named("u").EncryptSectorsIV(b, b, 16, kcrypto.SectorIV{Step: 8}) },
		"DecryptSectorsIV": func() { named("u").DecryptSectorsIV(b, b, 16, kcrypto.SectorIV{Step: 8}) },
		"At":               func() { s().XORKeyStreamAt(b, b, iv, 0) },
		"At, in a block":   func() { s().XORKeyStreamAt(b, b, iv, 5) },
		"Stream":           func() { s().Stream(iv) },
	} {
		call()
		if last.wipedEarly.Load() {
			t.Errorf("%s: the key was wiped during the call", name)
		}
		waitWiped(t, name, *last)
	}
	c := a()
	c.Close()
	if !last.wiped.Load() {
		t.Error("Close did not wipe")
	}
	// A stream has a key of its own.
	keep := s()
	for name, call := range map[string]func(st *kcrypto.Stream){
		"XORKeyStream": func(st *kcrypto.Stream) { st.XORKeyStream(b, b) },
		"Seek":         func(st *kcrypto.Stream) { st.Seek(5) },
	} {
		call(must(keep.Stream(iv)))
		if boundKey.wipedEarly.Load() {
			t.Errorf("%s: the key was wiped during the call", name)
		}
		waitWiped(t, name, boundKey)
	}
	runtime.KeepAlive(keep)
}

// TestRekeyLeavesNothing: a key object that had a long key and then a short one equals a fresh one with the short key.
// The end of the longer schedule would be enough to compute its key. After Wipe it equals one that never had a key.
func TestRekeyLeavesNothing(t *testing.T) {
	eachKeyObject(t, func(t *testing.T, d *registry.Driver, fresh func() keyObject) {
		long, short := pattern(d.KeySizes[len(d.KeySizes)-1]), pattern(d.KeySizes[0])
		rekeyed, want := fresh(), fresh()
		for _, step := range []struct {
			k   keyObject
			key []byte
		}{{rekeyed, long}, {rekeyed, short}, {want, short}} {
			if err := step.k.SetKey(step.key); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(rekeyed, want) {
			t.Error("after a long key and a short one, something of the long one is left")
		}
		rekeyed.Wipe()
		unkeyed := fresh()
		unkeyed.Wipe()
		if !reflect.DeepEqual(rekeyed, unkeyed) {
			t.Error("after Wipe, something of the key is left")
		}
	})
}

// TestRefusedKeyWipes: a SetKey that fails wipes the key that was there.
func TestRefusedKeyWipes(t *testing.T) {
	var last gcDriver
	r := registry.New()
	err := r.Register([]registry.Driver{{Algorithm: "a", Name: "a-gc", Type: registry.TypeAEAD, BlockSize: 1,
		ChunkSize: 16,
		IVSize:    12, KeySizes: []int{16}, AuthSizes: []int{16},
		NewAEAD: func(registry.Config) registry.AEAD { last = newGCDriver(); return last }}})
	if err != nil {
		t.Fatal(err)
	}
	a := must(kcrypto.NewAEAD("a", make([]byte, 16), kcrypto.WithRegistry(r)))
	defer a.Close()
	if err := a.SetKey(make([]byte, 17)); !errors.Is(err, registry.ErrKeySize) || !last.wiped.Load() {
		t.Errorf("SetKey with 17 bytes: %v, wiped %v", err, last.wiped.Load())
	}
}

// TestIVInOutput: the output may overwrite the IV, which is read first. A caller may keep a message and its IV in one
// buffer.
func TestIVInOutput(t *testing.T) {
	for _, d := range kcrypto.Drivers() {
		if d.SelfTest == registry.Unavailable {
			continue
		}
		t.Run(d.Driver, func(t *testing.T) {
			for _, n := range []int{40, 600, 5000} {
				for _, at := range []int{0, 7, n - d.IVSize} {
					ivInOutput(t, d, n, at)
				}
			}
		})
	}
}

func ivInOutput(t *testing.T, d registry.Info, n, at int, opts ...kcrypto.Option) {
	t.Helper()
	n -= n % max(d.BlockSize, 1)
	text, key, iv := pattern(n), pattern(d.KeySizes[0]), pattern(d.IVSize)
	dst, want := make([]byte, n+16), make([]byte, n+16)
	copy(dst[at:], iv)
	inside := dst[at : at+len(iv)]
	if d.Type == registry.TypeAEAD {
		a := must(kcrypto.NewAEAD(d.Driver, key, opts...))
		defer a.Close()
		a.Seal(want[:0], iv, text, make([]byte, 8))
		a.Seal(dst[:0], inside, text, make([]byte, 8))
	} else {
		s := must(kcrypto.NewSkcipher(d.Driver, key, opts...))
		defer s.Close()
		if s.Encrypt(want, text, iv) != nil || s.Encrypt(dst, text, inside) != nil {
			t.Fatal("Encrypt failed")
		}
		dst, want = dst[:n], want[:n]
		if s.XORKeyStreamAt(want, text, iv, 5) == nil { // a stream cipher
			copy(dst[at:], iv)
			if err := s.XORKeyStreamAt(dst, text, inside, 5); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(dst, want) {
		t.Errorf("%d bytes with the IV at %d of the output: wrong", n, at)
	}
}

// pattern returns n bytes in which neighbours differ.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*73 + 11)
	}
	return b
}

// keyObject is what a driver's constructor makes.
type keyObject interface {
	SetKey([]byte) error
	Wipe()
}

// eachKeyObject goes through the key objects of all our drivers but stdlib's, which are Go's own.
func eachKeyObject(t *testing.T, f func(t *testing.T, d *registry.Driver, fresh func() keyObject)) {
	eachKeyObjectOf(t, func(info registry.Info) bool { return info.Impl != "stdlib" }, f)
}

// eachKeyObjectOf is eachKeyObject for the drivers that fit, which may be Go's own code.
func eachKeyObjectOf(t *testing.T, fits func(registry.Info) bool,
	f func(t *testing.T, d *registry.Driver, fresh func() keyObject)) {
	for _, info := range kcrypto.Drivers() {
		if info.SelfTest == registry.Unavailable || !fits(info) {
			continue
		}
		t.Run(info.Driver, func(t *testing.T) {
			h, err := kcrypto.Default().Acquire(info.Driver, registry.Want{Type: info.Type})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Release()
			f(t, h.Driver(), func() keyObject {
				c := registry.Config{Chunk: registry.DefaultChunk}
				if info.Type == registry.TypeAEAD {
					return h.Driver().NewAEAD(c)
				}
				return h.Driver().NewSkcipher(c)
			})
		})
	}
}

// TestStdlibDropsKey: key objects over Go's own code cannot overwrite all of a key, but refer to none after Wipe.
func TestStdlibDropsKey(t *testing.T) {
	tested := 0
	for _, info := range kcrypto.Drivers() {
		if info.Impl != "stdlib" || info.SelfTest == registry.Unavailable || strings.Contains(info.Driver, "(") {
			continue
		}
		h := must(kcrypto.Default().Acquire(info.Driver, registry.Want{}))
		defer h.Release()
		var k keyObject
		if c := (registry.Config{Chunk: registry.DefaultChunk}); info.Type == registry.TypeAEAD {
			k = h.Driver().NewAEAD(c)
		} else {
			k = h.Driver().NewSkcipher(c)
		}
		if err := k.SetKey(pattern(info.KeySizes[0])); err != nil {
			t.Fatal(err)
		}
		if !refers(reflect.ValueOf(k).Elem()) {
			t.Fatalf("%s refers to nothing with a key: this test looks at something else", info.Driver)
		}
		if k.Wipe(); refers(reflect.ValueOf(k).Elem()) {
			t.Errorf("%s refers to a key after Wipe: %+v", info.Driver, k)
		}
		tested++
	}
	if tested == 0 && !purego {
		t.Skip("NOT RUN HERE: no stdlib driver can be used")
	}
}

// refers reports whether a value holds a reference, other than to a function, or a byte that is not zero.
func refers(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return !v.IsNil()
	case reflect.UnsafePointer:
		return v.UnsafePointer() != nil
	case reflect.Uint8:
		return v.Uint() != 0
	case reflect.Array:
		for i := range v.Len() {
			if refers(v.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if refers(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

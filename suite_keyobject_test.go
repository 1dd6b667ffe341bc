package kcrypto_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// Key objects of all our drivers, except those of stdlib and of templates, which contain others.

func eachOwnKeyObject(t *testing.T, f func(t *testing.T, d *registry.Driver, fresh func() keyObject)) {
	eachKeyObject(t, func(t *testing.T, d *registry.Driver, fresh func() keyObject) {
		if !strings.Contains(d.Name, "(") {
			f(t, d, fresh)
		}
	})
}

// TestKeyObjectsHaveNoPointers: a key object can be wiped and copied as plain memory, and the garbage collector does
// not scan it.
func TestKeyObjectsHaveNoPointers(t *testing.T) {
	eachOwnKeyObject(t, func(t *testing.T, d *registry.Driver, fresh func() keyObject) {
		var walk func(reflect.Type)
		walk = func(x reflect.Type) {
			switch x.Kind() {
			case reflect.Struct:
				for i := range x.NumField() {
					walk(x.Field(i).Type)
				}
			case reflect.Array:
				walk(x.Elem())
			case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.String,
				reflect.UnsafePointer:
				t.Errorf("the key object has a %s in it", x)
			}
		}
		walk(reflect.TypeOf(fresh()).Elem())
	})
}

// TestStreamKeyObjects: Encrypt and Decrypt of a stream cipher's key object are XORBlocks from block 0, which is called
// in their place where that saves a call; and a bound copy can be bound again.
func TestStreamKeyObjects(t *testing.T) {
	isSkcipher := func(info registry.Info) bool { return info.Type == registry.TypeSkcipher }
	eachKeyObjectOf(t, isSkcipher, func(t *testing.T, d *registry.Driver, fresh func() keyObject) {
		c, ok := fresh().(registry.StreamCipher)
		if !ok {
			return
		}
		if err := c.SetKey(pattern(d.KeySizes[0])); err != nil {
			t.Fatal(err)
		}
		iv, text := pattern(d.IVSize), pattern(777)
		want, got := make([]byte, len(text)), make([]byte, len(text))
		c.XORBlocks(want, text, iv, 0)
		bound, boundIV := c.Bind(iv)
		again, againIV := bound.Bind(boundIV)
		for what, f := range map[string]func(){
			"Encrypt":                func() { c.Encrypt(got, text, iv) },
			"Decrypt":                func() { c.Decrypt(got, text, iv) },
			"bound, Encrypt":         func() { bound.Encrypt(got, text, boundIV) },
			"bound, Decrypt":         func() { bound.Decrypt(got, text, boundIV) },
			"bound, XORBlocks":       func() { bound.XORBlocks(got, text, boundIV, 0) },
			"bound again, XORBlocks": func() { again.XORBlocks(got, text, againIV, 0) },
		} {
			clear(got)
			if f(); !bytes.Equal(got, want) {
				t.Errorf("%s: %s", what, difference(got, want))
			}
		}
		if n := c.Blocks(iv); bound.Blocks(boundIV) != n || again.Blocks(againIV) != n {
			t.Errorf("%d blocks, %d when bound, %d when bound again", n, bound.Blocks(boundIV), again.Blocks(againIV))
		}
	})
}

// TestKeyObjectEdges puts a key object before and behind an unmapped page, with a key and without one: assembly reads
// tables in whole registers, and counts round keys from the last one.
func TestKeyObjectEdges(t *testing.T) {
	needGuard(t)
	eachOwnKeyObject(t, func(t *testing.T, d *registry.Driver, fresh func() keyObject) {
		made := reflect.ValueOf(fresh()).Elem()
		size := int(made.Type().Size())
		memory, err := guard.New(size)
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Free()
		for side, at := range map[string][]byte{"in front": memory.Before(size), "behind": memory.After(size)} {
			object := reflect.NewAt(made.Type(), unsafe.Pointer(&at[0]))
			object.Elem().Set(made)
			k := object.Interface().(keyObject)
			for _, keySize := range append([]int{0}, d.KeySizes...) {
				if err := guard.Run(func() {
					if keySize > 0 {
						k.SetKey(pattern(keySize))
					}
				}); err != nil {
					t.Fatalf("unmapped %s, key of %d bytes: SetKey: %v", side, keySize, err)
				}
				for n := 0; n <= 1100; n++ {
					if testing.Short() && n > 80 && n%64 > 1 && n%16 != 15 {
						continue
					}
					if err := guard.Run(func() { useKeyObject(k, d, n) }); err != nil {
						t.Fatalf("unmapped %s, key of %d bytes: %d bytes of text: %v", side, keySize, n, err)
					}
				}
			}
		}
	})
}

// useKeyObject calls all methods of k, with text of n bytes.
func useKeyObject(k keyObject, d *registry.Driver, n int) {
	text, iv := make([]byte, n), make([]byte, d.IVSize)
	if a, ok := k.(registry.AEAD); ok {
		out := make([]byte, n+16)
		for _, aad := range [][]byte{make([]byte, n%17), make([]byte, 17+n*5%600)} {
			a.Seal(out, iv, text, aad)
			a.Open(text, iv, out[:n], out[n:], aad)
			if b, ok := a.(registry.BatchAEAD); ok {
				b.SealBatch([]registry.Packet{{Dst: out, Nonce: iv, Src: text, AAD: aad}}, 16)
				b.OpenBatch([]registry.Packet{{Dst: text, Nonce: iv, Src: out, AAD: aad}}, 16)
			}
		}
		for _, s := range d.Nonces {
			if s.MaxSize == 0 || uint64(n) <= s.MaxSize {
				a.Seal(out, make([]byte, s.Size), text, nil)
			}
		}
		if d.AnyNonce {
			a.Seal(out, make([]byte, 16), text, nil)
			a.Seal(out, make([]byte, 64), text, nil)
		}
		return
	}
	if n < d.MinSize || d.MultipleOf > 0 && n%d.MultipleOf != 0 {
		return
	}
	s := k.(registry.Skcipher)
	s.Encrypt(text, text, iv)
	s.Decrypt(text, text, iv)
	if c, ok := k.(registry.StreamCipher); ok {
		c.XORBlocks(text, text, iv, 1<<40)
	}
	if c, ok := k.(registry.SectorCipher); ok && n >= 64 {
		whole := text[:n/32*32]
		c.EncryptSectors(whole, whole, 32, 7)
		c.DecryptSectors(whole, whole, 32, 7)
	}
	if c, ok := k.(registry.UnitCipher); ok && n >= 64 {
		whole := text[:n/32*32]
		ivs := make([]byte, len(whole)/32*16)
		c.EncryptUnits(whole, whole, 32, ivs)
		c.DecryptUnits(whole, whole, 32, ivs)
	}
}

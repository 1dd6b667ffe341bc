//go:build !purego

package ecb

import (
	"bytes"
	"testing"
	"unsafe"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// TestRungs compares every number of blocks up to twice the widest loop and a little more with the portable driver, in
// both directions, out of place and in place, with the memory around every buffer unmapped.
func TestRungs(t *testing.T) {
	if !guard.Available {
		t.Log("NOT RUN: reads and writes outside of buffers are not noticed on this system")
	}
	var mem [3]*guard.Arena
	for i := range mem {
		a, err := guard.New(8192)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free()
		mem[i] = a
	}
	for _, d := range drivers(t) {
		made, ok := d.NewSkcipher(registry.Config{Chunk: 1024}).(*asmKey)
		if !ok {
			continue // the portable one
		}
		for _, place := range []func(*guard.Arena, int) []byte{(*guard.Arena).After, (*guard.Arena).Before} {
			k := (*asmKey)(unsafe.Pointer(&place(mem[0], int(unsafe.Sizeof(*made)))[0]))
			*k = *made
			if err := guard.Run(func() { b := make([]byte, 1600); k.Encrypt(b, b, nil); k.Decrypt(b, b, nil) }); err != nil {
				t.Fatalf("%s without a key: %v", d.Name, err)
			}
			for blocks := range 2*loopBytes/blockSize + 5 {
				n := blocks * blockSize
				key, text := random(byte(blocks), d.KeySizes[blocks%3]), random(byte(blocks)+99, n)
				var ref generic
				if ref.SetKey(key) != nil || k.SetKey(key) != nil {
					t.Fatal("no key")
				}
				src, dst := place(mem[1], n), place(mem[2], n)
				want := make([]byte, n)
				run := func(what string, dst []byte, ours, theirs func(dst, src, iv []byte)) {
					t.Helper()
					copy(src, text)
					theirs(want, text, nil)
					if err := guard.Run(func() { ours(dst, src, nil) }); err != nil {
						t.Fatalf("%s: %s of %d blocks: %v", d.Name, what, blocks, err)
					}
					if !bytes.Equal(dst, want) {
						t.Fatalf("%s: %s of %d blocks is %x, want %x", d.Name, what, blocks, dst, want)
					}
				}
				run("encryption", dst, k.Encrypt, ref.Encrypt)
				run("decryption", dst, k.Decrypt, ref.Decrypt)
				run("encryption in place", src, k.Encrypt, ref.Encrypt)
				run("decryption in place", src, k.Decrypt, ref.Decrypt)
			}
		}
	}
}

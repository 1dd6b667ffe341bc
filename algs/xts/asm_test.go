//go:build amd64 && !purego

package xts

import (
	"bytes"
	"reflect"
	"testing"
	"unsafe"

	"kcrypto/internal/aes"
	"kcrypto/internal/codesize"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

func TestWipeASM(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		fresh := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk})
		k, ok := open(t, d, bytes.Repeat([]byte{7}, 64)).(*asmKey)
		if !ok {
			t.Skip("not in assembly")
		}
		if k.data == aes.NewFullSchedule() || k.tweak == aes.NewSchedule() {
			t.Error("the key was not set: this test sees nothing")
		}
		k.Wipe()
		if !reflect.DeepEqual(k, fresh) {
			t.Error("a key is left after Wipe")
		}
	})
}

// TestCodeSize holds the machine code of all drivers here to 40 KB.
func TestCodeSize(t *testing.T) {
	sizes, err := codesize.Of(`(?:encrypt|decrypt|numbers)(?:AESNI|AESNIAVX|VAESAVX2|VAESAVX512)`)
	if err != nil {
		t.Fatal(err)
	}
	codesize.Check(t, sizes, 3*len(asmDrivers()), 40<<10)
}

// TestPointerFreeASM is TestPointerFree for the drivers in assembly.
func TestPointerFreeASM(t *testing.T) { pointerFree(t, reflect.TypeFor[asmKey]()) }

// TestBlankKey works with a key object that has no key and lies behind an unmapped page.
func TestBlankKey(t *testing.T) {
	if !guard.Available {
		t.Log("NOT CHECKED HERE: memory has no hard edges")
	}
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		fresh, ok := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(*asmKey)
		if !ok {
			t.Skip("not in assembly")
		}
		memory, err := guard.New(int(unsafe.Sizeof(asmKey{})))
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Free()
		k := (*asmKey)(unsafe.Pointer(&memory.Before(int(unsafe.Sizeof(asmKey{})))[0]))
		*k = *fresh
		buf, iv := make([]byte, 1000), make([]byte, blockSize)
		for _, n := range []int{16, 1000} {
			if err := guard.Run(func() { k.Encrypt(buf[:n], buf[:n], iv) }); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	})
}

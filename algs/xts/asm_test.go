//go:build amd64 && !purego

package xts

import (
	"bytes"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"kcrypto/internal/guard"
	"kcrypto/registry"
)

func TestWipeASM(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		k, ok := open(t, d, bytes.Repeat([]byte{7}, 64)).(*asmKey)
		if !ok {
			t.Skip("not in assembly")
		}
		if k.enc != k.tweak || k.dec == k.enc || k.enc == [240]byte{} {
			t.Error("the key was not set: this test sees nothing")
		}
		k.Wipe()
		if *k != blank(k.impl, k.chunk) {
			t.Error("a key is left after Wipe")
		}
	})
}

// TestCodeSize holds the machine code of all drivers here to 40 KB.
func TestCodeSize(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skipf("NOT RUN HERE: %s has no ELF files", runtime.GOOS)
	}
	if testing.Short() {
		t.Skip("NOT RUN: it builds a program; without -short it runs")
	}
	path := filepath.Join(t.TempDir(), "xts.test")
	if out, err := exec.Command("go", "test", "-c", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var size uint64
	functions := 0
	for _, s := range symbols {
		name, ok := strings.CutPrefix(s.Name, "kcrypto/algs/xts.")
		if ok && strings.HasSuffix(name, ".abi0") && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			size += s.Size
			functions++
		}
	}
	if want := 3 * len(asmDrivers()); functions != want {
		t.Errorf("found %d functions in assembly, want %d", functions, want)
	}
	t.Logf("%d bytes in %d functions", size, functions)
	if size > 40<<10 {
		t.Errorf("the drivers have %d bytes of machine code, want %d at most", size, 40<<10)
	}
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

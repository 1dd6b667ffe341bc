package guard

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"unsafe"
)

// peek and poke touch memory beyond a slice, as a wrong assembly routine would. They are not inlined, or the compiler
// would drop a load whose result nobody uses.
//
//go:noinline
func peek(b []byte, at int) byte {
	return *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at))
}

//go:noinline
func poke(b []byte, at int) {
	*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at)) = 1
}

func address(b []byte, at int) uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b))) + uintptr(at)
}

// wantFault checks that f faults at b[at].
func wantFault(t *testing.T, what string, b []byte, at int, f func()) {
	t.Helper()
	want := address(b, at)
	if runtime.GOARCH == "s390x" {
		want &^= 4095
	}
	var fault *Fault
	if err := Run(f); !errors.As(err, &fault) {
		t.Errorf("%s at offset %d of %d bytes: got %v, want a fault", what, at, len(b), err)
	} else if fault.Addr != want {
		t.Errorf("%s at offset %d of %d bytes: fault at %#x, want %#x", what, at, len(b), fault.Addr, want)
	}
}

func needGuardPages(t *testing.T) {
	if !Available {
		t.Skipf("NOT RUN: no guard pages on %s", runtime.GOOS)
	}
}

func TestOverrunsAreCaught(t *testing.T) {
	needGuardPages(t)
	a, err := New(5000)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Free()
	for _, n := range []int{0, 1, 2, 15, 16, 17, 63, 64, 4095, 4096, 4097, 5000} {
		after, before := a.After(n), a.Before(n)
		if len(after) != n || cap(after) != n || len(before) != n || cap(before) != n {
			t.Fatalf("n=%d: lengths %d, %d; capacities %d, %d", n, len(after), len(before), cap(after), cap(before))
		}
		inside := Run(func() {
			for i := range n {
				after[i]++
				before[i]++
			}
		})
		if inside != nil {
			t.Fatalf("n=%d: touching the buffer itself: %v", n, inside)
		}
		if n == 0 {
			continue // Go does not promise where an empty slice points
		}
		wantFault(t, "load after", after, n, func() { peek(after, n) })
		wantFault(t, "store after", after, n, func() { poke(after, n) })
		wantFault(t, "load before", before, -1, func() { peek(before, -1) })
		wantFault(t, "store before", before, -1, func() { poke(before, -1) })
	}
}

// The runtime's own assembly stands in for a driver's: memmove and the byte search read many bytes at a time.
func TestFaultInAssembly(t *testing.T) {
	needGuardPages(t)
	b, free, err := After(100)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	tooLong := unsafe.Slice(unsafe.SliceData(b), 164)
	wantFault(t, "search", b, 100, func() { bytes.IndexByte(tooLong, 1) })
	wantFault(t, "copy from", b, 100, func() { copy(make([]byte, 164), tooLong) })
	wantFault(t, "copy to", b, 100, func() { copy(tooLong, make([]byte, 164)) })
}

func TestOneShotBuffers(t *testing.T) {
	needGuardPages(t)
	after, free, err := After(33)
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "load after", after, 33, func() { peek(after, 33) })
	if err := free(); err != nil {
		t.Fatal(err)
	}
	before, free, err := Before(33)
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "load before", before, -1, func() { peek(before, -1) })
	if err := free(); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnly(t *testing.T) {
	needGuardPages(t)
	b, free, err := ReadOnly([]byte("plaintext"))
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	if err := Run(func() {
		if string(b) != "plaintext" {
			t.Errorf("got %q", b)
		}
	}); err != nil {
		t.Error(err)
	}
	wantFault(t, "store", b, 3, func() { b[3] = 0 })
	wantFault(t, "load after", b, len(b), func() { peek(b, len(b)) })
}

// TestViews: what is written is read in the other view, which has unmapped pages of its own.
func TestViews(t *testing.T) {
	needGuardPages(t)
	a, err := New(5000)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Free()
	for _, n := range []int{1, 33, 4096, 5000} {
		for _, way := range []struct {
			name           string
			write, read    []byte
			outside, first int
		}{{"after", a.After(n), a.ReadAfter(n), n, n - 1}, {"before", a.Before(n), a.ReadBefore(n), -1, 0}} {
			if len(way.read) != n || cap(way.read) != n {
				t.Fatalf("%s: %d bytes, capacity %d, want %d", way.name, len(way.read), cap(way.read), n)
			}
			way.write[way.first] = byte(n) + 1
			if err := Run(func() {
				if way.read[way.first] != byte(n)+1 {
					t.Errorf("%s, %d bytes: read %d, want what was written", way.name, n, way.read[way.first])
				}
			}); err != nil {
				t.Error(err)
			}
			wantFault(t, "store "+way.name, way.read, way.first, func() { way.read[way.first] = 1 })
			wantFault(t, "load "+way.name, way.read, way.outside, func() { peek(way.read, way.outside) })
		}
	}
}

func TestRunPassesOtherPanicsOn(t *testing.T) {
	defer func() {
		if p := recover(); p != "not a fault" {
			t.Errorf("got panic %v", p)
		}
	}()
	_ = Run(func() { panic("not a fault") })
}

func TestRunWithoutFault(t *testing.T) {
	ran := false
	if err := Run(func() { ran = true }); err != nil || !ran {
		t.Errorf("err = %v, ran = %v", err, ran)
	}
}

func BenchmarkArena(b *testing.B) {
	a, err := New(4096)
	if err != nil {
		b.Fatal(err)
	}
	defer a.Free()
	for i := range b.N {
		buf := a.After(1 + i&1023)
		if err := Run(func() { buf[0]++ }); err != nil {
			b.Fatal(err)
		}
	}
}

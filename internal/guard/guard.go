// Package guard gives tests guarded memory: buffers that begin or end exactly at an unmapped page, read-only buffers,
// and slices longer than the machine's memory. Go's bounds checks, the race detector and the sanitizers do not see what
// assembly reads and writes. An unmapped page faults.
//
// An [Arena] is one mapping between two unmapped pages. It serves any number of lengths, so a test over thousands of
// lengths maps memory once for each operand:
//
//	dst, err := guard.New(4096)
//	defer dst.Free()
//	for n := range 600 {
//		err := guard.Run(func() { xor(dst.After(n), src) }) // a store beyond dst is an error that names the address
//	}
//
// Memory protection works on Linux. Elsewhere [Available] is false and the buffers are ordinary memory: the same test
// then checks results only, and should say so.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Fault is what [Run] returns when memory was touched that may not be.
type Fault struct {
	Addr uintptr // the first forbidden byte; on s390x only its page: the hardware reports no more
	Text string  // the runtime's own words
}

func (f *Fault) Error() string {
	return fmt.Sprintf("guard: memory fault at address %#x: %s", f.Addr, f.Text)
}

// Run calls f and turns a memory fault in it, in Go code or in assembly, into a *[Fault]. It does not catch any other
// panic. It covers f's own goroutine only.
func Run(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface {
			error
			Addr() uintptr
		}: // only the runtime's memory errors have an address
			err = &Fault{Addr: p.Addr(), Text: p.Error()}
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// Size returns how many bytes a has between its two unmapped pages.
func (a *Arena) Size() int { return len(a.data) }

// After returns the last n bytes of a: one byte further is unmapped. Its capacity is n. It shares memory with
// everything else that a returns.
func (a *Arena) After(n int) []byte {
	return a.data[len(a.data)-n:]
}

// Before returns the first n bytes of a: one byte earlier is unmapped. Its capacity is n.
func (a *Arena) Before(n int) []byte {
	return a.data[:n:n]
}

// ReadAfter returns what After returns, at another address, where a store is a fault.
func (a *Arena) ReadAfter(n int) []byte {
	return a.view[len(a.view)-n:]
}

// ReadBefore returns what Before returns, at another address, where a store is a fault.
func (a *Arena) ReadBefore(n int) []byte {
	return a.view[:n:n]
}

// After returns n zero bytes that end where mapped memory ends, and the function that unmaps them.
func After(n int) (buf []byte, free func() error, err error) {
	a, err := New(n)
	if err != nil {
		return nil, nil, err
	}
	return a.After(n), a.Free, nil
}

// Before returns n zero bytes that begin where mapped memory begins, and the function that unmaps them.
func Before(n int) (buf []byte, free func() error, err error) {
	a, err := New(n)
	if err != nil {
		return nil, nil, err
	}
	return a.Before(n), a.Free, nil
}

// ReadOnly returns a copy of data that cannot be written and that ends where mapped memory ends, and the function that
// unmaps it.
func ReadOnly(data []byte) (buf []byte, free func() error, err error) {
	a, err := New(len(data))
	if err != nil {
		return nil, nil, err
	}
	copy(a.After(len(data)), data)
	return a.ReadAfter(len(data)), a.Free, nil
}

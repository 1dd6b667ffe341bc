package guard

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Available reports whether buffers are guarded by unmapped pages here.
const Available = true

// Arena is a run of readable and writable bytes with an unmapped page before and an unmapped page after it.
// It is for one goroutine at a time.
type Arena struct {
	mapping []byte
	data    []byte
}

// New returns an arena of at least size zero bytes, rounded up to whole pages. Free gives it back.
func New(size int) (*Arena, error) {
	page := os.Getpagesize()
	size = max(size+page-1, page) &^ (page - 1)
	m, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("guard: mapping %d bytes: %w", size+2*page, err)
	}
	a := &Arena{mapping: m, data: m[page : page+size : page+size]}
	if err := a.Unprotect(); err != nil {
		a.Free()
		return nil, err
	}
	return a, nil
}

// Protect makes a read-only: a store to it is a fault.
func (a *Arena) Protect() error { return a.protect(unix.PROT_READ) }

// Unprotect makes a writable again.
func (a *Arena) Unprotect() error { return a.protect(unix.PROT_READ | unix.PROT_WRITE) }

func (a *Arena) protect(prot int) error {
	if err := unix.Mprotect(a.data, prot); err != nil {
		return fmt.Errorf("guard: changing the protection of %d bytes: %w", len(a.data), err)
	}
	return nil
}

// Free unmaps a. What a returned must not be used after it.
func (a *Arena) Free() error {
	m := a.mapping
	a.mapping, a.data = nil, nil
	if err := unix.Munmap(m); err != nil {
		return fmt.Errorf("guard: unmapping: %w", err)
	}
	return nil
}

// hugeUnit is the memory behind a Huge slice in bytes, and maxPieces how often it may be mapped. Linux allows a process
// 65530 mappings (vm.max_map_count, unless somebody changed it), and the Go runtime needs some of them.
const (
	hugeUnit  = 2 << 20
	maxPieces = 40000
)

// Huge returns a slice of n bytes that takes 2 MiB of memory: the same 2 MiB appear again and again, so a byte written
// at offset i is also read at i plus any multiple of 2 MiB. It is for limits beyond 4 GiB. Slices longer than
// 40000 times 2 MiB (78 GiB) repeat a larger piece, the smallest power of two that needs no more than 40000 mappings.
func Huge(n int) (buf []byte, free func() error, err error) {
	unit := pieceSize(n)
	fd, err := unix.MemfdCreate("kcrypto-guard", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, nil, fmt.Errorf("guard: creating the memory file: %w", err)
	}
	defer unix.Close(fd) // the mappings keep the memory
	if err := unix.Ftruncate(fd, int64(unit)); err != nil {
		return nil, nil, fmt.Errorf("guard: sizing the memory file to %d bytes: %w", unit, err)
	}
	size := uintptr(max(n+unit-1, unit) &^ (unit - 1))
	base, err := unix.MmapPtr(-1, 0, nil, size, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, nil, fmt.Errorf("guard: reserving %d bytes of address space: %w", size, err)
	}
	free = func() error { return unix.MunmapPtr(base, size) }
	for at := uintptr(0); at < size; at += uintptr(unit) {
		_, err := unix.MmapPtr(fd, 0, unsafe.Add(base, at), uintptr(unit),
			unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED)
		if err != nil {
			free()
			return nil, nil, fmt.Errorf("guard: mapping piece %d of %d: %w", at/uintptr(unit), size/uintptr(unit), err)
		}
	}
	return unsafe.Slice((*byte)(base), n), free, nil
}

// pieceSize returns how much memory n bytes of address space share.
func pieceSize(n int) int {
	unit := hugeUnit
	for (n-1)/unit >= maxPieces {
		unit *= 2
	}
	return unit
}

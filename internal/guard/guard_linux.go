package guard

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Available reports whether buffers are guarded by unmapped pages here.
const Available = true

// Arena is a run of bytes that is mapped twice, once to write and read and once to read only, each time with an
// unmapped page before it and one after it. So an operand becomes read-only without a system call: changing the
// protection of pages for each operand of each message took three quarters of the suite's time.
// It is for one goroutine at a time.
type Arena struct {
	mapping []byte
	data    []byte // to write
	view    []byte // the same bytes, to read
}

// New returns an arena of at least size zero bytes, rounded up to whole pages. Free gives it back.
func New(size int) (*Arena, error) {
	page := os.Getpagesize()
	size = max(size+page-1, page) &^ (page - 1)
	fd, err := memory(size)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd) // the mappings keep the memory
	whole := 2*size + 3*page
	m, err := unix.Mmap(-1, 0, whole, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("guard: mapping %d bytes: %w", whole, err)
	}
	a := &Arena{mapping: m}
	place := func(at, protection int) []byte {
		_, e := unix.MmapPtr(fd, 0, unsafe.Pointer(&m[at]), uintptr(size), protection, unix.MAP_SHARED|unix.MAP_FIXED)
		if e != nil {
			err = fmt.Errorf("guard: mapping %d bytes: %w", size, e)
		}
		return m[at : at+size : at+size]
	}
	a.data = place(page, unix.PROT_READ|unix.PROT_WRITE)
	a.view = place(size+2*page, unix.PROT_READ)
	if err != nil {
		a.Free()
		return nil, err
	}
	return a, nil
}

// memory returns a file of size zero bytes that is nowhere but in memory.
func memory(size int) (int, error) {
	fd, err := unix.MemfdCreate("kcrypto-guard", unix.MFD_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("guard: creating the memory file: %w", err)
	}
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("guard: sizing the memory file to %d bytes: %w", size, err)
	}
	return fd, nil
}

// Free unmaps a. What a returned must not be used after it.
func (a *Arena) Free() error {
	m := a.mapping
	*a = Arena{}
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
	fd, err := memory(unit)
	if err != nil {
		return nil, nil, err
	}
	defer unix.Close(fd)
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

package equiv

import (
	"syscall"
	"testing"
)

// Huge is n bytes of address space with no memory behind it: for limits that are checked before a byte is read.
func Huge(t *testing.T, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatalf("reserving %d bytes of address space: %v", n, err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	return b
}

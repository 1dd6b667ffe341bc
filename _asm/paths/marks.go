package main

// marksFile is a Go file for a package: its name, the size of a page, the number of blocks, the folder to write to.
const marksFile = `package %[1]s

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// marks holds a byte for each block, from the second page's worth on. So the pages in which the blocks' bytes lie hold
// nothing else.
var marks [%[3]d + 2*%[2]d]byte

// init puts a file in the place of those pages: what is stored there survives however the process ends. Its name begins
// with the number of bytes in it before the first block's.
func init() {
	const page = %[2]d
	begin := uintptr(unsafe.Pointer(&marks[page]))
	shift := begin %% page
	size := (shift + %[3]d + page - 1) / page * page
	f, err := os.CreateTemp(%[4]q, strconv.Itoa(int(shift))+"-")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(marks[page-shift:][:size]); err != nil {
		panic(err)
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, begin-shift, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED|syscall.MAP_FIXED, f.Fd(), 0)
	if errno != 0 {
		panic(errno)
	}
}
`

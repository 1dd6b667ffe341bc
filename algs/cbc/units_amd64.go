//go:build !purego

package cbc

import (
	"encoding/binary"
	"unsafe"
)

// EncryptUnits encrypts units of size bytes side by side, each by its own chain from its own one of ivs on.
func (k *asmCBC) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	if len(src) == size {
		k.Encrypt(dst, src, ivs)
		return
	}
	var l lanes
	width := k.unitsAbreast(size)
	for len(src) > 0 {
		count := min(len(src)/size, width)
		l.setUnits(dst, src, size, ivs, count)
		k.encryptUnits(&l, size)
		dst, src, ivs = dst[count*size:], src[count*size:], ivs[count*blockSize:]
	}
}

// setUnits makes count lanes of as many units.
func (l *lanes) setUnits(dst, src []byte, size int, ivs []byte, count int) {
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	for i := range count {
		l.dst[i], l.src[i] = (*byte)(unsafe.Add(to, i*size)), (*byte)(unsafe.Add(from, i*size))
		iv, before := ivs[i*blockSize:][:blockSize], &l.before[i]
		// Words, as they have been written just now: a load of what several stores left waits for all of them.
		binary.NativeEndian.PutUint64(before[:8], binary.NativeEndian.Uint64(iv))
		binary.NativeEndian.PutUint64(before[8:], binary.NativeEndian.Uint64(iv[8:]))
	}
	l.count = count
}

// encryptUnits encrypts the lanes, which are all of size bytes, in steps of a chunk in all.
func (k *asmCBC) encryptUnits(l *lanes, size int) {
	width := k.fill(l)
	n := min(max(k.chunk/l.count&^(blockSize-1), blockSize), size)
	for {
		k.encryptLanes(l, n)
		if size -= n; size == 0 {
			return
		}
		for i := range width {
			l.dst[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.dst[i]), n))
			l.src[i] = (*byte)(unsafe.Add(unsafe.Pointer(l.src[i]), n))
		}
		n = min(n, size)
	}
}

// DecryptUnits decrypts one unit after the other: their blocks are independent already.
func (k *asmCBC) DecryptUnits(dst, src []byte, size int, ivs []byte) {
	for ; len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[blockSize:] {
		k.Decrypt(dst[:size], src[:size], ivs)
	}
}

// unitsAbreast is how many units of size bytes, one behind the other, are worked on side by side: fewer if all begin in
// the same set of the L1 cache.
func (k *asmCBC) unitsAbreast(size int) int {
	if size%4096 == 0 {
		return min(lanesOf[k.impl], mostInOneSet)
	}
	return lanesOf[k.impl]
}

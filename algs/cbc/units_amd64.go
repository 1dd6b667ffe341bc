//go:build !purego

package cbc

// EncryptUnits encrypts units of size bytes side by side, each by its own chain from its own one of ivs on.
func (k *asmCBC) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	var l lanes
	width := k.unitsAbreast(size)
	for len(src) > size {
		for ; l.count < width && len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[blockSize:] {
			l.add(&dst[0], &src[0], size, ivs)
		}
		for l.count > 0 { // all end together
			k.advance(&l)
		}
	}
	if len(src) > 0 { // one is left
		k.Encrypt(dst, src, ivs)
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

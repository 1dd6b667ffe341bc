//go:build !purego

package gcm

import (
	"encoding/binary"
	"math/bits"

	"kcrypto/registry"
)

// batchKey is an asmKey whose assembly works on several short messages at once, and on a whole message without a state.
type batchKey struct{ asmKey }

var _ registry.BatchAEAD = (*batchKey)(nil)

// window is how many packets one call of assembly gets at most.
const window = 32

// shortText is the most that the assembly takes of a packet, in bytes. The generator reads it here.
const shortText = 192

// SealBatch seals packets.
func (k *batchKey) SealBatch(packets []registry.Packet, tag int) {
	for len(packets) > 0 {
		n := min(len(packets), window, k.chunk/shortText)
		for skipped := k.batch(packets[:n], tag, nil); skipped != 0; skipped &= skipped - 1 {
			p := &packets[bits.TrailingZeros64(skipped)]
			k.Seal(p.Dst[len(p.Dst)-len(p.Src)-tag:], p.Nonce, p.Src, p.AAD)
		}
		packets = packets[n:]
	}
}

// OpenBatch opens packets.
func (k *batchKey) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	var diffs [window][tagSize]byte
	for ok = true; len(packets) > 0; {
		n := min(len(packets), window, k.chunk/shortText)
		if skipped := k.batch(packets[:n], tag, &diffs); skipped != 0 || !zero(diffs[:n]) {
			ok = k.openSkipped(packets[:n], tag, &diffs, skipped) && ok
		}
		packets = packets[n:]
	}
	return ok
}

// zero reports whether all tags are right, by their differences.
func zero(diffs [][tagSize]byte) bool {
	var all uint64
	for i := range diffs {
		all |= binary.LittleEndian.Uint64(diffs[i][:]) | binary.LittleEndian.Uint64(diffs[i][8:])
	}
	return all == 0
}

// openSkipped opens the packets that the assembly left out, and names those that are not authentic.
func (k *batchKey) openSkipped(
	packets []registry.Packet, tag int, diffs *[window][tagSize]byte, skipped uint64,
) (ok bool) {
	ok = true
	next := 0 // of the differences
	for i := range packets {
		p := &packets[i]
		var right bool
		if skipped>>i&1 != 0 {
			n := len(p.Src) - tag
			right = k.Open(p.Dst[len(p.Dst)-n:], p.Nonce, p.Src[:n], p.Src[n:], p.AAD)
		} else {
			right = zero(diffs[next : next+1])
			next++
		}
		if !right {
			p.Err, ok = registry.ErrAuth, false
		}
	}
	return ok
}

// batch calls the assembly, in a function of its own as asmKey.seal does.
//
//go:noinline
func (k *batchKey) batch(packets []registry.Packet, tag int, diffs *[window][tagSize]byte) (skipped uint64) {
	return batchVAESAVX512(&k.asmKey, &packets[0], len(packets), tag, diffs)
}

//go:build !purego

package chacha

import (
	"encoding/binary"
	"unsafe"

	"kcrypto/algs/internal/consttime"
	"kcrypto/registry"
)

// batchAEAD is an asmAEAD that works on several messages at once. It encrypts one after the other. While one is
// encrypted sixteen blocks wide or more, general registers, which have nothing to do then, add most of the one before
// to its sum. What is left of eight sums is computed side by side in vector registers.
type batchAEAD struct{ asmAEAD }

var _ registry.BatchAEAD = (*batchAEAD)(nil)

// SealBatch seals packets.
func (b *batchAEAD) SealBatch(packets []registry.Packet, tag int) {
	var e eight
	for i := range packets {
		p := &packets[i]
		n := len(p.Src)
		out := p.Dst[len(p.Dst)-n-tag:]
		if !b.suits(n, len(p.AAD)) {
			b.Seal(out, p.Nonce, p.Src, p.AAD)
			continue
		}
		b.crypt(&e, p, out[:n], p.Src, out[:n])
	}
	b.finish(&e)
}

// OpenBatch opens packets. One that is decrypted in place goes alone: what its sum is over would be gone.
func (b *batchAEAD) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	e := eight{opening: true}
	for i := range packets {
		p := &packets[i]
		n := len(p.Src) - tag
		out, in := p.Dst[len(p.Dst)-n:], p.Src[:n]
		if !b.suits(n, len(p.AAD)) || unsafe.SliceData(out) == unsafe.SliceData(in) {
			if !b.Open(out, p.Nonce, in, p.Src[n:], p.AAD) {
				p.Err, e.failed = registry.ErrAuth, true
			}
			continue
		}
		b.crypt(&e, p, out, in, in)
	}
	b.finish(&e)
	return !e.failed
}

// suits reports whether a message is one that goes through one pass of ChaCha, its additional data one block, and not
// so short that packetIFMA takes less time.
func (b *batchAEAD) suits(text, aad int) bool {
	return text > packetMax && text <= min(widest, b.chunk-BlockSize) && aad <= polySize
}

// crypt encrypts or decrypts the text of a packet, of which sum is the ciphertext, and makes its sum the one that
// waits.
func (b *batchAEAD) crypt(e *eight, p *registry.Packet, dst, src, sum []byte) {
	hidden := mac{key: &e.key}
	iv := ivOf(p.Nonce[:nonceSize])
	if e.waiting {
		m, text := e.front(hides(len(src)+BlockSize, b.sixteens) / polySize) // beside the key's block, too
		hidden.m, hidden.text, hidden.n = m, unsafe.SliceData(text), len(text)
	}
	b.call(dst, src, &iv[0], 0, &hidden)
	if e.waiting {
		e.lay()
	}
	e.begin(p, sum)
}

// finish computes all sums that are left.
func (b *batchAEAD) finish(e *eight) {
	if e.waiting {
		b.alone(e)
	}
	e.finish()
	e.forget()
}

// alone takes the last message, behind which no other hides anything, to its tag.
func (b *batchAEAD) alone(e *eight) {
	l := e.used
	var tag [tagSize]byte
	p := e.packet[l]
	b.add(&e.m[l], p.AAD, e.sum, ending{&tag[0], len(p.AAD), len(e.sum)})
	e.deliver(l, binary.LittleEndian.Uint64(tag[:]), binary.LittleEndian.Uint64(tag[8:]))
	e.waiting = false
}

// deliver writes the tag of lane l's packet, in two words, or compares it with the one that came.
func (e *eight) deliver(l int, low, high uint64) {
	p := e.packet[l]
	if !e.opening {
		tag := p.Dst[len(p.Dst)-tagSize:]
		binary.LittleEndian.PutUint64(tag, low)
		binary.LittleEndian.PutUint64(tag[8:], high)
		return
	}
	if !consttime.EqualWords((*[tagSize]byte)(p.Src[len(p.Src)-tagSize:]), low, high) {
		p.Err, e.failed = registry.ErrAuth, true
	}
}

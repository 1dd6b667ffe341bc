//go:build !purego

package chacha

import (
	"encoding/binary"
	"unsafe"

	"kcrypto/registry"
)

// batchAEAD is an aead that works on several messages at once. It encrypts one after the other. While one is encrypted
// sixteen blocks wide or more, general registers, which have nothing to do then, add most of the one before to its sum.
// What is left of eight sums is computed side by side in vector registers.
type batchAEAD struct{ aead }

var _ registry.BatchAEAD = (*batchAEAD)(nil)

// hidesKeyed is how many blocks of Poly1305 hide beside n bytes of text and the key's block before them.
func (c *core) hidesKeyed(n int) int { return c.hides(n+BlockSize) / polySize }

// withBatches returns a, with batches if there is assembly for them.
func withBatches(a *aead) registry.AEAD {
	if a.impl == avx512IFMA {
		return &batchAEAD{*a}
	}
	return a
}

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

// suits tells whether a message is one that goes through one pass of ChaCha, its additional data one block, and not so short
// that packetIFMA takes less time.
func (b *batchAEAD) suits(text, aad int) bool {
	return text > packetMax && text <= min(widest, b.chunk-BlockSize) && aad <= polySize
}

// crypt encrypts or decrypts the text of a packet, of which sum is the ciphertext, and makes its sum the one that waits.
func (b *batchAEAD) crypt(e *eight, p *registry.Packet, dst, src, sum []byte) {
	hidden := mac{key: &e.key}
	var iv [16]byte
	copy(iv[4:], p.Nonce[:nonceSize])
	if e.waiting {
		m, text := e.front(b.hidesKeyed(len(src)))
		hidden.m, hidden.text, hidden.n = m, unsafe.SliceData(text), len(text)
	}
	b.call(dst, src, &iv, 0, &hidden)
	if e.waiting {
		e.lay()
	}
	e.begin(p, sum)
}

// finish computes all sums that are left.
func (b *batchAEAD) finish(e *eight) {
	if e.waiting {
		e.alone()
	}
	e.finish()
	e.forget()
}

// alone takes the last message, behind which no other hides anything, to its tag.
func (e *eight) alone() {
	l := e.used
	var tag [tagSize]byte
	p := e.packet[l]
	addIFMA(&e.m[l], p.AAD, e.sum, ending{&tag[0], len(p.AAD), len(e.sum)})
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
	if !same(p.Src[len(p.Src)-tagSize:], low, high) {
		p.Err, e.failed = registry.ErrAuth, true
	}
}

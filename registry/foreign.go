package registry

import (
	"bytes"

	"kcrypto/internal/ours"
)

// The callers of key objects hide from the compiler that a call may keep its arguments, so that they can stay on a
// goroutine's stack: nonces, IVs, additional data, packets with all in them, and single blocks of a keystream. Drivers
// of this module keep nothing. Others promise the same, but nobody has looked: the objects below stand before theirs
// and hand them copies on the heap, which no mistake can turn into a write to somebody's stack.

// guard puts those objects before the driver's.
func (d *Driver) guard() {
	if newAEAD := d.NewAEAD; newAEAD != nil {
		d.NewAEAD = func(c Config) AEAD { return guardedAEAD{newAEAD(c)} }
	}
	if newSkcipher := d.NewSkcipher; newSkcipher != nil {
		d.NewSkcipher = func(c Config) Skcipher { return guardSkcipher(newSkcipher(c)) }
	}
}

var (
	_ BatchAEAD    = guardedAEAD{}
	_ ours.Guarded = guardedAEAD{}
	_ ours.Guarded = guardedSkcipher{}
	_ ours.Guarded = guardedStream{}
)

// guardedAEAD is a BatchAEAD whatever it stands for: else its callers would make one call a packet, with texts that it
// could not know to be hidden.
type guardedAEAD struct{ AEAD }

func (guardedAEAD) Guarded() {}

func (g guardedAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	g.AEAD.Seal(dst, bytes.Clone(nonce), plaintext, bytes.Clone(aad))
}

func (g guardedAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	return g.AEAD.Open(dst, bytes.Clone(nonce), ciphertext, tag, bytes.Clone(aad))
}

func (g guardedAEAD) SealBatch(packets []Packet, tag int) {
	copies := clonePackets(packets, tag)
	if b, ok := g.AEAD.(BatchAEAD); ok {
		b.SealBatch(copies, tag)
	} else {
		SealEach(g.AEAD, copies, tag)
	}
	takeBack(packets, copies)
}

func (g guardedAEAD) OpenBatch(packets []Packet, tag int) (ok bool) {
	copies := clonePackets(packets, -tag)
	if b, many := g.AEAD.(BatchAEAD); many {
		ok = b.OpenBatch(copies, tag)
	} else {
		ok = OpenEach(g.AEAD, copies, tag)
	}
	named := false
	for i := range copies {
		named = named || copies[i].Err != nil
	}
	if !ok && !named { // a driver that does not say which have failed has none of them opened
		for i := range copies {
			copies[i].Err = ErrAuth
		}
	}
	takeBack(packets, copies)
	return ok && !named
}

// clonePackets copies packets whose results have extra bytes more than the input. Each Dst is the result alone.
func clonePackets(packets []Packet, extra int) []Packet {
	copies := make([]Packet, len(packets))
	for i := range packets {
		p := &packets[i]
		copies[i] = Packet{
			Dst:   make([]byte, len(p.Src)+extra),
			Nonce: bytes.Clone(p.Nonce), Src: bytes.Clone(p.Src), AAD: bytes.Clone(p.AAD),
		}
	}
	return copies
}

// takeBack moves results from copies to packets, and wipes the copies: they hold plaintext, also of packets that are
// not authentic.
func takeBack(packets, copies []Packet) {
	for i := range packets {
		p, c := &packets[i], &copies[i]
		if p.Err = c.Err; p.Err == nil {
			copy(p.Dst[len(p.Dst)-len(c.Dst):], c.Dst)
		}
		clear(c.Dst)
		clear(c.Src)
	}
}

// guardedSkcipher stands for a Skcipher that is nothing more.
type guardedSkcipher struct{ Skcipher }

func (guardedSkcipher) Guarded() {}

func (g guardedSkcipher) Encrypt(dst, src, iv []byte) { g.Skcipher.Encrypt(dst, src, bytes.Clone(iv)) }
func (g guardedSkcipher) Decrypt(dst, src, iv []byte) { g.Skcipher.Decrypt(dst, src, bytes.Clone(iv)) }

// guardedStream stands for a StreamCipher.
type guardedStream struct{ StreamCipher }

func (guardedStream) Guarded() {}

func (g guardedStream) Encrypt(dst, src, iv []byte) {
	g.StreamCipher.Encrypt(dst, src, bytes.Clone(iv))
}
func (g guardedStream) Decrypt(dst, src, iv []byte) {
	g.StreamCipher.Decrypt(dst, src, bytes.Clone(iv))
}
func (g guardedStream) Blocks(iv []byte) uint64 { return g.StreamCipher.Blocks(bytes.Clone(iv)) }

func (g guardedStream) Bind(iv []byte) (bound StreamCipher, boundIV []byte) {
	bound, boundIV = g.StreamCipher.Bind(bytes.Clone(iv))
	return guardedStream{bound}, boundIV
}

func (g guardedStream) XORBlocks(dst, src, iv []byte, block uint64) {
	iv = bytes.Clone(iv)
	if len(src) > maxChunkSize {
		g.StreamCipher.XORBlocks(dst, src, iv, block)
		return
	}
	in := bytes.Clone(src) // it may be a block on the caller's stack
	out := in
	if len(src) > 0 && &dst[0] != &src[0] {
		out = make([]byte, len(src))
	}
	g.StreamCipher.XORBlocks(out, in, iv, block)
	copy(dst, out)
	clear(in)
	clear(out)
}

// sectorMethods are what a SectorCipher has besides a Skcipher's. Their arguments are not hidden.
type sectorMethods interface {
	EncryptSectors(dst, src []byte, sectorSize int, first uint64)
	DecryptSectors(dst, src []byte, sectorSize int, first uint64)
}

// guardSkcipher returns an object for c that has the same abilities, which callers ask for by type.
func guardSkcipher(c Skcipher) Skcipher {
	plain := guardedSkcipher{c}
	sectors, hasSectors := c.(sectorMethods)
	weak, knowsWeak := c.(WeakKeyChecker)
	if inner, ok := c.(StreamCipher); ok {
		stream := guardedStream{inner}
		switch {
		case hasSectors && knowsWeak:
			return struct {
				guardedStream
				sectorMethods
				WeakKeyChecker
			}{stream, sectors, weak}
		case hasSectors:
			return struct {
				guardedStream
				sectorMethods
			}{stream, sectors}
		case knowsWeak:
			return struct {
				guardedStream
				WeakKeyChecker
			}{stream, weak}
		}
		return stream
	}
	switch {
	case hasSectors && knowsWeak:
		return struct {
			guardedSkcipher
			sectorMethods
			WeakKeyChecker
		}{plain, sectors, weak}
	case hasSectors:
		return struct {
			guardedSkcipher
			sectorMethods
		}{plain, sectors}
	case knowsWeak:
		return struct {
			guardedSkcipher
			WeakKeyChecker
		}{plain, weak}
	}
	return plain
}

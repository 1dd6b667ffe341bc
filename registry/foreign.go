package registry

import (
	"bytes"
	"slices"

	"kcrypto/internal/ours"
)

// The callers of key objects hide from the compiler that a call may keep its arguments, so that they can stay on a
// goroutine's stack: nonces, IVs, additional data, packets with all in them, and single blocks of a keystream. Drivers
// of this module keep nothing. Others promise the same, but nobody has looked: the objects below stand before theirs
// and hand them copies on the heap, which no mistake can turn into a write to somebody's stack.

// guard puts those objects before the driver's.
func (d *Driver) guard() {
	if newAEAD := d.NewAEAD; newAEAD != nil {
		d.NewAEAD = func(c Config) AEAD { return guardedAEAD{made(newAEAD(c))} }
	}
	if newSkcipher := d.NewSkcipher; newSkcipher != nil {
		d.NewSkcipher = func(c Config) Skcipher { return guardSkcipher(made(newSkcipher(c))) }
	}
}

// made returns what a constructor made. Who calls constructors of foreign drivers takes a panic for a refusal.
func made[T comparable](object T) T {
	if object == *new(T) {
		panic("the constructor made no object")
	}
	return object
}

var (
	_ BatchAEAD     = guardedAEAD{}
	_ PieceAEAD     = guardedAEAD{}
	_ BatchSkcipher = guardedSkcipher{}
	_ BatchSkcipher = guardedStream{}
	_ ours.Guarded  = guardedAEAD{}
	_ ours.Guarded  = guardedSkcipher{}
	_ ours.Guarded  = guardedStream{}
)

// guardedAEAD is a BatchAEAD whatever it stands for: else its callers would make one call a packet, with texts that it
// could not know to be hidden.
type guardedAEAD struct{ AEAD }

func (guardedAEAD) Guarded() {}

func (g guardedAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	g.AEAD.Seal(dst, bytes.Clone(nonce), plaintext, bytes.Clone(aad))
}

// Open leaves nothing in dst if the driver panics, either: whoever recovers may look at it.
func (g guardedAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) (ok bool) {
	returned := false
	defer func() {
		if !returned {
			clear(dst)
		}
	}()
	ok = g.AEAD.Open(dst, bytes.Clone(nonce), ciphertext, tag, bytes.Clone(aad))
	returned = true
	return ok
}

// SealBatch sets Err in the packets that the driver did not seal, and gives them the Dst that they had before the root
// lengthened it.
func (g guardedAEAD) SealBatch(packets []Packet, tag int) {
	l := clonePackets(packets, tag)
	defer l.end(packets)
	if b, ok := g.AEAD.(BatchAEAD); ok {
		b.SealBatch(l.copies, tag)
	} else {
		SealEach(g.AEAD, l.copies, tag)
	}
	for i := range packets {
		l.take(i, &packets[i])
	}
	l.returned = true
}

// OpenBatch goes by the strictest reading of what the driver says: a packet with an error is not authentic, and none is
// if the driver says that some are not, and not which.
func (g guardedAEAD) OpenBatch(packets []Packet, tag int) (ok bool) {
	l := clonePackets(packets, -tag)
	defer l.end(packets)
	if b, many := g.AEAD.(BatchAEAD); many {
		ok = b.OpenBatch(l.copies, tag)
	} else {
		ok = OpenEach(g.AEAD, l.copies, tag)
	}
	named := false
	for i := range packets {
		named = named || l.flaw(i) != nil
	}
	for i := range packets {
		if packets[i].Err = ErrAuth; ok || named {
			l.take(i, &packets[i])
		}
	}
	l.returned = true
	return ok && !named
}

// loan is the copies of packets that a driver works on.
type loan struct {
	copies   []Packet // the driver's, to change as it will
	made     []Packet // the copies as they were made
	extra    int      // bytes that a result has more than the input
	returned bool     // the driver did, and results have been taken
}

// clonePackets copies packets whose results have extra bytes more than the input. Each Dst is the result alone.
func clonePackets(packets []Packet, extra int) *loan {
	l := &loan{made: make([]Packet, len(packets)), extra: extra}
	for i := range packets {
		p := &packets[i]
		l.made[i] = Packet{
			Dst:   make([]byte, len(p.Src)+extra),
			Nonce: bytes.Clone(p.Nonce), Src: bytes.Clone(p.Src), AAD: bytes.Clone(p.AAD),
		}
	}
	l.copies = slices.Clone(l.made)
	return l
}

var errPacketChanged = errorf(ErrDriver, "it changed a packet's Dst: a batch may change the output and Err only")

// flaw says what is wrong with copy i after the call, or nil.
func (l *loan) flaw(i int) error {
	c, out := &l.copies[i], l.made[i].Dst
	switch {
	case c.Err != nil:
		return c.Err
	case len(c.Dst) != len(out) || len(out) > 0 && &c.Dst[0] != &out[0]:
		return errPacketChanged
	}
	return nil
}

// take moves the result of copy i to p, or the error, with which p gets the Dst that it had.
func (l *loan) take(i int, p *Packet) {
	if p.Err = l.flaw(i); p.Err == nil {
		out := l.made[i].Dst
		copy(p.Dst[len(p.Dst)-len(out):], out)
	} else if l.extra > 0 { // for opening, the root does that
		l.shorten(p)
	}
}

// shorten gives p the Dst that it had before the root lengthened it.
func (l *loan) shorten(p *Packet) { p.Dst = p.Dst[:len(p.Dst)-len(p.Src)-l.extra] }

// end wipes the copies, which hold plaintext, also of packets that are not authentic. After a panic no packet has a
// result.
func (l *loan) end(packets []Packet) {
	for i := range l.made {
		clear(l.made[i].Dst)
		clear(l.made[i].Src)
		if !l.returned {
			l.shorten(&packets[i])
		}
	}
}

// guardedSkcipher stands for a Skcipher that is nothing more.
type guardedSkcipher struct{ Skcipher }

func (guardedSkcipher) Guarded() {}

func (g guardedSkcipher) Encrypt(dst, src, iv []byte) { g.Skcipher.Encrypt(dst, src, bytes.Clone(iv)) }
func (g guardedSkcipher) Decrypt(dst, src, iv []byte) { g.Skcipher.Decrypt(dst, src, bytes.Clone(iv)) }

func (g guardedSkcipher) EncryptBatch(requests []Request) {
	guardRequests(g.Skcipher, requests, EncryptAll)
}
func (g guardedSkcipher) DecryptBatch(requests []Request) {
	guardRequests(g.Skcipher, requests, DecryptAll)
}

// guardedStream stands for a StreamCipher.
type guardedStream struct{ StreamCipher }

func (g guardedStream) EncryptBatch(requests []Request) {
	guardRequests(g.StreamCipher, requests, EncryptAll)
}
func (g guardedStream) DecryptBatch(requests []Request) {
	guardRequests(g.StreamCipher, requests, DecryptAll)
}

// guardRequests has c encrypt or decrypt copies of the requests, and takes the results of those that it did, and the
// errors of the others.
func guardRequests(c Skcipher, requests []Request, crypt func(c Skcipher, requests []Request)) {
	made := make([]Request, len(requests)) // as the driver gets them
	for i := range requests {
		p := &requests[i]
		made[i] = Request{Dst: make([]byte, len(p.Src)), Src: bytes.Clone(p.Src), IV: bytes.Clone(p.IV)}
		p.Err = errNoResult // until there is one: the driver may panic
	}
	defer func() {
		for i := range made {
			clear(made[i].Dst)
			clear(made[i].Src)
		}
	}()
	copies := slices.Clone(made) // the driver's, to change as it will
	crypt(c, copies)
	for i := range requests {
		p, out := &requests[i], made[i].Dst
		switch got := copies[i]; {
		case got.Err != nil:
			p.Err = got.Err
		case len(got.Dst) != len(out) || len(out) > 0 && &got.Dst[0] != &out[0]:
			p.Err = errRequestChanged
		default:
			copy(p.Dst, out)
			p.Err = nil
		}
	}
}

var (
	errNoResult       = errorf(ErrDriver, "it did not come to this request")
	errRequestChanged = errorf(ErrDriver, "it changed a request's Dst: a batch may change the output and Err only")
)

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

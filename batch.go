package kcrypto

import (
	"runtime"

	"kcrypto/internal/noescape"
	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// Packet is one message of a batch: see AEAD.SealBatch and AEAD.OpenBatch.
//
// Dst is appended to, as in Seal and Open, and holds the result afterwards. Src is the plaintext, or the ciphertext
// that ends with its tag. To work in place use Src[:0] as Dst. Err is set by every call: nil, or what was wrong with
// this packet, whose Dst is then what it was.
type Packet = registry.Packet

// maxBatch is how many packets a driver gets at once: with packets of a few hundred bytes, what fits into the L1 and L2
// caches twice.
const maxBatch = 128

// SealBatch is Seal for each of the packets, and faster where the driver works on several messages at once: short
// messages of gcm(aes), up to 192 bytes; messages of rfc7539(chacha20,poly1305) from 513 to 1472 bytes, for opening
// unless in place. Sizes may be mixed. The order does not matter. Nothing is allocated where the capacity of each Dst
// suffices. Concurrency is as for Seal.
//
// It does not panic on a caller's mistake but says it in Err of the packet concerned (registry.ErrNoKey, ErrClosed,
// ErrNonceSize, ErrLength, ErrOverlap; ErrDriver, or the driver's own, if one of another module failed), and seals the
// others.
//
// What is written for one packet, which is Dst and the bytes behind it that the result takes, must not share memory
// with anything of another packet; else what comes out for those packets is unspecified. Inputs may be shared.
func (a *AEAD) SealBatch(packets []Packet) {
	for len(packets) > 0 {
		n := min(len(packets), maxBatch)
		a.sealBatch(noescape.Slice(packets[:n]))
		packets = packets[n:]
	}
	runtime.KeepAlive(a) // the cleanup wipes the key
}

// sealBatch gives runs of packets to the driver, which end where a packet wants something else.
func (a *AEAD) sealBatch(packets []Packet) {
	for len(packets) > 0 {
		n := a.lengthen(packets, 0, a.tagSize)
		if n > 0 {
			a.sealRun(packets[:n])
		} else {
			n = 1
			a.sealSlow(packets[:n])
		}
		packets = packets[n:]
	}
}

// sealSlow is for a single packet that is wrong or wants new memory.
func (a *AEAD) sealSlow(one []Packet) {
	p := &one[0]
	n := len(p.Src) + a.tagSize
	if p.Err = a.packetComplaint(p, len(p.Src), n); p.Err != nil {
		return
	}
	before := p.Dst
	p.Dst, _ = extend(p.Dst, n)
	if a.sealRun(one); p.Err != nil {
		p.Dst = before
	}
}

// sealRun has the driver seal packets.
func (a *AEAD) sealRun(run []Packet) {
	if b, ok := a.impl.(registry.BatchAEAD); ok {
		b.SealBatch(run, a.tagSize)
	} else {
		registry.SealEach(a.impl, run, a.tagSize)
	}
}

// OpenBatch is Open for each of the packets, as SealBatch is Seal. It returns how many failed: their Err is set, to
// registry.ErrAuth if they are not authentic, and nothing of their plaintext is left in Dst or behind it. The other
// errors, and what packets may share, are as for SealBatch.
func (a *AEAD) OpenBatch(packets []Packet) (failed int) {
	for len(packets) > 0 {
		n := min(len(packets), maxBatch)
		failed += a.openBatch(noescape.Slice(packets[:n]))
		packets = packets[n:]
	}
	runtime.KeepAlive(a) // the cleanup wipes the key
	return failed
}

func (a *AEAD) openBatch(packets []Packet) (failed int) {
	for len(packets) > 0 {
		n := a.lengthen(packets, a.tagSize, 0)
		if n > 0 {
			failed += a.openRun(packets[:n])
		} else {
			n = 1
			failed += a.openSlow(packets[:n])
		}
		packets = packets[n:]
	}
	return failed
}

// openSlow is sealSlow's counterpart.
func (a *AEAD) openSlow(one []Packet) (failed int) {
	p := &one[0]
	n := len(p.Src) - a.tagSize
	if p.Err = a.packetComplaint(p, n, n); p.Err != nil {
		return 1
	}
	before := p.Dst
	p.Dst, _ = extend(p.Dst, n)
	if failed = a.openRun(one); failed > 0 {
		p.Dst = before
	}
	return failed
}

// openRun has the driver open packets, and takes back what it did to those that are not authentic.
func (a *AEAD) openRun(run []Packet) (failed int) {
	var ok bool
	if b, many := a.impl.(registry.BatchAEAD); many {
		ok = b.OpenBatch(run, a.tagSize)
	} else {
		ok = registry.OpenEach(a.impl, run, a.tagSize)
	}
	if ok {
		return 0
	}
	for i := range run {
		if p := &run[i]; p.Err != nil {
			n := len(p.Dst) - (len(p.Src) - a.tagSize)
			clear(p.Dst[n:])
			p.Dst = p.Dst[:n]
			p.Err = errAuth
			failed++
		}
	}
	return failed
}

// lengthen adds the bytes of the result to Dst of as many packets as come before the first that wants more than that
// before a driver can have it, and returns how many they are. A tag is tagIn bytes of each input, tagOut of each
// output.
func (a *AEAD) lengthen(packets []Packet, tagIn, tagOut int) int {
	nonceSize, maxSize, maxAAD := a.nonceSize, a.maxSize, a.maxAAD // usual's, in registers
	if a.life != ready || !a.plain {
		nonceSize = -1
	}
	for i := range packets {
		p := &packets[i]
		n := len(p.Src) - tagIn
		if (len(p.Nonce) != nonceSize || uint64(n) > maxSize || uint64(len(p.AAD)) > maxAAD) &&
			a.complaint(p.Nonce, n, p.AAD) != nil {
			return i
		}
		end := len(p.Dst) + n + tagOut
		if uint(end) > uint(cap(p.Dst)) {
			return i
		}
		if out := p.Dst[len(p.Dst):end:end]; overlap.Inexact(out, p.Src) || overlap.Any(out, p.AAD) {
			return i
		}
		p.Dst = p.Dst[:end]
		if p.Err != nil { // a store of a pointer costs more than the question
			p.Err = nil
		}
	}
	return len(packets)
}

// packetComplaint says what is wrong with a packet whose text has n bytes and whose result size, or nil if it only
// wants new memory.
func (a *AEAD) packetComplaint(p *Packet, n, size int) error {
	if err := a.complaint(p.Nonce, n, p.AAD); err != nil {
		return err
	}
	if len(p.Dst)+size < 0 {
		return errTooLong(len(p.Dst), size)
	}
	if cap(p.Dst)-len(p.Dst) < size {
		return nil
	}
	return overlapComplaint(p.Dst[len(p.Dst):len(p.Dst)+size], p.AAD)
}

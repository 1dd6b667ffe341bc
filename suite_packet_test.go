package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Random packets of many kinds, and the result that a batch must have for each.

// packetCase is one packet of a batch, with the result that it must have.
type packetCase struct {
	kcrypto.Packet
	memory canaryBuffer // has Dst in it, and Src too if the packet is worked on in place
	dst    []byte       // Dst before
	output []byte       // what the call must append; nil after a failure
	size   int          // bytes behind dst that the call may change
	class  error        // of Err
}

// The ways to make a packet.
const (
	apart = iota // Dst elsewhere, behind some bytes that must stay
	inPlace
	smallDst
	badNonce
	shifted    // output a byte before the input
	overAAD    // output over the additional data
	forgedTag  // this and the following are only for opening
	forgedText //
	forgedAAD
	cut // shorter than a tag
	wayCount
)

// packetCase makes a packet whose input is in, for a call that must append out.
func (d *random) packetCase(way int, m *message, in, out []byte) *packetCase {
	p := &packetCase{size: len(out), output: out}
	p.Nonce, p.AAD, p.Src = m.nonce, m.aad, bytes.Clone(in)
	header := d.IntN(20)
	mem := p.memory.prepare(header+max(len(in), len(out))+1, 0)
	p.Dst = mem[: header : header+len(out)]
	fail := func(class error) { p.class, p.output = class, nil }
	switch way {
	case inPlace:
		p.Src = mem[header : header+len(in)]
		copy(p.Src, in)
	case smallDst:
		p.Dst, p.size = mem[:header:header+d.IntN(len(out)+1)], 0
		if cap(p.Dst)-header == len(out) {
			p.size = len(out)
		}
	case badNonce:
		p.Nonce, p.size = append(bytes.Clone(m.nonce), 0), 0
		fail(registry.ErrNonceSize)
	case shifted:
		if len(in) > 0 && len(out) > 1 {
			p.Src = mem[header+1 : header+1+len(in)]
			copy(p.Src, in)
			p.size = 0
			fail(registry.ErrOverlap)
		}
	case overAAD:
		if n := len(m.aad); n > 0 && n <= len(out) {
			p.AAD = mem[header : header+n]
			p.size = 0
			fail(registry.ErrOverlap)
		}
	case cut:
		p.Src, p.size = p.Src[:d.IntN(len(in)-len(out))], 0
		fail(registry.ErrAuth)
	case forgedTag, forgedText:
		if way == forgedTag || len(out) == 0 {
			p.Src[len(out)+d.IntN(len(in)-len(out))] ^= 1 << d.IntN(8)
		} else {
			p.Src[d.IntN(len(out))] ^= 1 << d.IntN(8)
		}
		fail(registry.ErrAuth)
	case forgedAAD:
		if len(m.aad) > 0 {
			p.AAD = bytes.Clone(m.aad)
			p.AAD[d.IntN(len(m.aad))] ^= 1 << d.IntN(8)
			fail(registry.ErrAuth)
		}
	}
	p.dst = p.Dst
	p.Err = errors.New("left from another call")
	return p
}

// wrong says what is wrong with p after a call, or "".
func (p *packetCase) wrong() string {
	if !errors.Is(p.Err, p.class) {
		return fmt.Sprintf("error %v, want %v", p.Err, p.class)
	}
	if p.class == nil {
		if s := difference(p.Dst[:len(p.dst)], p.dst) + difference(p.Dst[len(p.dst):], p.output); s != "" {
			return s
		}
	} else if len(p.Dst) != len(p.dst) || cap(p.Dst) != cap(p.dst) || len(p.dst) > 0 && &p.Dst[0] != &p.dst[0] {
		return fmt.Sprintf("Dst is another after a failure: %d of %d bytes, it was %d of %d", len(p.Dst), cap(p.Dst),
			len(p.dst), cap(p.dst))
	}
	if p.class != nil && errors.Is(p.class, registry.ErrAuth) {
		for i, b := range p.dst[len(p.dst):cap(p.dst)][:p.size] {
			if b != 0 {
				return fmt.Sprintf("byte %d behind Dst is %#02x after a failure, want 0", i, b)
			}
		}
	}
	return ""
}

// batchOf makes a batch of random messages in random ways.
func batchOf(d *random, l *keyedMessages, ways, count int, opening bool) (cases []*packetCase, failures int) {
	for range count {
		m, way := &l.messages[d.IntN(len(l.messages))], apart
		if d.IntN(3) == 0 {
			way = d.IntN(ways)
		}
		in, out := m.text, m.sealed
		if opening {
			in, out = m.sealed, m.text
		}
		p := d.packetCase(way, m, in, out)
		if p.class != nil {
			failures++
		}
		cases = append(cases, p)
	}
	return cases, failures
}

// send calls f with the cases as one slice of packets, and stores the results in the cases.
func send(cases []*packetCase, f func([]kcrypto.Packet)) {
	packets := make([]kcrypto.Packet, len(cases))
	for i, p := range cases {
		packets[i] = p.Packet
	}
	f(packets)
	for i, p := range cases {
		p.Packet = packets[i]
	}
}

// runBatch checks one batch in one direction.
func runBatch(t *testing.T, d *random, a *kcrypto.AEAD, l *keyedMessages, count int, opening bool) {
	t.Helper()
	ways := forgedTag
	if opening {
		ways = wayCount
	}
	cases, failures := batchOf(d, l, ways, count, opening)
	send(cases, func(packets []kcrypto.Packet) {
		if !opening {
			a.SealBatch(packets)
		} else if failed := a.OpenBatch(packets); failed != failures {
			t.Fatalf("OpenBatch of %d packets: %d failed, want %d", count, failed, failures)
		}
	})
	for i, p := range cases {
		what := p.wrong()
		if what == "" {
			what = p.memory.writtenOutsideBut(len(p.dst), max(p.size, len(p.Src)))
		}
		if what != "" {
			t.Fatalf("opening %v, packet %d of %d, %d bytes, %d of additional data, tag %d: %s",
				opening, i, count, len(p.Src), len(p.AAD), a.Overhead(), what)
		}
	}
}

// writtenOutsideBut says which byte before or behind the n bytes that follow the first header bytes was written, or "".
func (f *canaryBuffer) writtenOutsideBut(header, n int) string {
	for i := range f.mem {
		if (i < margin+header || i >= margin+header+n+1) && f.mem[i] != canary(i) {
			return fmt.Sprintf("byte %d behind Dst was written", i-margin-header)
		}
	}
	return ""
}

// batchMessages adds messages of every size that drivers work on in batches, and some longer ones.
func batchMessages(s *messageMaker) {
	for range 2 {
		for n := 0; n <= 300; n += 1 + s.IntN(6) {
			s.add(n, s.upTo(20))
		}
		for _, n := range []int{440, 496, 497, 512, 1000, 1420, 4000} {
			s.add(n+s.IntN(3), s.upTo(60))
		}
		s.begin(s.bytes(len(s.now.key)), s.now.nonceSize, s.model.tags[s.IntN(len(s.model.tags))])
	}
}

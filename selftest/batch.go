package selftest

import (
	"bytes"
	"errors"
	"fmt"

	"kcrypto/registry"
)

// batcher is an AEAD that takes many messages at once.
type batcher interface {
	AEAD
	SealBatch(packets []registry.Packet)
	OpenBatch(packets []registry.Packet) (failed int)
}

// batch says what a batch is made of.
type batch struct {
	count      int // packets
	tag, nonce int // bytes
	inPlace    bool
}

// batchCounts are the numbers of packets of the batches in a normal run: few; some for each group of 8 and of 16 that
// drivers work on; one more than the most that a driver gets at once.
var batchCounts = []int{1, 2, 11, 33, 129}

// fullBatchCounts are those of a full run: around every number of packets at which a driver changes its way.
var fullBatchCounts = []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300}

// fullBatchRounds is how often a full run goes through fullBatchCounts with each tag size.
const fullBatchRounds = 3

// batches lists the batches of a run. A normal run has every count with the default tag, every tag with 17 packets, and
// a nonce of another size. A full run has every count with every tag. Every other batch is in place.
func (r *run) batches(full bool) []batch {
	d := &r.subject.Driver
	var list []batch
	if !full {
		for i, count := range batchCounts {
			list = append(list, batch{count, defaultTag(d), d.IVSize, i%2 == 1})
		}
		for i, tag := range d.AuthSizes {
			list = append(list, batch{17, tag, d.IVSize, i%2 == 0})
		}
		if nonces := otherNonces(d); nonces != nil {
			list = append(list, batch{17, defaultTag(d), inTurn(r.firstSize, nonces), false})
		}
		return list
	}
	for round := range fullBatchRounds {
		for i, count := range fullBatchCounts {
			for j, tag := range d.AuthSizes {
				nonce := d.IVSize
				if nonces := otherNonces(d); nonces != nil && r.rng.oneIn(4) {
					nonce = choose(r.rng, nonces...)
				}
				list = append(list, batch{count, tag, nonce, (round+i+j)%2 == 0})
			}
		}
	}
	return list
}

// batchLengths are the sizes of messages in batches, in bytes: around the borders at which drivers put short messages
// and packets into groups.
var batchLengths = []int{
	0, 1, 15, 16, 17, 31, 32, 48, 63, 64, 65, 100, 127, 128, 129, 176, 191, 192, 193, 255, 256, 257, 300, 384, 511, 512,
	513, 576, 640, 767, 768, 1023, 1024, 1025, 1279, 1420, 1471, 1472, 1473,
}

// checkBatch seals and opens the messages of b in one call each, and expects what one call a message gives. They are
// opened twice more, with every other one forged: once the even ones, once the odd ones.
func (r *run) checkBatch(b batch) error {
	m := r.plainMessage(0)
	m.tag, m.iv = b.tag, r.rng.bytes(b.nonce)
	r.at = position{m, &layout{label: fmt.Sprintf("batch of %d, tags of %d bytes", b.count, b.tag)}}
	single, err := r.keyedAEAD(m, r.at.layout)
	if err != nil {
		return err
	}
	a, ok := single.(batcher)
	if !ok {
		return nil
	}
	cases := r.batchCases(a, b)
	if err := r.sealBatch(a, b, cases); err != nil {
		return err
	}
	for _, forged := range []func(i int) bool{
		func(int) bool { return false }, func(i int) bool { return i%2 == 0 }, func(i int) bool { return i%2 == 1 },
	} {
		if err := r.openBatch(a, b, cases, forged); err != nil {
			return err
		}
	}
	return nil
}

// batchCase is a message of a batch and what a single call makes of it.
type batchCase struct{ nonce, aad, text, sealed []byte }

// batchCases makes the messages of b. Sizes go round in turn, from a random start.
func (r *run) batchCases(a AEAD, b batch) []batchCase {
	d := &r.subject.Driver
	sizes := aadLengths
	if d.AADSizes != nil {
		sizes = d.AADSizes
	}
	start := r.rng.IntN(len(batchLengths))
	cases := make([]batchCase, b.count)
	for i := range cases {
		c := &cases[i]
		c.nonce = r.rng.bytes(a.NonceSize())
		c.aad = r.rng.bytes(legalAAD(d, inTurn(r.rng.IntN(len(sizes)), sizes)))
		c.text = r.rng.bytes(legalLength(d, inTurn(start+i*5, batchLengths)))
		c.sealed = a.Seal(nil, c.nonce, c.text, c.aad)
	}
	return cases
}

// packet makes a packet of a message. Its result has n bytes, and Dst holds one byte before it. In a batch in place the
// message lies where the result will.
func (b batch) packet(c *batchCase, in []byte, n int) registry.Packet {
	mem := make([]byte, 1+max(len(in), n))
	p := registry.Packet{Nonce: c.nonce, AAD: c.aad, Src: in, Dst: mem[: 1 : 1+n], Err: errStale}
	if b.inPlace {
		p.Src = mem[1 : 1+len(in)]
		copy(p.Src, in)
	}
	return p
}

// errStale is in each packet before a call, which must replace it.
var errStale = errors.New("left from before the call")

func (r *run) sealBatch(a batcher, b batch, cases []batchCase) error {
	packets := make([]registry.Packet, len(cases))
	for i := range cases {
		packets[i] = b.packet(&cases[i], cases[i].text, len(cases[i].sealed))
	}
	a.SealBatch(packets)
	for i := range cases {
		if p := &packets[i]; p.Err != nil || !appended(p.Dst, cases[i].sealed) {
			return r.failed(encryption, "wrong batch", fmt.Sprintf(
				"packet %d of %d bytes differs from a single call (error %v)", i, len(cases[i].text), p.Err))
		}
	}
	return nil
}

// openBatch opens the messages, of which those are forged that forged says.
func (r *run) openBatch(a batcher, b batch, cases []batchCase, forged func(i int) bool) error {
	packets, want := make([]registry.Packet, len(cases)), 0
	for i := range cases {
		c := &cases[i]
		if forged(i) {
			want++
			c = r.forgery(c, b.tag)
		}
		packets[i] = b.packet(c, c.sealed, len(c.text))
	}
	failed := a.OpenBatch(packets)
	for i := range cases {
		p := &packets[i]
		switch {
		case forged(i) && !errors.Is(p.Err, registry.ErrAuth):
			return r.fail("decryption of a batch unexpectedly succeeded", fmt.Sprintf(
				"packet %d of %d is forged, its error is %v", i, len(cases), p.Err))
		case forged(i) && (len(p.Dst) != 1 || len(bytes.Trim(p.Dst[:1+len(cases[i].text)], "\x00")) > 0):
			return r.failed(decryption, "dst not wiped", fmt.Sprintf("packet %d of %d is forged", i, len(cases)))
		case !forged(i) && (p.Err != nil || !appended(p.Dst, cases[i].text)):
			return r.failed(decryption, "wrong batch", fmt.Sprintf(
				"packet %d of %d bytes differs from a single call (error %v)", i, len(cases[i].text), p.Err))
		}
	}
	if failed != want {
		return r.fail("decryption of a batch unexpectedly succeeded", fmt.Sprintf(
			"%d of %d packets refused, %d are forged", failed, len(cases), want))
	}
	return nil
}

// forgery is c with one bit changed: of the tag, the ciphertext or the additional data.
func (r *run) forgery(c *batchCase, tag int) *batchCase {
	f := &batchCase{c.nonce, bytes.Clone(c.aad), c.text, bytes.Clone(c.sealed)}
	part := f.sealed[len(f.sealed)-tag:]
	switch r.rng.IntN(3) {
	case 0:
		part = f.sealed
	case 1:
		if len(f.aad) > 0 {
			part = f.aad
		}
	}
	part[r.rng.IntN(len(part))] ^= 1 << r.rng.IntN(8)
	return f
}

// appended reports whether dst holds what it held, a zero, and want behind it.
func appended(dst, want []byte) bool {
	return len(dst) == 1+len(want) && dst[0] == 0 && bytes.Equal(dst[1:], want)
}

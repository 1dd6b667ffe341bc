package selftest

import (
	"fmt"
	"slices"

	"kcrypto/registry"
)

// compare runs m in layout l and expects the answer that the generic driver gives: the same bytes, or an error of the
// same class.
func (r *run) compare(m *message, l *layout) error {
	r.at = position{m, l}
	want, wantErr := r.generic.answer(m, 0)
	if wantErr == nil {
		m.out = want
		return r.check(m, l)
	}
	_, err := r.subject.answer(m, l.chunk)
	if class(err) != class(wantErr) {
		return r.failed(encryption, "other error than "+r.generic.Driver.Name,
			fmt.Sprintf("expected_error=%q, actual_error=%s", wantErr, errorText(err)))
	}
	return nil
}

// answer encrypts m from the allocation on. Whatever refuses on the way is the answer; so is a panic.
func (t *transforms) answer(m *message, chunk int) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("%w: %v", errPanicked, p)
		}
	}()
	if t.Driver.Type == registry.TypeAEAD {
		a, err := t.aead(len(m.iv), chunk)
		if err != nil {
			return nil, err
		}
		if err := a.SetKey(m.key); err != nil {
			return nil, err
		}
		if err := a.SetAuthSize(m.tag); err != nil {
			return nil, err
		}
		return a.Seal(nil, m.iv, m.in, m.aad), nil
	}
	c, err := t.skcipher(chunk)
	if err != nil {
		return nil, err
	}
	if err := c.SetKey(m.key); err != nil {
		return nil, err
	}
	out = make([]byte, len(m.in))
	if m.offset > 0 {
		return out, c.XORKeyStreamAt(out, m.in, m.iv, m.offset)
	}
	return out, c.Encrypt(out, m.in, m.iv)
}

// lengths are the messages of a normal run in bytes, 32 KiB in all: around every multiple of the blocks, vectors and
// loops that drivers have.
var lengths = [comparisons]int{
	1, 7, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 79, 80,
	95, 96, 111, 112, 127, 128, 129, 143, 159, 160, 175, 191, 192, 193, 207, 223,
	239, 240, 255, 256, 257, 271, 287, 300, 319, 320, 383, 384, 447, 448, 511, 512,
	513, 575, 640, 767, 768, 769, 896, 1023, 1024, 1025, 1279, 1420, 2047, 3313, 4095, 4097,
}

// aadLengths are the sizes of additional data in a normal run, where any size is allowed.
var aadLengths = []int{
	0, 1, 8, 12, 13, 15, 16, 17, 20, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 255, 256, 300, 600, 1000,
}

// nonceLengths are nonces in a normal run, where any size is allowed: the default's paths, whole blocks, and neither.
var nonceLengths = []int{1, 8, 11, 13, 16, 17, 24, 32, 60, 128}

// plainMessage is message i of a normal run: every size is one that the driver takes. Sizes go round in turn, so that
// each run has them all, from a random start, so that they meet other sizes in other runs.
func (r *run) plainMessage(i int) *message {
	d := &r.subject.Driver
	m := &message{kind: "random message", index: i}
	m.key = r.rng.bytes(inTurn(i+r.firstSize, d.KeySizes))
	m.in = r.rng.bytes(legalLength(d, lengths[i]))
	nonce := d.IVSize
	if d.Type == registry.TypeAEAD {
		m.tag = defaultTag(d)
		if i%4 == 3 {
			m.tag = inTurn(i/4+r.firstSize, d.AuthSizes)
		}
		if list := otherNonces(d); list != nil && i%6 == 5 {
			nonce = inTurn(i/6+r.firstSize, list)
		}
		sizes := aadLengths
		if d.AADSizes != nil {
			sizes = d.AADSizes
		}
		m.aad = r.rng.bytes(legalAAD(d, inTurn(i+r.firstSize, sizes)))
	}
	m.iv = r.rng.bytes(nonce)
	if r.subject.Stream != nil && i%4 == 1 {
		m.offset = r.randomAccess(len(m.in))
	}
	return m
}

// otherNonces lists sizes of nonces for a driver that takes several, nil for others.
func otherNonces(d *registry.Driver) []int {
	switch {
	case d.AnyNonce:
		return nonceLengths
	case d.Nonces != nil:
		return d.NonceSizes()
	}
	return nil
}

func inTurn(i int, sizes []int) int { return sizes[i%len(sizes)] }

// legalLength returns the shortest message length from n on that the driver takes, or its longest.
func legalLength(d *registry.Driver, n int) int {
	n, unit := max(n, d.MinSize), max(d.MultipleOf, 1)
	if n%unit != 0 {
		n += unit - n%unit
	}
	if d.MaxSize > 0 && uint64(n) > d.MaxSize {
		n = int(d.MaxSize) / unit * unit
	}
	return n
}

// legalAAD returns n, or the most bytes of additional data that the driver takes.
func legalAAD(d *registry.Driver, n int) int {
	if d.MaxAAD > 0 {
		return int(min(uint64(n), d.MaxAAD))
	}
	return n
}

// fair reports whether both drivers are to answer alike to a size: it is not one that the generic driver takes and this
// one does not claim to.
func fair(d, generic []int, size int) bool {
	return slices.Contains(d, size) || !slices.Contains(generic, size)
}

// randomAccess returns an offset in bytes so that a message of n bytes lies across a power of two of blocks, where
// counters carry; or 0 where the driver's keystream ends before.
func (r *run) randomAccess(n int) uint64 {
	d := &r.subject.Driver
	border := uint64(d.ChunkSize) << choose(r.rng, 4, 8, 12, 16, 24)
	offset := border - uint64(r.rng.IntN(min(n, 128)+1))
	if d.MaxSize > 0 && offset+uint64(n) > d.MaxSize {
		return 0
	}
	return offset
}

// fullMessage is message i of a full run, with the probabilities of Linux's testmgr: a quarter has a key of any size
// and a quarter a tag of any size, mostly wrong ones, which both drivers must refuse alike.
func (r *run) fullMessage(i int) *message {
	d, rng := &r.subject.Driver, r.rng
	m := &message{kind: "random full message", index: i}
	total := rng.length(fullMessageLimit)
	klen, nonce := slices.Max(d.KeySizes), d.IVSize
	if rng.oneIn(4) {
		klen = rng.IntN(klen + 1)
	}
	if d.Type == registry.TypeAEAD {
		m.tag = defaultTag(d)
		if rng.oneIn(4) {
			if tag := rng.IntN(m.tag + 1); fair(d.AuthSizes, r.generic.Driver.AuthSizes, tag) {
				m.tag = tag
			}
		}
		switch {
		case d.AnyNonce && rng.oneIn(4):
			nonce = 1 + rng.length(longestRandomNonce)
		case d.Nonces != nil && rng.oneIn(4):
			nonce = choose(rng, d.NonceSizes()...)
		}
		alen := 0
		if !rng.oneIn(4) {
			alen = rng.length(total)
		}
		alen = legalAAD(d, alen)
		if g := r.generic.Driver.AADSizes; d.AADSizes != nil && (!rng.oneIn(8) || g == nil || !fair(d.AADSizes, g, alen)) {
			alen = choose(rng, d.AADSizes...)
		}
		m.aad = rng.text(alen)
		total = max(total-alen, 0)
	} else if rng.oneIn(2) {
		total = legalLength(d, total)
	}
	if most := d.Longest(nonce); most > 0 {
		total = int(min(uint64(total), most))
	}
	m.key, m.in, m.iv = rng.text(klen), rng.text(total), r.rng.bytes(nonce)
	if r.subject.Stream != nil && rng.oneIn(4) {
		m.offset = r.randomAccess(len(m.in))
	}
	return m
}

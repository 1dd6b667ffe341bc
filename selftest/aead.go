package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"kcrypto/registry"
)

// checkAEAD seals and opens m in layout l, and has one forgery of it refused.
func (r *run) checkAEAD(m *message, l *layout) error {
	a, err := r.keyedAEAD(m, l)
	if err != nil {
		return err
	}
	nonce, aad := r.mem.iv.place(l.iv, m.iv), r.mem.aad.place(l.aad, m.aad)

	src, _ := r.mem.operands(l, m.in, len(m.out))
	sealed := a.Seal(r.mem.target(l), nonce, src, aad)
	if err := r.checkAppended(encryption, m.out, sealed, l); err != nil {
		return err
	}

	src, _ = r.mem.operands(l, m.out, len(m.in))
	opened, err := a.Open(r.mem.target(l), nonce, src, aad)
	if err != nil {
		return r.failed(decryption, "error", errorText(err))
	}
	if err := r.checkAppended(decryption, m.in, opened, l); err != nil {
		return err
	}

	forged, bit := bytes.Clone(m.out), r.rng.IntN(8*m.tag)
	forged[len(m.in)+bit/8] ^= 1 << (bit % 8)
	return r.checkForged(a, m, l, forged, nonce, aad, fmt.Sprintf("bit %d of the tag flipped", bit))
}

// keyedAEAD returns the subject's transform with m's key and tag size.
func (r *run) keyedAEAD(m *message, l *layout) (AEAD, error) {
	a, err := r.subject.aead(len(m.iv), l.chunk)
	if err != nil {
		return nil, r.fail("allocation failed", errorText(err))
	}
	if err := a.SetKey(r.mem.key.place(l.key, m.key)); err != nil {
		return nil, r.fail("setkey failed", "expected success, got "+errorText(err))
	}
	if err := a.SetAuthSize(m.tag); err != nil {
		return nil, r.fail("setauthsize failed", "expected success, got "+errorText(err))
	}
	return a, nil
}

// checkAppended checks what an AEAD call returned, and everything around it. The output is want, after the bytes that
// dst held.
func (r *run) checkAppended(d direction, want, out []byte, l *layout) error {
	if len(out) != l.prefix+len(want) {
		return r.failed(d, "wrong length", fmt.Sprintf("expected %d bytes, got %d", l.prefix+len(want), len(out)))
	}
	held, out := out[:l.prefix], out[l.prefix:]
	if !poisoned(held) {
		return r.failed(d, "corrupted dst", fmt.Sprintf("the %d bytes that dst held are changed", len(held)))
	}
	if !bytes.Equal(out, want) {
		return r.failed(d, "wrong result", difference(want, out))
	}
	if !l.grow && len(out) > 0 && unsafe.SliceData(out) != &r.mem.dst.mem[r.mem.dst.from] {
		return r.failed(d, "wrong result", "the output is not where dst has capacity for it")
	}
	return r.checkSurroundings(d, l)
}

// checkForged has forged, m's output with something changed, refused, and nothing of it left in dst.
func (r *run) checkForged(a AEAD, m *message, l *layout, forged, nonce, aad []byte, how string) error {
	src, dst := r.mem.operands(l, forged, len(m.in))
	out, err := a.Open(r.mem.target(l), nonce, src, aad)
	switch {
	case err == nil:
		return r.fail("decryption unexpectedly succeeded", how)
	case !errors.Is(err, registry.ErrAuth):
		return r.failed(decryption, "wrong error",
			fmt.Sprintf("expected_error=%q, actual_error=%q, %s", registry.ErrAuth, err, how))
	case len(out) != 0:
		return r.failed(decryption, "output returned",
			fmt.Sprintf("%d bytes returned beside an error, %s", len(out), how))
	}
	for i, b := range dst {
		if b != 0 && !l.grow {
			return r.failed(decryption, "dst not wiped",
				fmt.Sprintf("byte %d of %d is %#02x after the error, expected 0, %s", i, len(dst), b, how))
		}
	}
	return r.checkSurroundings(decryption, l)
}

// checkSurroundings checks that a call wrote its output and nothing else.
func (r *run) checkSurroundings(d direction, l *layout) error {
	if at, yes := r.mem.dst.writtenAround(); yes && at > 0 {
		return r.failed(d, "overran dst", fmt.Sprintf("wrote byte %d after its end", at))
	} else if yes {
		return r.failed(d, "overran dst", fmt.Sprintf("wrote byte %d before its start", -at))
	}
	if l.grow && !r.mem.dst.untouched() {
		return r.failed(d, "overran dst", "wrote beyond the capacity of dst")
	}
	if !l.inPlace && r.mem.src.changed() {
		return r.failed(d, "corrupted src", "src is another memory than dst and must stay as it is")
	}
	for _, input := range []struct {
		name string
		area *area
	}{{"key", &r.mem.key}, {"iv", &r.mem.iv}, {"aad", &r.mem.aad}} {
		if input.area.mem != nil && input.area.changed() {
			return r.failed(d, "corrupted "+input.name, "the "+input.name+" is the caller's and must stay as it is")
		}
	}
	return nil
}

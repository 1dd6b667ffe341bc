package selftest

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"

	"kcrypto/registry"
)

// A sectorRun is one call of the sector check. Sizes are rounded up to what the algorithm takes.
type sectorRun struct {
	size, count int
	iv          registry.SectorIV // a plain first number is for EncryptSectors, others are for EncryptSectorsIV
}

func from(first uint64) registry.SectorIV { return registry.SectorIV{First: first} }

// sectorRuns are the calls of the sector check. There are single sectors, and more than any driver takes in one pass.
// Sizes are with and without ciphertext stealing, and around multiples of 128 and 256 bytes. Numbers carry out of their
// low bytes, and reach the last one there is.
var sectorRuns = []sectorRun{
	{16, 1, from(0)}, {16, 67, from(1<<32 - 30)}, {17, 19, from(math.MaxUint64 - 18)}, {31, 5, from(1<<8 - 2)},
	{64, 17, from(1<<16 - 9)}, {512, 1, from(1 << 63)}, {512, 9, from(1<<32 - 4)}, {520, 4, from(1<<40 - 2)},
	{1024, 3, from(0x0123456789abcdef)}, {4096, 2, from(1<<48 - 1)},
	{529, 2, from(1<<8 - 1)}, {543, 3, from(7)}, {640, 3, from(1<<16 - 1)},

	{16, 67, registry.SectorIV{First: math.MaxUint64 - 66*8, Step: 8}},
	{528, 9, registry.SectorIV{Form: registry.IVPlain, First: 1<<32 - 33, Step: 8}},
	{17, 19, registry.SectorIV{Form: registry.IVPlain64BE, First: 1<<56 - 9}},
	{64, 35, registry.SectorIV{Form: registry.IVPlain128, First: math.MaxUint64 - 40, High: math.MaxUint64 - 1, Step: 3}},
	{4096, 2, registry.SectorIV{Form: registry.IVPlain128, First: math.MaxUint64 - 1, High: math.MaxUint64}},
}

func (s *sectorRun) plain() bool { return s.iv == from(s.iv.First) }

// String says what the call is for.
func (s *sectorRun) String() string {
	text := fmt.Sprintf("%d of %d bytes from number %d", s.count, s.size, s.iv.First)
	if !s.plain() {
		text += fmt.Sprintf(" + %d * 2^64 in %v, step %d", s.iv.High, s.iv.Form, max(s.iv.Step, 1))
	}
	return text
}

// ivOf is the IV of sector i, as the forms are defined.
func (s *sectorRun) ivOf(i int) []byte {
	number := new(big.Int).SetUint64(max(s.iv.Step, 1))
	number.Mul(number, big.NewInt(int64(i))).Add(number, new(big.Int).SetUint64(s.iv.First))
	number.Add(number, new(big.Int).Lsh(new(big.Int).SetUint64(s.iv.High), 64))
	iv := number.FillBytes(make([]byte, 16))
	if s.iv.Form == registry.IVPlain64BE {
		return iv
	}
	slices.Reverse(iv)
	if s.iv.Form == registry.IVPlain {
		clear(iv[4:])
	}
	return iv
}

// call is the method of c for the run.
func (s *sectorRun) call(c Skcipher, d direction, dst, src []byte) error {
	switch {
	case s.plain() && d == encryption:
		return c.EncryptSectors(dst, src, s.size, s.iv.First)
	case s.plain():
		return c.DecryptSectors(dst, src, s.size, s.iv.First)
	case d == encryption:
		return c.EncryptSectorsIV(dst, src, s.size, s.iv)
	default:
		return c.DecryptSectorsIV(dst, src, s.size, s.iv)
	}
}

// checkSectors checks that a call over many sectors equals one call a sector, the IV of each coming from its number.
func (r *run) checkSectors(i int) error {
	s := sectorRuns[i]
	whole := max(r.subject.Driver.MultipleOf, 1)
	s.size = (s.size + whole - 1) / whole * whole
	m := &message{
		kind: "sector run", index: i, source: s.String(),
		key: r.rng.bytes(inTurn(i+r.firstSize, r.subject.Driver.KeySizes)), in: r.rng.bytes(s.size * s.count),
	}
	l := r.randomLayout()
	if i%2 == 0 { // most small chunks separate the sectors; here the driver itself goes from one to the next
		l.chunk = 0
	}
	r.at = position{m, l}
	c, err := r.keyedSkcipher(m, l)
	if err != nil {
		return err
	}
	for _, d := range []direction{encryption, decryption} {
		want := make([]byte, len(m.in))
		for n := range s.count {
			unit := func(b []byte) []byte { return b[n*s.size:][:s.size] }
			if err := unitCall(c, d)(unit(want), unit(m.in), s.ivOf(n)); err != nil {
				return r.failed(d, "error", fmt.Sprintf("of data unit %d: %s", n, errorText(err)))
			}
		}
		src, dst := r.mem.operands(l, m.in, len(want))
		if err := s.call(c, d, dst, src); err != nil {
			return r.failed(d, "error", errorText(err))
		}
		if !bytes.Equal(dst, want) {
			return r.failed(d, "wrong result", "differs from one call a sector: "+difference(want, dst))
		}
		if err := r.checkSurroundings(d, l); err != nil {
			return err
		}
	}
	return nil
}

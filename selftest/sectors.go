package selftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// sectorRuns are the calls of the sector check. There are single sectors, and more than any driver takes in one pass.
// Sizes are with and without ciphertext stealing, and around multiples of 128 and 256 bytes. Numbers carry out of their
// low bytes, and reach the last one there is.
var sectorRuns = []struct {
	size, count int
	first       uint64
}{
	{16, 1, 0}, {16, 67, 1<<32 - 30}, {17, 19, math.MaxUint64 - 18}, {31, 5, 1<<8 - 2}, {64, 17, 1<<16 - 9},
	{512, 1, 1 << 63}, {512, 9, 1<<32 - 4}, {520, 4, 1<<40 - 2}, {1024, 3, 0x0123456789abcdef}, {4096, 2, 1<<48 - 1},
	{529, 2, 1<<8 - 1}, {543, 3, 7}, {640, 3, 1<<16 - 1},
}

// checkSectors checks that a call over many sectors equals one call a sector, the tweak of each being its number.
func (r *run) checkSectors(i int) error {
	size, count, first := sectorRuns[i].size, sectorRuns[i].count, sectorRuns[i].first
	m := &message{
		kind: "sector run", index: i, source: fmt.Sprintf("%d of %d bytes from number %d", count, size, first),
		key: r.rng.bytes(inTurn(i+r.firstSize, r.subject.Driver.KeySizes)), in: r.rng.bytes(size * count),
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
		for n := range count {
			iv := binary.LittleEndian.AppendUint64(nil, first+uint64(n))
			unit := func(b []byte) []byte { return b[n*size:][:size] }
			if err := unitCall(c, d)(unit(want), unit(m.in), append(iv, make([]byte, 8)...)); err != nil {
				return r.failed(d, "error", fmt.Sprintf("of data unit %d: %s", n, errorText(err)))
			}
		}
		src, dst := r.mem.operands(l, m.in, len(want))
		if err := sectorCall(c, d)(dst, src, size, first); err != nil {
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

package measure

import (
	"slices"

	"kcrypto/tools/tcrypt/internal/result"
)

// cells makes the results of one course of s. There are none if no block of it was completed.
func (b *Bench) cells(s *Series, c *course, setKey map[string]float64) []result.Cell {
	var cells []result.Cell
	for i, contender := range c.ready {
		if len(c.samples[i]) == 0 {
			continue
		}
		x := result.Cell{
			Algorithm: s.Info.Algorithm, Driver: contender.Driver, Impl: contender.Impl, KeyBits: 8 * s.KeySize,
			Direction: result.Encrypt, AAD: s.AAD, Tag: s.Tag, Size: c.size, Sector: s.Sector, Threads: s.threads(),
			Rounds: len(c.rounds[i]), Samples: c.samples[i], SetKeyNS: setKey[contender.Driver],
		}
		if s.Decrypt {
			x.Direction = result.Decrypt
		}
		x.Summarize()
		_, x.Spread = median(c.rounds[i])
		if l, ok := b.Rates.Of(s.Info.Algorithm, s.KeySize); ok && x.CyclesPerByte > 0 {
			x.Limit, x.Share = l.CyclesPerByte, l.CyclesPerByte/x.CyclesPerByte
		}
		cells = append(cells, x)
	}
	if g := slices.IndexFunc(cells, func(x result.Cell) bool { return x.Driver == result.Go }); g >= 0 {
		for i := range cells {
			if i != g {
				cells[i].TimesGo = result.Ratio(&cells[g], &cells[i]).Median
			}
		}
	}
	return cells
}

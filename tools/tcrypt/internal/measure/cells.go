package measure

import (
	"slices"

	"kcrypto/internal/limits"
	"kcrypto/tools/tcrypt/internal/result"
)

// cells makes the results of one course of s. There are none if no block of it was completed.
func (b *Bench) cells(s *Series, c *course, keys *keyCourse) []result.Cell {
	var cells []result.Cell
	for i, contender := range c.ready {
		if len(c.samples[i]) == 0 {
			continue
		}
		x := result.Cell{
			Conditions: s.Conditions, Driver: contender.Driver, Impl: contender.Impl, Size: c.size,
			Rounds: len(c.rounds[i]), Samples: c.samples[i], SetKeyNS: keys.of(contender.Driver),
		}
		if len(x.Samples) < b.Count {
			x.Wanted = b.Count
		}
		x.Summarize()
		_, x.Spread = median(c.rounds[i])
		if l, ok := s.limit(b.Rates, c.size); ok && x.CyclesPerByte > 0 {
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

// chainFrom is the size in bytes from which a chain's latency bounds messages that follow each other: of shorter ones
// the core begins the next before one has ended.
const chainFrom = 16 << 10

// limit is what the machine allows s at best for messages of size bytes. One message of CBC that is encrypted is a
// chain, and one of CCM in both directions; of short ones no bound is known.
func (s *Series) limit(rates limits.Rates, size int) (limits.Limit, bool) {
	chain := limits.ChainOf(s.Algorithm, s.keySize())
	if (s.Direction == result.Encrypt || chain == limits.BothWays) && s.Batch <= 1 && s.Sector == 0 {
		if l, ok := rates.Chain(s.Algorithm, s.keySize()); ok {
			return l, size >= chainFrom
		}
	}
	return rates.Of(s.Algorithm, s.keySize())
}

package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kcrypto/internal/limits"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

// A Series is what is measured side by side: contenders with one key and several message sizes.
type Series struct {
	result.Conditions
	Info    registry.Info // of the algorithm: any driver's
	Drivers []string      // who is to be timed; result.Go is Go's own code
	Sizes   []int         // bytes
}

// NewSeries returns the usual series of an algorithm, but for the sizes: encryption on one thread, with the longest key
// and, for an AEAD, the longest tag and AADSize bytes of additional data.
func NewSeries(info registry.Info, drivers ...string) *Series {
	s := &Series{Info: info, Drivers: drivers, Conditions: result.Conditions{
		Algorithm: info.Algorithm, KeyBits: 8 * slices.Max(info.KeySizes), Direction: result.Encrypt, Threads: 1,
	}}
	if info.Type == registry.TypeAEAD {
		s.AAD, s.Tag = AADSize(info), info.MaxAuthSize
	}
	return s
}

// AADSize is how many bytes of additional data an AEAD usually gets with a message: the least that the IPsec templates
// take, which is SPI and sequence number, 16 for others.
func AADSize(info registry.Info) int { return slices.Min(slices.Concat(info.AADSizes, []int{16})) }

// keySize is the key's in bytes.
func (s *Series) keySize() int { return s.KeyBits / 8 }

// A Bench measures Series. Sizes take turns in blocks of rounds, and each block has a setting of its own (place.go), so
// that what is particular to a moment or to addresses is in few samples.
type Bench struct {
	Time  time.Duration // for each driver and size, in all samples
	Count int           // samples of each: blocks
	Rates limits.Rates  // of the machine; none: nothing is compared with its limit
	// Settle gives what a contender does to the core's clock, as 512-bit instructions do on some CPUs, a millisecond to go
	// before the next one is timed: windows last as long, and one that is not timed comes before each.
	Settle bool
	Step   func(what string) // called with what comes next, if it is not nil
}

// Steps is how many times Series will call Step.
func (b *Bench) Steps(s *Series) int { return b.Count*(len(s.Sizes)+1) + 1 }

// Duration is about how long Series takes for s, on an idle machine: the sizes and the key set-up, with each contender
// and the chain that cycles are counted by, and a tenth as much for warming up.
func (b *Bench) Duration(s *Series) time.Duration {
	sizes := time.Duration(len(s.Sizes) * (len(s.Drivers) + 1))
	if b.Settle {
		sizes *= 2
	}
	return (sizes + time.Duration(len(s.Drivers))) * b.Time * 11 / 10
}

func (b *Bench) step(s *Series, what string) {
	if b.Step != nil {
		b.Step(fmt.Sprintf("%s, %d-bit key, %s", s.Algorithm, s.KeyBits, what))
	}
}

// Series measures s. A contender that computes something else than the generic driver is an error, and nothing is
// timed then. When ctx ends it returns what it has, with ctx's error.
func (b *Bench) Series(ctx context.Context, s *Series) ([]result.Cell, error) {
	key := Key(s.keySize())
	var cs []*Contender
	for _, d := range s.Drivers {
		c, err := s.contend(d, key)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		cs = append(cs, c)
	}
	b.step(s, "looking at the results")
	courses, err := s.courses(ctx, key, cs)
	if err != nil {
		return nil, err
	}
	largeHeap()
	keys, m := newKeyCourse(newMeter(b.Time/time.Duration(b.Count), 0), cs), b.meter(s)
	err = ctx.Err()
	for i := 0; i < b.Count && err == nil; i++ {
		if err = s.renew(cs, key); err != nil {
			break
		}
		elsewhere(func() {
			b.step(s, "key set-up")
			keys.block(ctx)
			for _, c := range courses {
				if ctx.Err() == nil {
					b.step(s, fmt.Sprintf("%d bytes", c.size))
					c.block(ctx, m)
				}
			}
		})
		err = ctx.Err()
	}
	var cells []result.Cell
	for _, c := range courses {
		cells = append(cells, b.cells(s, c, keys)...)
	}
	return cells, err
}

// meter is what times the messages of s.
func (b *Bench) meter(s *Series) meter {
	window := time.Duration(0)
	if b.Settle || s.Threads > 1 {
		window = longWindow
	}
	m := newMeter(b.Time/time.Duration(b.Count), window)
	m.settle = b.Settle
	return m
}

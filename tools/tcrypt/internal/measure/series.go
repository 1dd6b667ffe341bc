package measure

import (
	"context"
	"fmt"
	"time"

	"kcrypto/internal/limits"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

// A Series is what is measured side by side: contenders with one key and several message sizes. Sizes are in bytes.
type Series struct {
	Info    registry.Info // of the algorithm: any driver's
	Drivers []string      // who is to be timed; result.Go is Go's own code
	KeySize int
	Sizes   []int
	Sector  int // each message is a run of such sectors, in one call; 0: it is one message
	AAD     int // additional data of an AEAD
	Tag     int // of an AEAD
	Decrypt bool
	Threads int // that do the same at the same time, each with messages of its own; 0 is 1

	Messages int // that a run does, in one call if it can, each in buffers of its own; 0 is 1
}

func (s *Series) threads() int { return max(s.Threads, 1) }

// A Bench measures Series. Sizes take turns in blocks of rounds, and each block has a setting of its own (place.go), so
// that what is particular to a moment or to addresses is in few samples.
type Bench struct {
	Time  time.Duration // for each driver and size, in all samples
	Count int           // samples of each: blocks
	Rates limits.Rates  // of the machine; none: nothing is compared with its limit
	// Settle gives what a contender does to the core's clock, as 512-bit instructions do on some CPUs, a millisecond to go
	// before the next one is timed: windows last as long, and one that is not timed comes before each.
	Settle bool
	Step   func(what string) // told what comes next, if it is not nil
}

// Steps is how many times Series will call Step.
func (b *Bench) Steps(s *Series) int { return b.Count*len(s.Sizes) + 2 }

func (b *Bench) step(s *Series, what string) {
	if b.Step != nil {
		b.Step(fmt.Sprintf("%s, %d-bit key, %s", s.Info.Algorithm, 8*s.KeySize, what))
	}
}

// Series measures s. A contender that computes something else than the generic driver is an error, and nothing is
// timed then. When ctx ends it returns what it has, with ctx's error.
func (b *Bench) Series(ctx context.Context, s *Series) ([]result.Cell, error) {
	key := Key(s.KeySize)
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
	b.step(s, "key set-up")
	setKey := keySetUp(ctx, newMeter(b.Time, 0), cs)
	m := b.meter(s)
	for range b.Count {
		if err := s.renew(cs, key); err != nil {
			return nil, err
		}
		elsewhere(func() {
			for _, c := range courses {
				b.step(s, fmt.Sprintf("%d bytes", c.size))
				c.block(ctx, m)
			}
		})
	}
	var cells []result.Cell
	for _, c := range courses {
		cells = append(cells, b.cells(s, c, setKey)...)
	}
	return cells, ctx.Err()
}

// meter is what times the messages of s.
func (b *Bench) meter(s *Series) meter {
	window := time.Duration(0)
	if b.Settle || s.threads() > 1 {
		window = longWindow
	}
	m := newMeter(b.Time/time.Duration(b.Count), window)
	m.settle = b.Settle
	return m
}

// keySetUp measures the key set-up in ns, by driver. When ctx ends it is not complete.
func keySetUp(ctx context.Context, m meter, cs []*Contender) map[string]float64 {
	var ops []Op
	var things []timed
	for _, c := range cs {
		op := func(n int) {
			for range n {
				_ = c.setKey() // the same key was accepted before
			}
		}
		ops, things = append(ops, op), append(things, m.alone(op))
	}
	ns := map[string]float64{}
	for i, r := range m.block(ctx, things, m.fits(ops)) {
		if len(r.ns) > 0 {
			ns[cs[i].Driver], _ = median(r.ns)
		}
	}
	return ns
}

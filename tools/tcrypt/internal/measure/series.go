package measure

import (
	"context"
	"errors"
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
}

// A Bench measures Series. Sizes take turns in blocks of rounds, and each block has its messages at other addresses, so
// that what is particular to a moment or to a place is in few samples.
type Bench struct {
	Time  time.Duration     // for each driver and size, in all samples
	Count int               // samples of each: blocks
	Rates limits.Rates      // of the machine; none: nothing is compared with its limit
	Step  func(what string) // told what comes next, if it is not nil
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
	b.step(s, "key set-up")
	m := newMeter(b.Time / time.Duration(b.Count))
	setKey := keySetUp(ctx, newMeter(b.Time), cs)
	for range b.Count {
		for _, c := range courses {
			b.step(s, fmt.Sprintf("%d bytes", c.size))
			c.block(ctx, m)
		}
	}
	var cells []result.Cell
	for _, c := range courses {
		cells = append(cells, b.cells(s, c, setKey)...)
	}
	return cells, ctx.Err()
}

// keySetUp measures the key set-up in ns, by driver. When ctx ends it is not complete.
func keySetUp(ctx context.Context, m meter, cs []*Contender) map[string]float64 {
	ops := make([]Op, len(cs))
	for i, c := range cs {
		ops[i] = func(n int) {
			for range n {
				_ = c.setKey() // the same key was accepted before
			}
		}
	}
	ns := map[string]float64{}
	for i, samples := range m.block(ctx, ops, m.fit(ops)) {
		if len(samples) > 0 {
			ns[cs[i].Driver], _ = median(samples)
		}
	}
	return ns
}

// A course is what happens with one message size.
type course struct {
	size    int
	job     *job
	ready   []*Contender // those that can do the job
	counts  []int        // runs in a window, of each and of the chain
	rounds  [][]float64  // times of each
	samples [][]result.Sample
}

// courses prepares all sizes of s, and looks at what each contender computes. Go's code is left out where it cannot
// do the job.
func (s *Series) courses(ctx context.Context, key []byte, cs []*Contender) ([]*course, error) {
	reference, err := s.reference(key)
	if err != nil {
		return nil, err
	}
	defer reference.Close()
	var all []*course
	for _, size := range s.Sizes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := &course{size: size}
		if c.job, err = s.newJob(size, reference); err != nil {
			return nil, err
		}
		for _, contender := range cs {
			err := c.job.check(contender, reference.Driver)
			if err == nil {
				c.ready = append(c.ready, contender)
			} else if contender.Driver != result.Go || !errors.Is(err, errCannot) {
				return nil, fmt.Errorf("%s, %d bytes, %d-bit key: %w: nothing was timed", s.Info.Algorithm, size, 8*s.KeySize, err)
			}
		}
		c.rounds, c.samples = make([][]float64, len(c.ready)), make([][]result.Sample, len(c.ready))
		all = append(all, c)
	}
	return all, nil
}

// block takes one sample of each contender. If ctx ends too early for that there is none.
func (c *course) block(ctx context.Context, m meter) {
	c.job.move()
	var ops []Op
	for _, contender := range c.ready {
		ops = append(ops, c.job.op(contender.transform))
	}
	ops = append(ops, chain)
	if c.counts == nil {
		c.counts = m.fit(ops)
	}
	times := m.block(ctx, ops, c.counts)
	if len(times[len(c.ready)]) < minRounds {
		return
	}
	ghz := 0.0
	if CyclesKnown {
		link, _ := median(times[len(c.ready)])
		ghz = chainCycles / link
	}
	for i := range c.ready {
		ns, _ := median(times[i])
		c.samples[i] = append(c.samples[i], result.Sample{NS: ns, N: c.counts[i] * len(times[i]), GHz: ghz})
		c.rounds[i] = append(c.rounds[i], times[i]...)
	}
}

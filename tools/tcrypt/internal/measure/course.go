package measure

import (
	"context"
	"errors"
	"fmt"

	"kcrypto/tools/tcrypt/internal/result"
)

// A course is what happens with one message size.
type course struct {
	size    int
	jobs    []*job            // one for each thread
	ready   []*Contender      // those that can do the job
	fits    []fit             // of each of them and of the chain
	rounds  [][]float64       // times of each
	samples [][]result.Sample // of each
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
		c := &course{size: size}
		for range s.Threads {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			j, err := s.newJob(size, reference)
			if err != nil {
				return nil, err
			}
			c.jobs = append(c.jobs, j)
		}
		for _, contender := range cs {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			err := c.jobs[0].check(contender, reference.Driver)
			if err == nil {
				c.ready = append(c.ready, contender)
			} else if contender.Driver != result.Go || !errors.Is(err, errCannot) {
				return nil, fmt.Errorf("%s, %d bytes, %d-bit key: %w: nothing was timed", s.Algorithm, size, s.KeyBits, err)
			}
		}
		c.rounds, c.samples = make([][]float64, len(c.ready)), make([][]result.Sample, len(c.ready))
		all = append(all, c)
	}
	return all, nil
}

// ops is what each thread does with t.
func (c *course) ops(t any) []Op {
	ops := make([]Op, len(c.jobs))
	for i, j := range c.jobs {
		ops[i] = j.op(t)
	}
	return ops
}

// block takes one sample of each contender. If ctx ends too early for that there is none.
func (c *course) block(ctx context.Context, m meter) {
	for _, j := range c.jobs {
		j.move()
	}
	var first []Op
	var things []timed
	add := func(ops []Op) {
		first = append(first, ops[0])
		if len(ops) == 1 {
			things = append(things, m.alone(ops[0]))
		} else {
			things = append(things, m.together(ops))
		}
	}
	for _, contender := range c.ready {
		add(c.ops(contender.transform))
	}
	var chains []Op
	for range c.jobs {
		chains = append(chains, newChain().run)
	}
	add(chains)
	if c.fits == nil {
		c.fits = m.fits(ctx, first)
	}
	all := m.block(ctx, things, c.fits)
	links := all[len(c.ready)].ns
	if len(links) < minRounds {
		return
	}
	ghz := 0.0
	if CyclesKnown {
		link, _ := median(links)
		ghz = chainCycles / link
	}
	messages := c.jobs[0].messages()
	for i := range c.ready {
		for k := range all[i].ns {
			all[i].ns[k] /= float64(messages)
		}
		ns, _ := median(all[i].ns)
		c.samples[i] = append(c.samples[i], result.Sample{NS: ns, N: all[i].runs * messages, GHz: ghz})
		c.rounds[i] = append(c.rounds[i], all[i].ns...)
	}
}

package measure

import (
	"context"
	"time"
)

// Count has driver do messages of size bytes, as s has them otherwise, for d, and returns how many it did and how long
// that took, on one thread. What it computes is looked at before, as by Bench.Series. When ctx ends it returns what it
// has, with ctx's error.
func Count(ctx context.Context, s *Series, driver string, size int,
	d time.Duration) (n int, took time.Duration, err error) {
	key := Key(s.keySize())
	c, err := s.contend(driver, key)
	if err != nil {
		return 0, 0, err
	}
	defer c.Close()
	one := *s
	one.Sizes, one.Drivers = []int{size}, []string{driver}
	courses, err := one.courses(ctx, key, []*Contender{c})
	if err != nil {
		return 0, 0, err
	}
	j, m := courses[0].jobs[0], newMeter(d, 0)
	op := j.op(c.transform)
	turn := m.fits(ctx, []Op{op})[0].count
	for begin := m.now(); took < d && ctx.Err() == nil; took = m.now() - begin {
		op(turn)
		n += turn * j.messages()
	}
	return n, took, ctx.Err()
}

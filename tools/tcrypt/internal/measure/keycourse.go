package measure

import "context"

// A keyCourse is what happens with the key set-up: like the sizes it has a turn in each block, so an interruption finds
// as much of it measured.
type keyCourse struct {
	m    meter
	ops  []Op
	fits []fit
	ns   map[string][]float64 // by driver, a sample a block
	cs   []*Contender
}

func newKeyCourse(m meter, cs []*Contender) *keyCourse {
	k := &keyCourse{m: m, cs: cs, ns: map[string][]float64{}}
	for _, c := range cs {
		k.ops = append(k.ops, func(n int) {
			for range n {
				_ = c.setKey() // the same key was accepted before
			}
		})
	}
	return k
}

// block takes a sample of each contender, unless ctx ends too early for that.
func (k *keyCourse) block(ctx context.Context) {
	if k.fits == nil {
		k.fits = k.m.fits(ctx, k.ops)
	}
	var things []timed
	for _, op := range k.ops {
		things = append(things, k.m.alone(op))
	}
	for i, r := range k.m.block(ctx, things, k.fits) {
		if len(r.ns) >= minRounds {
			ns, _ := median(r.ns)
			k.ns[k.cs[i].Driver] = append(k.ns[k.cs[i].Driver], ns)
		}
	}
}

// of returns the time in ns that driver takes, or 0 if it was not measured.
func (k *keyCourse) of(driver string) float64 {
	if len(k.ns[driver]) == 0 {
		return 0
	}
	ns, _ := median(k.ns[driver])
	return ns
}

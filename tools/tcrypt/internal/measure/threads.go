package measure

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// together times ops that run at the same time, each on a thread of its own, for a window. They begin together, and end
// together but for an eighth of a window at most, or one run if that takes longer; the time is that of one run on one
// thread, on average over the runs that fit into a second.
func (m meter) together(ops []Op) timed {
	return func(n int) (float64, int) {
		var ready atomic.Int32
		var all sync.WaitGroup
		runs, took := make([]int, len(ops)), make([]time.Duration, len(ops))
		for i, op := range ops {
			all.Go(func() {
				for ready.Add(1); int(ready.Load()) < len(ops); {
					runtime.Gosched()
				}
				if m.settle {
					op(n)
				}
				for begin := m.now(); took[i] < m.window; took[i] = m.now() - begin {
					op(max(1, n/8))
					runs[i] += max(1, n/8)
				}
			})
		}
		all.Wait()
		rate, sum := 0.0, 0
		for i := range ops {
			rate += float64(runs[i]) / float64(took[i])
			sum += runs[i]
		}
		return float64(len(ops)) / rate, sum / len(ops)
	}
}

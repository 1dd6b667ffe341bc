package measure

import "runtime"

// chainCycles is how many core cycles one link of a chain takes: 16 multiplications of 64 bits, each of which waits
// for the one before and takes 3 cycles on every amd64 CPU since Intel's Nehalem and AMD's Zen (Agner Fog,
// "Instruction tables"). The time-stamp counter would not do: it does not follow the clock that the core runs at.
const chainCycles = 16 * 3

// CyclesKnown says whether chainCycles holds here.
const CyclesKnown = runtime.GOARCH == "amd64"

// A chain is what the core's clock is measured by. Each thread has its own.
type chain struct{ value, factor uint64 }

func newChain() *chain { return &chain{1, 0x9e3779b97f4a7c15} }

// run is an Op. What it computes stays in c, so that the compiler cannot leave it out.
func (c *chain) run(n int) {
	x, k := c.value, c.factor
	for range n {
		x = x * k * k * k * k
		x = x * k * k * k * k
		x = x * k * k * k * k
		x = x * k * k * k * k
	}
	c.value = x
}

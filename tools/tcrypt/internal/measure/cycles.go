package measure

import "runtime"

// chainCycles is how many core cycles one link of chain takes: 16 multiplications of 64 bits, each of which waits
// for the one before and takes 3 cycles on every amd64 CPU since Intel's Nehalem and AMD's Zen (Agner Fog,
// "Instruction tables"). The time-stamp counter would not do: it does not follow the clock that the core runs at.
const chainCycles = 16 * 3

// CyclesKnown says whether chainCycles holds here.
const CyclesKnown = runtime.GOARCH == "amd64"

// What chain computes goes from and to here, so that the compiler cannot leave it out.
var chainValue, chainFactor uint64 = 1, 0x9e3779b97f4a7c15

// chain is the op by which the core's clock is measured.
func chain(n int) {
	x, k := chainValue, chainFactor
	for range n {
		x = x * k * k * k * k
		x = x * k * k * k * k
		x = x * k * k * k * k
		x = x * k * k * k * k
	}
	chainValue = x
}

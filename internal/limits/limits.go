// Package limits measures how fast this machine's cores issue the instructions that ciphers are made of. From that it
// derives the least number of cycles a byte that an algorithm can take. Execution ports set this bound: no code is
// faster, and good code comes close. tcrypt shows rates and bounds, and what share of the bound a driver reaches.
package limits

import (
	"slices"
	"time"

	"kcrypto/internal/cpu"
)

// Width is the vector width and the encoding of the instructions that were timed.
type Width struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

var (
	sse = Width{"sse", 16}
	xmm = Width{"xmm", 16}
	ymm = Width{"ymm", 32}
	zmm = Width{"zmm", 64}
)

// loop is one function to be timed.
type loop struct {
	kind  string // of instruction, or of mix
	width Width
	ops   int // instructions, or mixes, in one iteration
	needs []string
	run   func(n int)
}

// Rate is the result of one loop.
type Rate struct {
	Kind   string  `json:"kind"`
	Width  Width   `json:"width"`
	Cycles float64 `json:"cycles"` // of the core's clock, for one instruction or mix
}

// Rates are the rates of a machine. The zero value knows none.
type Rates struct {
	List []Rate  `json:"rates"`
	GHz  float64 `json:"core_ghz"` // the core's clock while they were taken
}

const (
	chainCycles = 3 * perLoop // one iteration of chain
	window      = 20 * time.Microsecond
	rounds      = 40
)

// Measure times every loop that a CPU with the features f has, taking turns with the clock. It takes some 50 ms.
func Measure(f cpu.Features) Rates {
	run := []func(int){chain}
	var usable []loop
	for _, l := range loops {
		if len(f.Missing(l.needs)) == 0 {
			usable = append(usable, l)
			run = append(run, l.run)
		}
	}
	if usable == nil {
		return Rates{}
	}
	ns := turns(run)
	cycle := ns[0] / chainCycles
	r := Rates{GHz: 1 / cycle}
	for i, l := range usable {
		r.List = append(r.List, Rate{l.kind, l.width, ns[i+1] / cycle / float64(l.ops)})
	}
	return r
}

// turns runs all loops in turns and returns the 20th percentile of each one's time in ns for one iteration: a
// disturbance can only lengthen a turn.
func turns(run []func(int)) []float64 {
	counts := make([]int, len(run))
	for i, f := range run {
		counts[i] = fit(f)
	}
	samples := make([][]float64, len(run))
	for range rounds {
		for i, f := range run {
			start := time.Now()
			f(counts[i])
			samples[i] = append(samples[i], float64(time.Since(start).Nanoseconds())/float64(counts[i]))
		}
	}
	ns := make([]float64, len(run))
	for i, s := range samples {
		slices.Sort(s)
		ns[i] = s[len(s)/5]
	}
	return ns
}

// fit finds how many iterations fill a window.
func fit(f func(int)) int {
	for n := 64; ; n *= 2 {
		start := time.Now()
		f(n)
		if time.Since(start) >= window/2 {
			return n
		}
	}
}

// Cycles returns what kind takes at width.
func (r Rates) Cycles(kind string, w Width) (float64, bool) {
	i := slices.IndexFunc(r.List, func(x Rate) bool { return x.Kind == kind && x.Width == w })
	if i < 0 {
		return 0, false
	}
	return r.List[i].Cycles, true
}

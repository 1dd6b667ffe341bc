package main

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"kcrypto/internal/cpu"
)

// operation is something to be timed. Prepare makes it ready for a secret, outside of the time taken; run does it.
type operation struct {
	prepare func(secret []byte)
	run     func()
	size    int // of the secret, in bytes
}

// sample is one measurement.
type sample struct {
	cycles float64
	kind   int // 0: fixed secret, 1: random
}

// compare times o with a fixed secret and random ones for a while, and returns the largest |t| over several cuts of
// the slowest samples: interrupts hide small effects, and a leak may be in the common case or in a rare one.
func compare(ctx context.Context, each time.Duration, o operation) float64 {
	samples := measure(ctx, each, o)
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b sample) int {
		return int(math.Copysign(1, a.cycles-b.cycles))
	})
	largest := 0.0
	for _, share := range []float64{0.5, 0.9, 0.99, 1} {
		largest = max(largest, math.Abs(welch(samples, sorted[int(share*float64(len(sorted)-1))].cycles)))
	}
	return largest
}

// group is how many secrets are made before they are used one after the other. Random ones, just made, may still be on
// their way from the store buffer to the cache, where the fixed one is not: that must not show. The cache should have
// all of them.
const group = 32

// measure takes samples for a while. Which kind of secret comes next is random.
func measure(ctx context.Context, each time.Duration, o operation) []sample {
	source := rand.NewChaCha8([32]byte{1})
	random := rand.New(source)
	fixed := make([]byte, o.size)
	source.Read(fixed)
	var secrets [group][]byte
	for i := range secrets {
		secrets[i] = make([]byte, o.size)
	}
	list := make([]sample, 0, 1<<20)
	for end := time.Now().Add(each); time.Now().Before(end) && ctx.Err() == nil && len(list)+group <= cap(list); {
		var kinds [group]int
		for i, secret := range secrets {
			source.Read(secret)
			if kinds[i] = random.IntN(2); kinds[i] == 0 {
				copy(secret, fixed)
			}
		}
		for i, secret := range secrets {
			o.prepare(secret)
			before := cpu.TSC()
			o.run()
			list = append(list, sample{float64(cpu.TSC() - before), kinds[i]})
		}
	}
	return list[len(list)/50:] // the first ones warm up
}

// welch is Welch's t over the samples up to a limit: the difference of the means in units of its standard error.
func welch(samples []sample, limit float64) float64 {
	var kinds [2]stats.StreamStats
	for _, s := range samples {
		if s.cycles <= limit {
			kinds[s.kind].Add(s.cycles)
		}
	}
	test, err := stats.TwoSampleWelchTTest(&kinds[0], &kinds[1], stats.LocationDiffers)
	switch {
	case err == nil:
		return test.T
	case errors.Is(err, stats.ErrZeroVariance) && kinds[0].Mean() != kinds[1].Mean():
		return math.Inf(1)
	}
	return 0 // too few samples, or all alike
}

package result

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is what the intervals promise: that so many of them hold the true median.
const Confidence = 0.95

// MinSamples is how many samples an interval of that confidence takes: the least and the greatest of n have the median
// between them with a probability of 1 - 2^(1-n).
const MinSamples = 6

// An Estimate is a median and its confidence interval.
type Estimate struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Median estimates the median of what values, in the order in which they came, were drawn from, whatever its
// distribution: the interval goes from one order statistic to another. Values that follow on each other may be like
// each other: the interval is then wider by their Inflation. With fewer than MinSamples values it goes from the least
// to the greatest.
func Median(values []float64) Estimate {
	s := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	sum := benchmath.AssumeNothing.Summary(s, math.Erf(Z*Inflation(values)/math.Sqrt2))
	return Estimate{sum.Center, max(sum.Lo, s.Values[0]), min(sum.Hi, s.Values[len(values)-1])}
}

// Z is how many standard errors a normal distribution has on either side for Confidence.
const Z = 1.959964

// Inflation is by how much the standard error of the median is greater than that of independent values, if each value
// has the correlation r with the next, the square of it with the one after that, and so on: sqrt((1+r) / (1-r)). A
// machine that is slow for longer than a block of rounds has such samples. r is that of the ranks, since single values
// may be far off. An r below 0 is taken for chance.
func Inflation(values []float64) float64 {
	middle := float64(len(values)-1) / 2
	last, products, squares := 0.0, 0.0, 0.0
	for i, v := range values {
		rank := -middle
		for j, w := range values {
			switch {
			case w < v:
				rank++
			case w == v && j != i:
				rank += 0.5
			}
		}
		products += last * rank
		squares += rank * rank
		last = rank
	}
	if squares == 0 {
		return 1
	}
	r := min(max(products/squares, 0), maxCorrelation)
	return math.Sqrt((1 + r) / (1 - r))
}

// maxCorrelation keeps Inflation finite.
const maxCorrelation = 0.9

// Within is the interval's half width, as a share of the median: the wider half, if they differ.
func (e Estimate) Within() float64 { return max(e.High-e.Median, e.Median-e.Low) / e.Median }

// Known says whether c has enough samples for a confidence interval.
func (c *Cell) Known() bool { return len(c.Samples) >= MinSamples }

// NSValues returns the times in c's samples.
func (c *Cell) NSValues() []float64 {
	values := make([]float64, len(c.Samples))
	for i, s := range c.Samples {
		values[i] = s.NS
	}
	return values
}

// Estimate is c's time for a message, in ns.
func (c *Cell) Estimate() Estimate { return Estimate{c.NS, c.Low, c.High} }

// Ratio estimates how many times longer a took than b, both of one series of one run: sample by sample, since these
// were taken side by side.
func Ratio(a, b *Cell) Estimate {
	ratios := make([]float64, min(len(a.Samples), len(b.Samples)))
	for i := range ratios {
		ratios[i] = a.Samples[i].NS / b.Samples[i].NS
	}
	return Median(ratios)
}

// Summarize works out c's speed from its samples, of which there must be one.
func (c *Cell) Summarize() {
	e := Median(c.NSValues())
	c.NS, c.Low, c.High = e.Median, e.Low, e.High
	c.GBps = float64(c.Size*c.Threads) / c.NS
	var cycles, ghz []float64
	for _, s := range c.Samples {
		cycles, ghz = append(cycles, s.NS*s.GHz), append(ghz, s.GHz)
	}
	c.CyclesPerByte, c.GHz = Median(cycles).Median/float64(c.Size), Median(ghz).Median
}

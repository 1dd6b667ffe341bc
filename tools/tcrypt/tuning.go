package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

func writeTuning(w io.Writer, t *tuning) {
	form.WriteHeader(w, &t.Header)
	for i := range t.Algorithms {
		fmt.Fprintln(w)
		writeTuned(w, &t.Algorithms[i])
	}
	form.WriteNotes(w, t.notes())
}

// notes are what is to be said of all algorithms.
func (t *tuning) notes() []string {
	var within []float64
	for i := range t.Algorithms {
		if t.Algorithms[i].Samples < result.MinSamples {
			continue
		}
		for _, r := range t.Algorithms[i].Ranks {
			within = append(within, r.Behind.Within())
		}
	}
	return result.Notes(t.Interrupted, within)
}

func writeTuned(w io.Writer, t *tuned) {
	text.Print(w, t.title()+": times over the fastest driver's, best driver first", 0)
	if t.Wanted > 0 {
		fmt.Fprintf(w, "interrupted: %s samples\n", result.SamplesOf(t.Samples, t.Wanted))
	}
	heads := []string{"driver", ">priority"}
	for _, size := range t.Sizes {
		heads = append(heads, fmt.Sprintf(">%d B", size))
	}
	out := text.NewTable(append(heads, ">all", ">±")...)
	for i := range t.Ranks {
		x := &t.Ranks[i]
		row := []string{x.Driver, fmt.Sprint(x.Priority)}
		for _, v := range x.BySize {
			row = append(row, text.Number(v.Median))
		}
		within := "-"
		if t.Samples >= result.MinSamples {
			within = fmt.Sprintf("%.1f%%", 100*x.Behind.Within())
		}
		out.Add(append(row, text.Number(x.Behind.Median), within)...)
	}
	out.Write(w)
	for _, line := range advice(t) {
		if strings.HasPrefix(line, " ") { // a line of a program
			fmt.Fprintln(w, line)
		} else {
			text.Print(w, line, 100)
		}
	}
}

// advice says what is wrong with the present order, and what mends it.
func advice(t *tuned) []string {
	var lines []string
	for _, x := range t.Wrong {
		lines = append(lines, fmt.Sprintf("The order is wrong: %s comes before %s and takes %s times as long (%s to %s).",
			x.Slower, x.Faster, text.Number(x.By.Median), text.Number(x.By.Low), text.Number(x.By.High)))
	}
	if t.Samples < result.MinSamples {
		return []string{fmt.Sprintf("Too few samples to say whether the order is right: it takes %d.", result.MinSamples)}
	}
	if lines == nil {
		lines = append(lines, "The order is right: no driver is slower than one of a lower priority for certain.")
	}
	lines = append(lines, exceptions(&t.Ranking)...)
	if t.KCRYPTO != "" {
		lines = append(lines, "To prefer the best driver: KCRYPTO='"+t.KCRYPTO+"'")
	}
	if len(t.Priorities) > 0 {
		lines = append(lines, "To set the order in a program:")
		byPriority := func(a, b string) int { return cmp.Compare(t.Priorities[b], t.Priorities[a]) }
		for _, driver := range slices.SortedFunc(maps.Keys(t.Priorities), byPriority) {
			lines = append(lines, fmt.Sprintf("    err = kcrypto.SetPriority(%q, %d)", driver, t.Priorities[driver]))
		}
	}
	return lines
}

// exceptionFrom is how much the best driver of all sizes must be behind at one for this to be reported.
const exceptionFrom = 1.03

// exceptions are the sizes at which the best driver of all sizes is not the fastest one.
func exceptions(r *compare.Ranking) []string {
	var lines []string
	for i, size := range r.Sizes {
		if behind := r.Ranks[0].BySize[i]; behind.Median > exceptionFrom && r.Certain(behind) {
			fastest := slices.IndexFunc(r.Ranks, func(x compare.Rank) bool { return x.BySize[i].High == 1 }) // 1 to itself
			lines = append(lines, fmt.Sprintf("At %d bytes %s is the fastest; %s takes %s times as long.",
				size, r.Ranks[fastest].Driver, r.Ranks[0].Driver, text.Number(behind.Median)))
		}
	}
	return lines
}

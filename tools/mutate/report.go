package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// report counts what happened to the mutants.
type report struct {
	want      int
	tried     int
	same      int // compute the same, by the list, and were not tried
	by        map[outcome]int
	survivors []*mutant
	began     time.Time
	live      bool // somebody watches
}

func newReport(want int) *report {
	return &report{want: want, by: map[outcome]int{}, began: time.Now(), live: term.IsTerminal(int(os.Stderr.Fd()))}
}

// add notes one mutant. One that does not build is no mutant: another is drawn.
func (r *report) add(m *mutant, by outcome) {
	r.by[by]++
	if by != unbuildable {
		r.tried++
	}
	if by == survived {
		r.survivors = append(r.survivors, m)
		fmt.Printf("survived: %v\n", m)
	}
	if r.live {
		fmt.Fprintf(os.Stderr, "\r%d of %d, %d survived, %v ", r.tried, r.want, len(r.survivors),
			time.Since(r.began).Round(time.Second))
	}
}

// finish prints the sums, and is an error if too many survived or nothing was tried.
func (r *report) finish(allow float64) error {
	fmt.Printf("%d mutants in %v: noticed by the self-test %d, by the package's tests %d, by the suite %d, by the tests "+
		"of what is built on it %d, by not ending %d; survived %d. Besides, %d compute the same (same.txt), and %d did not "+
		"build.\n", r.tried, time.Since(r.began).Round(time.Second), r.by[selfTest], r.by[package_], r.by[suite],
		r.by[users], r.by[hung], r.by[survived], r.same, r.by[unbuildable])
	if r.tried < r.want {
		return fmt.Errorf("stopped after %d of %d mutants", r.tried, r.want)
	}
	if share := float64(len(r.survivors)) / float64(r.tried); share > allow {
		return fmt.Errorf("%.1f %% survived, want at most %.1f %%: explain them or write the tests", 100*share, 100*allow)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/picture"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// tuneSizes are those by which drivers are ranked, in bytes: short messages, packets, sectors, records and chunks.
var tuneSizes = []int{64, 512, 1420, 4096, 16384, 65536}

func (a *app) tuneCommand() *cobra.Command {
	o := newSpeedOptions()
	o.usual.sizes, o.usual.sectors = tuneSizes, nil
	o.time, o.settle = 100*time.Millisecond, true
	cmd := &cobra.Command{
		Use:   "tune name...",
		Short: "Find the best order of an algorithm's drivers on this machine",
		Long: `Measure all drivers of an algorithm that work here at several sizes, and show the order of
priorities that this machine supports, where the present order is wrong and by how much, and the
settings that mend it. Drivers are ranked by the geometric mean of their times over all sizes and
keys: give --sizes and --keys what your program has.

Windows last a millisecond, and one before each is not timed: what a driver does to the core's clock,
as 512-bit instructions do on some CPUs, is over when the next one is timed. --all-cores has all
cores do the same at once, where the order may be another one.`,
		Example: `  tcrypt tune 'gcm(aes)'
  tcrypt tune 'ctr(aes)' 'xts(aes)' --sizes 512,4096 --all-cores`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("tune takes algorithms; for example: tcrypt tune 'gcm(aes)'")
			}
			return nil
		},
		ValidArgsFunction: completeNames,
	}
	o.flags(cmd)
	allCores := cmd.Flags().Bool("all-cores", false, "measure on all cores at once: as many --threads as there are")
	var pics pictures
	pics.flags(cmd)
	output := outputFlag(cmd, "table", "json")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if *allCores && cmd.Flags().Changed("threads") {
			return usagef("--all-cores and --threads both say how many threads there are; want one of them")
		}
		if *allCores {
			o.threads = runtime.GOMAXPROCS(0)
		}
		if err := o.begin(); err != nil {
			return err
		}
		if err := pics.check(a, output.value); err != nil {
			return err
		}
		t, err := a.tune(cmd.Context(), names, o)
		if t == nil {
			return err
		}
		if output.value == "json" {
			err = errors.Join(err, result.WriteJSON(a.out, t))
		} else {
			writeTuning(a.out, t)
		}
		if len(t.Algorithms) == 0 {
			return err
		}
		album := picture.OfRankings(&t.Header, t.rankings(), t.notes())
		pics.draw(a, album)
		return errors.Join(err, pics.write(album))
	}
	return cmd
}

// A tuning is what the tune command finds out.
type tuning struct {
	result.Header
	Algorithms []tuned `json:"algorithms"`
}

// tuned is what it finds out about one algorithm.
type tuned struct {
	Algorithm string `json:"algorithm"`
	Threads   int    `json:"threads"`
	Direction string `json:"direction"`
	compare.Ranking
	KCRYPTO    string         `json:"set_kcrypto"`    // a setting that prefers the best driver, or ""
	Priorities map[string]int `json:"set_priorities"` // for kcrypto.SetPriority; empty if the order is right
}

// tune measures. What was measured before an interruption is made use of too.
func (a *app) tune(ctx context.Context, names []string, o speedOptions) (*tuning, error) {
	p, err := a.tunePlan(ctx, names, o)
	if err != nil {
		return nil, err
	}
	t := &tuning{Header: a.header(p), Algorithms: []tuned{}}
	type key struct{ algorithm, direction string }
	by := map[key][]result.Cell{}
	err = a.measure(ctx, o.bench(), p, func(cells []result.Cell) {
		if len(cells) > 0 {
			k := key{cells[0].Algorithm, cells[0].Direction}
			by[k] = append(by[k], cells...)
		}
	})
	t.Interrupted = err != nil
	for _, s := range p {
		k := key{s.Algorithm, s.Direction}
		if cells := by[k]; cells != nil {
			t.Algorithms = append(t.Algorithms, t.tuned(cells))
			delete(by, k)
		}
	}
	return t, err
}

// title says what the ranking is of.
func (t *tuned) title() string {
	return fmt.Sprintf("%s, %sion, %s", t.Algorithm, t.Direction, text.Counted(t.Threads, "thread"))
}

// rankings are what pictures show.
func (t *tuning) rankings() []picture.Ranked {
	var all []picture.Ranked
	for i := range t.Algorithms {
		all = append(all, picture.Ranked{Title: t.Algorithms[i].title(), Ranking: t.Algorithms[i].Ranking})
	}
	return all
}

// tunePlan refuses names that have no order of their own.
func (a *app) tunePlan(ctx context.Context, names []string, o speedOptions) (plan, error) {
	gs, err := groups(names)
	if err != nil {
		return nil, err
	}
	for _, g := range gs {
		driver := g.drivers[0].Driver
		if _, inner, ok := strings.Cut(driver, "("); ok {
			inner = kcrypto.Drivers(strings.TrimSuffix(inner, ")"))[0].Algorithm
			return nil, usagef("%s has the order of %s; tune that", g.name, inner)
		}
		if len(g.drivers) == 1 && g.name == g.algorithm {
			return nil, usagef("%s has one driver in this build, which needs no order", g.name)
		} else if len(g.drivers) == 1 {
			return nil, usagef("%s is one driver, which has no order; tune %s", g.name, g.algorithm)
		}
	}
	o.drivers = []string{"all"}
	p, err := a.plan(ctx, names, o)
	for _, s := range p { // Go's own code has no priority
		if n := len(s.Drivers); s.Drivers[n-1] == result.Go {
			s.Drivers = s.Drivers[:n-1]
		}
	}
	return p, err
}

// tuned ranks the drivers of one algorithm.
func (t *tuning) tuned(cells []result.Cell) tuned {
	c := &cells[0]
	r := tuned{Algorithm: c.Algorithm, Threads: c.Threads, Direction: c.Direction,
		Ranking: compare.RankOf(&t.Header, cells)}
	r.Priorities = r.Ranking.Priorities()
	if e, err := kcrypto.Explain(c.Algorithm); err == nil && e.Winner != r.Ranks[0].Driver {
		r.KCRYPTO = fmt.Sprintf("prefer.%s=%s", c.Algorithm, r.Ranks[0].Driver)
	}
	return r
}

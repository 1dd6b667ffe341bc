package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// The tour's messages: a network packet's worth and a file chunk's, both of which Go's XTS takes too.
var tourSizes = []int{1024, 16384}

// The tour measures each driver and size for tourTime, and takes tourCount samples.
const (
	tourTime  = 20 * time.Millisecond
	tourCount = 5
)

// tour is what tcrypt does without a command: what there is, whether it works, how fast it is.
func (a *app) tour(ctx context.Context) error {
	gs, err := groups(nil)
	if err != nil {
		return err
	}
	err = a.selfTest(ctx, gs)
	m := result.ThisMachine()
	form.WriteHeadline(a.out, &m)
	fmt.Fprintln(a.out)
	failed := writeOverview(a.out, gs)
	var rows []tourRow
	if err == nil {
		rows, err = a.tourSpeed(ctx, gs)
	}
	a.progress.clear()
	writeTourSpeed(a.out, rows)
	if err != nil {
		fmt.Fprintln(a.out, "\n"+result.InterruptedNote)
		return errors.Join(err, failures(failed))
	}
	if err := cannotRun(gs, false); err != nil {
		return err
	}
	fmt.Fprintln(a.out, "\nNext: tcrypt speed 'gcm(aes)' --drivers all\n      tcrypt help shows the other commands")
	return failures(failed)
}

// writeOverview prints a line on each algorithm, and on each driver that failed; it returns how many did.
func writeOverview(w io.Writer, gs []group) int {
	count := map[registry.SelfTest]int{}
	t := text.NewTable("algorithm", "passed their self-test, best first")
	var failed []string
	for _, g := range gs {
		var impls []string
		for _, info := range g.drivers {
			count[info.SelfTest]++
			switch info.SelfTest {
			case registry.Passed:
				impls = append(impls, info.Impl)
			case registry.Failed:
				failed = append(failed, "FAILED: "+info.Driver+": "+info.Reason)
			}
		}
		t.Add(g.algorithm, strings.Join(impls, " "))
	}
	t.Write(w)
	for _, failure := range failed {
		text.Print(w, failure, 96)
	}
	sum := fmt.Sprintf("%s: %d passed, %d failed, %d unavailable", text.Counted(len(flatten(gs)), "driver"),
		count[registry.Passed], count[registry.Failed], count[registry.Unavailable])
	if n := count[registry.Untested]; n > 0 {
		sum += fmt.Sprintf(", %d not tested", n)
	}
	if count[registry.Unavailable] > 0 {
		sum += " (tcrypt list says why)"
	}
	text.Print(w, sum, 0)
	return count[registry.Failed]
}

// tourRow is the speed of an algorithm's best driver, beside Go's own where there is one.
type tourRow struct {
	driver   string
	partial  string              // how many samples there are of those that were wanted, or ""
	own, gos map[int]result.Cell // by message size
}

// tourSpeed measures the best driver of each algorithm with its longest key.
func (a *app) tourSpeed(ctx context.Context, gs []group) ([]tourRow, error) {
	var p plan
	for _, g := range gs {
		best, err := g.best()
		if err != nil {
			continue // the overview has said what is wrong
		}
		info := g.drivers[0]
		s := measure.NewSeries(info, best)
		s.Sizes = tourSizes
		if measure.HasGo(info, s.Tag) {
			s.Drivers = append(s.Drivers, result.Go)
		}
		p = append(p, s)
	}
	b := &measure.Bench{Time: tourTime, Count: tourCount}
	a.follow(b, p)
	var rows []tourRow
	for _, s := range p {
		rs, err := b.Series(ctx, s)
		row := tourRow{s.Drivers[0], result.Partial(rs), map[int]result.Cell{}, map[int]result.Cell{}}
		for _, r := range rs {
			if r.Driver == result.Go {
				row.gos[r.Size] = r
			} else {
				row.own[r.Size] = r
			}
		}
		if len(rs) > 0 {
			rows = append(rows, row)
		}
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func writeTourSpeed(w io.Writer, rows []tourRow) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	const title = "Encryption in GB/s on one core, longest key. x go: how many times longer Go's own code takes."
	text.Print(w, title, 100)
	heading := []string{"best driver"}
	for _, size := range tourSizes {
		heading = append(heading, fmt.Sprintf(">%d B", size), "?>Go", ">x go")
	}
	t := text.NewTable(heading...)
	for _, row := range rows {
		cells := []string{row.driver}
		if row.partial != "" {
			cells[0] += ", " + row.partial
		}
		for _, size := range tourSizes {
			own, measured := row.own[size]
			if !measured {
				cells = append(cells, "", "", "")
				continue
			}
			gos, ratio := "-", ""
			if r, ok := row.gos[size]; ok {
				gos, ratio = text.Number(r.GBps), text.Number(own.TimesGo)
			}
			cells = append(cells, text.Number(own.GBps), gos, ratio)
		}
		t.Add(cells...)
	}
	t.Write(w)
}

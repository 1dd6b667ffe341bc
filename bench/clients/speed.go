package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strings"
	"time"
)

// speed runs each of the client's cases before and after the change, in turns, both programs being started and warm:
// what else the machine does meets both. It prints medians, the ratio being that of neighbouring turns.
func (b *bench) speed(c client) error {
	out, err := exec.Command(b.program(c, "before")).Output()
	if err != nil {
		return fmt.Errorf("%w: prepare it first", err)
	}
	cases := strings.Split(strings.TrimSpace(string(out)), "\n")
	sort.Strings(cases)
	for _, name := range cases {
		if err := b.race(c, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// race measures one case. The programs are started anew a few times: a connection finds its pace, a heap its size, and
// both differ from one process to the next.
func (b *bench) race(c client, name string) error {
	var rates [2][]float64
	var ratios []float64
	for range b.starts {
		if err := b.heat(c, name, func(before, after float64) {
			rates[0], rates[1] = append(rates[0], before), append(rates[1], after)
			ratios = append(ratios, after/before)
		}); err != nil {
			return err
		}
	}
	slices.Sort(ratios)
	fmt.Printf("| %-9s | %-28s | %8.0f | %8.0f | %5.2f | %.2f to %.2f |\n", c.name, name,
		median(rates[0])/1e6, median(rates[1])/1e6, median(ratios), ratios[len(ratios)/4], ratios[len(ratios)*3/4])
	return nil
}

// heat starts both programs and calls report with the bytes per second of each round.
func (b *bench) heat(c client, name string, report func(before, after float64)) error {
	var runners [2]*runner
	for i, side := range sides {
		r, err := start(b.program(c, side.name), name)
		if err != nil {
			return err
		}
		defer r.stop()
		if _, err := r.turn(b.turn); err != nil { // warms it up
			return err
		}
		runners[i] = r
	}
	for round := range b.rounds {
		var now [2]float64
		for i := range runners {
			i = i ^ round&1 // the first of a round is the second of the next
			rate, err := runners[i].turn(b.turn)
			if err != nil {
				return err
			}
			now[i] = rate
		}
		report(now[0], now[1])
	}
	return nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// runner is a load program that waits for turns.
type runner struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(program, name string) (*runner, error) {
	cmd := exec.Command(program, name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &runner{cmd, in, bufio.NewReader(out)}
	if line, err := r.out.ReadString('\n'); err != nil || line != "ready\n" {
		return nil, fmt.Errorf("%s said %q: %w", program, line, err)
	}
	return r, nil
}

// turn lets the program work for a time and returns bytes per second.
func (r *runner) turn(d time.Duration) (float64, error) {
	if _, err := fmt.Fprintln(r.in, d.Microseconds()); err != nil {
		return 0, err
	}
	var bytes, ns float64
	line, err := r.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("the load program ended: %w", err)
	}
	if _, err := fmt.Sscan(line, &bytes, &ns); err != nil {
		return 0, err
	}
	return bytes / ns * 1e9, nil
}

// stop ends the program: it reads no more turns, and the status it ends with does not matter.
func (r *runner) stop() {
	r.in.Close()
	r.cmd.Wait()
}

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/internal/cpu"
	"kcrypto/internal/limits"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

func (a *app) speedCommand() *cobra.Command {
	o := newSpeedOptions()
	cmd := &cobra.Command{
		Use:   "speed [name...]",
		Short: "Time drivers",
		Long: `Time the best driver of all algorithms, or of those that the names mean: whole messages through
kcrypto's public API, from one buffer in cache to another. What each driver computes is first
compared with the generic driver's output. Drivers take turns of 50 microseconds; a block of turns
gives one sample, their median. Sizes take turns between blocks. The median of the samples is shown
with its 95 % confidence interval.

--drivers all times every driver that works here, and Go's own code as "go". Or give drivers, or
implementations such as generic,vaes_avx2,go. Key sizes are of the whole key: those of xts(aes) are
256, 384 and 512 bits.

xts(aes) is timed with single messages and with calls for many sectors; --sectors leaves only those,
which cbc(aes) and essiv(cbc(aes),sha256) have, too, and --sizes are then of the whole call.`,
		Example: `  tcrypt speed 'gcm(aes)' --drivers all
  tcrypt speed 'xts(aes)' --sizes 512,4096 --keys 512 --decrypt
  tcrypt speed 'xts(aes)' --sectors 512,4096 --sizes 65536
  tcrypt speed 'gcm(aes)' --aad 0 --tag 12 --sizes 1420 --threads 2
  tcrypt speed 'ctr(aes)' chacha20 --drivers stdlib,generic,go --time 200ms -o json
  tcrypt speed 'gcm(aes)' --drivers all --html gcm.html --plot`,
		ValidArgsFunction: completeNames,
	}
	cmd.Flags().Var(nameList{&o.drivers}, "drivers", "all, best, or drivers and implementations")
	completeList(cmd, "drivers", driverWords)
	o.flags(cmd)
	var pics pictures
	pics.flags(cmd)
	output := outputFlag(cmd, form.Names...)
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if err := o.begin(); err != nil {
			return err
		}
		if err := pics.check(a, output.value); err != nil {
			return err
		}
		return a.speed(cmd.Context(), names, o, pics.around(form.New(output.value, a.out), a))
	}
	return cmd
}

// speed measures and prints. What was measured before an error or an interruption is printed too.
func (a *app) speed(ctx context.Context, names []string, o speedOptions, printer form.Printer) error {
	p, err := a.plan(ctx, names, o)
	if err != nil {
		return err
	}
	run := &result.Run{Header: a.header(p), Cells: []result.Cell{}}
	printer.Begin(&run.Header)
	b := o.bench()
	b.Rates = limits.Measure(cpu.InEffect())
	err = a.measure(ctx, b, p, func(cells []result.Cell) {
		run.Cells = append(run.Cells, cells...)
		printer.Series(cells)
	})
	run.Interrupted = err != nil
	return errors.Join(err, printer.End(run))
}

// measure carries out p, and hands over each series when it is done. What was measured before an error or an
// interruption is handed over too.
func (a *app) measure(ctx context.Context, b *measure.Bench, p plan, done func([]result.Cell)) error {
	a.announce(b, p)
	a.follow(b, p)
	for _, s := range p {
		cells, err := b.Series(ctx, s)
		a.progress.clear()
		done(cells)
		if err != nil {
			return err
		}
	}
	return nil
}

// longRun is how long a run may take before that is said beforehand.
const longRun = 10 * time.Second

// announce says what p will cost in time, if it is much.
func (a *app) announce(b *measure.Bench, p plan) {
	if d := p.duration(b); d >= longRun {
		a.progress.clear()
		fmt.Fprintf(a.err, "tcrypt: this takes about %v: %s; fewer --sizes and --keys or a shorter --time make it less\n",
			d.Round(time.Second), text.Counted(len(p), "table"))
	}
}

// follow shows b's progress with p.
func (a *app) follow(b *measure.Bench, p plan) {
	done, total := 0, p.steps(b)
	b.Step = func(what string) {
		a.progress.say(done, total, what)
		done++
	}
}

// header is that of a run that measures p.
func (a *app) header(p plan) result.Header {
	h := result.Header{Date: time.Now().UTC().Truncate(time.Second), Command: a.args, Machine: result.ThisMachine()}
	seen := map[string]bool{}
	for _, s := range p {
		if seen[s.Info.Algorithm] {
			continue
		}
		seen[s.Info.Algorithm] = true
		for _, d := range kcrypto.Drivers(s.Info.Algorithm) {
			h.Drivers = append(h.Drivers, result.Driver{Algorithm: d.Algorithm, Driver: d.Driver, Impl: d.Impl,
				Priority: d.Priority, SelfTest: string(d.SelfTest), Reason: d.Reason})
		}
	}
	return h
}

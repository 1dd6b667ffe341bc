package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/internal/limits"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/measure"
	"kcrypto/tools/tcrypt/internal/result"
)

// defaultSizes are message sizes in bytes that real programs have.
var defaultSizes = []int{16, 64, 256, 512, 1024, 1420, 4096, 8192, 16384, 65536, 1048576}

// Calls for many sectors are measured with these sizes and numbers of sectors.
var (
	defaultSectors = []int{512, 4096} // bytes
	sectorCounts   = []int{8, 128, 2048}
)

const (
	sectorAlgorithm = "xts(aes)" // the one that has sectors
	maxSize         = 1 << 28    // bytes
	maxCount        = 1000
)

// speedOptions is what the flags of the speed command say.
type speedOptions struct {
	drivers []string // "all", "best", or drivers and implementations
	sizes   numbers  // bytes; none: the default ones
	keys    numbers  // bits; none: the shortest and the longest
	sectors numbers  // bytes; none: the default ones too, unless there are sizes
	time    time.Duration
	count   int // samples
	decrypt bool
}

func newSpeedOptions() speedOptions {
	return speedOptions{
		drivers: []string{"best"},
		sizes:   numbers{what: "bytes", max: maxSize},
		keys:    numbers{what: "bits", max: 4096},
		sectors: numbers{what: "bytes", max: maxSize},
		time:    50 * time.Millisecond,
		count:   10,
	}
}

func (a *app) speedCommand() *cobra.Command {
	o := newSpeedOptions()
	cmd := &cobra.Command{
		Use:   "speed [name...]",
		Short: "Time drivers",
		Long: `Time the best driver of all algorithms, or of those that the names mean: whole messages through
kcrypto's public API, on one goroutine, from one buffer in cache to another. What each driver
computes is first compared with the generic driver's output. Drivers that are compared take turns of
50 microseconds; the median of many turns is shown.

--drivers all times every driver that works here, and Go's own code as "go". Or give drivers, or
implementations such as generic,vaes_avx2,go. Key sizes are of the whole key: those of xts(aes) are
256, 384 and 512 bits.

xts(aes) is timed with single messages and with calls for many sectors; --sectors leaves only those,
and --sizes are then of the whole call.`,
		Example: `  tcrypt speed 'gcm(aes)' --drivers all
  tcrypt speed 'xts(aes)' --sizes 512,4096 --keys 512 --decrypt
  tcrypt speed 'xts(aes)' --sectors 512,4096 --sizes 65536
  tcrypt speed 'ctr(aes)' chacha20 --drivers stdlib,generic,go --time 200ms -o json`,
		ValidArgsFunction: completeNames,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.drivers, "drivers", o.drivers, "all, best, or drivers and implementations")
	flags.Var(&o.sizes, "sizes", "message sizes (default 16 to 1048576)")
	flags.Var(&o.sectors, "sectors", "sector sizes, for calls of many sectors (xts(aes))")
	flags.Var(&o.keys, "keys", "key sizes (default the shortest and the longest)")
	flags.DurationVar(&o.time, "time", o.time, "time for each driver, key and size")
	flags.IntVar(&o.count, "count", o.count, "samples in that time")
	flags.BoolVar(&o.decrypt, "decrypt", false, "time decryption, not encryption")
	complete(cmd, "drivers", "all", "best", "generic", "stdlib", result.Go)
	output := outputFlag(cmd, form.Names...)
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if o.time < time.Millisecond || o.time > time.Minute {
			return usagef("--time %v is out of range; want 1ms to 1m", o.time)
		}
		if o.count < result.MinSamples || o.count > maxCount {
			return usagef("--count %d is out of range; want %d to %d: fewer samples have no %.0f %% confidence interval",
				o.count, result.MinSamples, maxCount, 100*result.Confidence)
		}
		return a.speed(cmd.Context(), names, o, form.New(output.value, a.out))
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
	b := &measure.Bench{Time: o.time, Count: o.count, Rates: limits.Measure(kcrypto.Default().Features())}
	err = a.measure(ctx, b, p, func(cells []result.Cell) {
		run.Cells = append(run.Cells, cells...)
		printer.Series(cells)
	})
	return errors.Join(err, printer.End(run))
}

// measure carries out p, and hands over each series when it is done. What was measured before an error or an
// interruption is handed over too.
func (a *app) measure(ctx context.Context, b *measure.Bench, p plan, done func([]result.Cell)) error {
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

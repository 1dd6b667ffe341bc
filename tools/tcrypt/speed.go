package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/internal/limits"
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
	firstSector     = 1 << 33    // the number of the first one
	maxSize         = 1 << 28    // bytes
)

// speedOptions is what the flags of the speed command say.
type speedOptions struct {
	drivers []string // "all", "best", or drivers and implementations
	sizes   numbers  // bytes; none: the default ones
	keys    numbers  // bits; none: the shortest and the longest
	sectors numbers  // bytes; none: the default ones too, unless there are sizes
	time    time.Duration
	decrypt bool
}

func newSpeedOptions() speedOptions {
	return speedOptions{
		drivers: []string{"best"},
		sizes:   numbers{what: "bytes", max: maxSize},
		keys:    numbers{what: "bits", max: 4096},
		sectors: numbers{what: "bytes", max: maxSize},
		time:    50 * time.Millisecond,
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
	flags.BoolVar(&o.decrypt, "decrypt", false, "time decryption, not encryption")
	complete(cmd, "drivers", "all", "best", "generic", "stdlib", goName)
	form := outputFlag(cmd, "table", "json")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		if o.time < time.Millisecond || o.time > time.Minute {
			return usagef("--time %v is out of range; want 1ms to 1m", o.time)
		}
		return a.speed(cmd.Context(), names, o, form.value == "json")
	}
	return cmd
}

// speed measures and prints. What was measured before an error or an interruption is printed too.
func (a *app) speed(ctx context.Context, names []string, o speedOptions, asJSON bool) error {
	plan, err := a.plan(ctx, names, o)
	if err != nil {
		return err
	}
	m := thisMachine()
	all := []result{}
	show := func([]result) {}
	if !asJSON {
		writeSpeedHead(a.out, m)
		show = func(rs []result) { writeResults(a.out, rs) }
	}
	run := runner{meter: newMeter(o.time), progress: a.progress, total: plan.steps()}
	run.rates = limits.Measure(kcrypto.Default().Features())
	for _, s := range plan {
		var rs []result
		rs, err = run.series(ctx, s)
		a.progress.clear()
		show(rs)
		all = append(all, rs...)
		if err != nil {
			break
		}
	}
	if asJSON {
		if e := writeJSON(a.out, speedReport{m, all}); e != nil {
			return e
		}
	}
	return err
}

package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/affinity"
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
	maxSize       = 1 << 28 // bytes
	maxCount      = 1000
	maxBatch      = 256     // messages a call
	maxBatchBytes = 1 << 24 // in all of them
)

// sectorAlgorithms are those that have sectors. The first one, which is for nothing else, is always timed with them.
var sectorAlgorithms = []string{"xts(aes)", "cbc(aes)", "essiv(cbc(aes),sha256)"}

func hasSectors(algorithm string) bool { return slices.Contains(sectorAlgorithms, algorithm) }

// speedOptions is what the flags say that speed, compare and tune have in common: what to measure.
type speedOptions struct {
	drivers []string // "all", "best", or drivers and implementations
	sizes   sizes    // none: the default ones
	keys    numbers  // bits; none: the shortest and the longest
	sectors sizes    // none: the default ones too, unless there are sizes
	batch   numbers  // messages a call; none: one
	aad     sizes    // none: what is usual
	tag     numbers  // bytes; none: the longest
	time    time.Duration
	count   int // samples
	threads int
	cpus    numbers // that this process is to run on; none: as it was started
	decrypt bool
	both    bool                           // both directions, whatever decrypt is
	settle  bool                           // as in measure.Bench
	usual   struct{ sizes, sectors []int } // bytes: the default ones
}

func newSpeedOptions() speedOptions {
	o := speedOptions{
		drivers: []string{"best"},
		sizes:   newSizes(1, maxSize),
		keys:    numbers{what: "bits", min: 1, max: 4096},
		sectors: newSizes(1, maxSize),
		batch:   numbers{what: "messages", min: 1, max: maxBatch},
		aad:     newSizes(0, maxSize),
		tag:     numbers{what: "bytes", min: 1, max: 64},
		cpus:    numbers{what: "CPUs", max: 1023},
		time:    50 * time.Millisecond,
		count:   20, // the interval goes from the 6th to the 15th: five of them may be disturbed
		threads: 1,
	}
	o.usual.sizes, o.usual.sectors = defaultSizes, defaultSectors
	return o
}

// flags gives cmd the flags that set o, but for --drivers.
func (o *speedOptions) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&o.sizes, "sizes", fmt.Sprintf("sizes: 1420,4k,1M; 16-64k doubles, 16-2k/16 adds "+
		"(default %d to %s)", o.usual.sizes[0], sizeName(o.usual.sizes[len(o.usual.sizes)-1])))
	flags.Var(&o.sectors, "sectors", "sector sizes, for calls of many sectors (xts(aes), cbc(aes), essiv)")
	flags.Var(&o.batch, "batch", "time calls for so many messages of each size, such as SealBatch")
	flags.Var(&o.keys, "keys", "key sizes (default the shortest and the longest)")
	flags.Var(&o.aad, "aad", "additional data of AEADs (default 16, of IPsec's 8)")
	flags.Var(&o.tag, "tag", "tags of AEADs (default the longest)")
	flags.DurationVar(&o.time, "time", o.time, "time for each driver, key and size")
	flags.IntVar(&o.count, "count", o.count, "samples in that time")
	flags.IntVar(&o.threads, "threads", o.threads, "do the same on so many threads at once")
	flags.Var(&o.cpus, "cpu", "run on these CPUs only (Linux)")
	flags.BoolVar(&o.decrypt, "decrypt", false, "time decryption, not encryption")
	flags.BoolVar(&o.both, "both", false, "time encryption and decryption")
}

// begin refuses what cannot be measured, and keeps the process to the CPUs that were asked for.
func (o *speedOptions) begin() error {
	if o.cpus.values != nil {
		if err := affinity.Pin(o.cpus.values); err != nil {
			return usagef("--cpu %s: %w", o.cpus.String(), err)
		}
	}
	return o.check()
}

// directions are those to time.
func (o *speedOptions) directions() []string {
	if o.both {
		return []string{result.Encrypt, result.Decrypt}
	}
	return []string{result.Direction(o.decrypt)}
}

// check refuses what cannot be measured whatever the algorithm.
func (o *speedOptions) check() error {
	if o.time < time.Millisecond || o.time > time.Minute {
		return usagef("--time %v is out of range; want 1ms to 1m", o.time)
	}
	if o.count < result.MinSamples {
		return usagef("--count %d is out of range; want %d to %d: fewer samples have no %.0f %% confidence interval",
			o.count, result.MinSamples, maxCount, 100*result.Confidence)
	}
	if o.count > maxCount {
		return usagef("--count %d is out of range; want %d to %d: for narrower intervals give more --time", o.count,
			result.MinSamples, maxCount)
	}
	if o.both && o.decrypt {
		return usagef("--both and --decrypt both say what to time; want one of them")
	}
	n := runtime.GOMAXPROCS(0)
	if o.threads < 1 {
		return usagef("--threads %d is out of range; want 1 to %d", o.threads, n)
	}
	if o.threads > n {
		return usagef("--threads %d is out of range; want 1 to %d: no more can run at once here", o.threads, n)
	}
	return nil
}

// series is what all series of an algorithm have in common.
func (o *speedOptions) series(info registry.Info) measure.Series {
	s := *measure.NewSeries(info)
	s.Threads = o.threads
	return s
}

// bench is what measures as o says.
func (o *speedOptions) bench() *measure.Bench {
	return &measure.Bench{Time: o.time, Count: o.count, Settle: o.settle}
}

// Command mutate asks whether the tests would notice a wrong instruction. It breaks one instruction of the assembly at a
// time, in a copy that only the build sees (go build -overlay), and runs against it what a developer or a user would
// run: the self-test of the drivers the file serves, the tests of its package, the suite's tests of those drivers. A
// mutant that passes them all has survived, and is printed for somebody to explain or to write the missing test.
//
//	go run ./tools/mutate                    200 mutants over all drivers, about 15 minutes
//	go run ./tools/mutate -count 20 -files 'gcm.*avx512'
//
// The sample is drawn by file, then function, then kind of instruction, so that the thousands of AES rounds do not
// crowd out the few instructions that matter at an edge. The seed is printed; with it a run can be repeated.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	count := flag.Int("count", 200, "how many mutants")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the sample")
	files := flag.String("files", ".", "regular expression over the assembly files' paths")
	allow := flag.Float64("survivors", 0.03, "the share of survivors above which the exit code is 1")
	flag.Parse()
	if err := run(*count, *seed, *files, *allow); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(count int, seed uint64, files string, allow float64) error {
	pattern, err := regexp.Compile(files)
	if err != nil {
		return fmt.Errorf("-files: %w", err)
	}
	sources, err := readSources(pattern)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	fmt.Printf("%d mutants of %d assembly files, seed %d\n", count, len(sources), seed)
	b := bench{dir: dir}
	if err := sound(ctx); err != nil {
		return err
	}
	r := newReport(count)
	dice := rand.New(rand.NewPCG(seed, 0))
	for i := 0; r.tried < count && ctx.Err() == nil; i++ {
		m := draw(dice, sources[i%len(sources)])
		by, err := b.try(ctx, m.source, m.text())
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		r.add(m, by)
	}
	return r.finish(allow)
}

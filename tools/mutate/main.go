// Command mutate asks whether the tests would notice a fault. It breaks one instruction of the assembly, or one place
// of the Go code, at a time, in a copy that only the build sees (go build -overlay), and runs against it what a
// developer or a user would run: for assembly the self-test of the drivers the file serves, the tests of its package,
// the suite's tests of those drivers; for Go code the tests of its package, the suite, and the tests of what is built
// on it. A mutant that passes them all has survived, and is printed for somebody to explain or to write the missing
// test.
//
//	go run ./tools/mutate                    200 mutants of the assembly of all drivers, about 15 minutes
//	go run ./tools/mutate -count 20 -files 'gcm.*avx512'
//	go run ./tools/mutate -code go -count 400 -survivors 0.05
//	go run ./tools/mutate -code go -seed 7 -again FILE    what FILE, the output of an earlier run with -seed 7, says
//	                                                      has survived
//
// The Go code's mutants leave statements out (those that wipe, or keep an object alive, are a kind of their own), turn
// conditions round, move bounds and constants by one, exchange operators, and let errors pass. Those that compute the
// same are listed in same.txt, with why, and are not tried.
//
// The sample is drawn by file, then function, then kind, so that the thousands of AES rounds do not crowd out the few
// instructions that matter at an edge. The seed is printed; with it a run can be repeated.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	count := flag.Int("count", 200, "how many mutants")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the sample")
	files := flag.String("files", ".", "regular expression over the files' paths")
	allow := flag.Float64("survivors", 0.03, "the share of survivors above which the exit code is 1")
	code := flag.String("code", "asm", "asm or go: what to break")
	again := flag.String("again", "", "try only the mutants that have survived by `FILE`, the output of an earlier run")
	flag.Parse()
	if err := run(*code, *count, *seed, *files, *again, *allow); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(code string, count int, seed uint64, files, again string, allow float64) error {
	pattern, err := regexp.Compile(files)
	if err != nil {
		return fmt.Errorf("-files: %w", err)
	}
	read, ok := map[string]func(*regexp.Regexp) ([]source, error){"asm": readAssembly, "go": readGo}[code]
	if !ok {
		return fmt.Errorf("-code %s: want asm or go", code)
	}
	sources, err := read(pattern)
	if err != nil {
		return err
	}
	sample := newSample(sources, seed)
	if again != "" {
		if count, err = sample.only(again); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	fmt.Printf("%d mutants of %d files, seed %d\n", count, len(sources), seed)
	b := bench{dir: dir}
	if err := sound(ctx); err != nil {
		return err
	}
	same, err := equivalents(sameText)
	if err != nil {
		return err
	}
	r := newReport(count)
	for r.tried < count && ctx.Err() == nil {
		m, checks, err := sample.next()
		if err != nil {
			return err
		}
		if again == "" && computesSame(same, m) {
			r.same++
			continue
		}
		by, err := b.try(ctx, m, checks)
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

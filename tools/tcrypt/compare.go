package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/picture"
	"kcrypto/tools/tcrypt/internal/result"
)

func (a *app) compareCommand() *cobra.Command {
	o := newSpeedOptions()
	o.time = 100 * time.Millisecond // twice what speed takes: differences are smaller than speeds
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two drivers, a driver and Go's own code, or two saved results",
		Long: `Compare A and B at each message size: how many times as long B took as A, the 95 % confidence
interval of that, and the size at which the faster one changes.

A and B are drivers of one algorithm, or the algorithm for its best driver; one of them may be "go".
They are measured beside each other. Or both are files that tcrypt speed -o json wrote; then nothing
is measured, and what the runs have in common is compared. What made the machine slower or faster
between two runs is in that comparison too: drivers are better compared in one.`,
		Example: `  tcrypt compare gcm-aes-vaes-avx512 gcm-aes-vaes-avx2
  tcrypt compare 'ctr(aes)' go --keys 256 --sizes 16,64,256,1024
  tcrypt compare before.json after.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("compare takes two names or files, not %d; for example: tcrypt compare 'gcm(aes)' go", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeContenders,
	}
	o.flags(cmd)
	var pics pictures
	pics.flags(cmd)
	output := outputFlag(cmd, "table", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flagsOfFiles(cmd.Flags(), args); err != nil {
			return err
		}
		if err := o.begin(); err != nil {
			return err
		}
		if err := pics.check(a, output.value); err != nil {
			return err
		}
		c, err := a.comparison(cmd.Context(), args[0], args[1], o)
		if c == nil {
			return err
		}
		if output.value == "json" {
			err = errors.Join(err, result.WriteJSON(a.out, c))
		} else {
			writeComparison(a.out, c)
		}
		if len(c.Tables) == 0 {
			return err
		}
		album := picture.OfComparison(c.A.Header, c.Tables, c.notes())
		pics.draw(a, album)
		return errors.Join(err, pics.write(album))
	}
	return cmd
}

// completeContenders makes the shell offer names, or files.
func completeContenders(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	names, _ := completeNames(cmd, args, word)
	return append(names, result.Go), cobra.ShellCompDirectiveDefault
}

// A comparison is what the compare command says.
type comparison struct {
	A      source          `json:"a"`
	B      source          `json:"b"`
	Tables []compare.Table `json:"tables"`
}

// A source is where one side of a comparison comes from.
type source struct {
	Name string `json:"name"` // driver or file
	*result.Header
}

// comparison compares the two names or files. When ctx ends it compares what was measured until then.
func (a *app) comparison(ctx context.Context, nameA, nameB string, o speedOptions) (*comparison, error) {
	fileA, fileB := isFile(nameA), isFile(nameB)
	switch {
	case fileA && fileB:
		return compareFiles(nameA, nameB)
	case fileA || fileB:
		return nil, usagef("%s and %s: a file can only be compared with a file", nameA, nameB)
	}
	return a.compareDrivers(ctx, nameA, nameB, o)
}

// flagsOfFiles refuses flags that say what to measure, where both names are files and nothing is measured.
func flagsOfFiles(flags *pflag.FlagSet, names []string) (err error) {
	if !isFile(names[0]) || !isFile(names[1]) {
		return nil
	}
	flags.Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "output", f.Name == "log-level", f.Name == "plot", f.Value.Type() == "file":
		default:
			err = usagef("--%s says what to measure; files are compared in all that they have in common", f.Name)
		}
	})
	return err
}

// isFile reports whether an argument of compare is the name of a file rather than of a driver.
func isFile(name string) bool {
	if name == result.Go || len(kcrypto.Drivers(name)) > 0 {
		return false
	}
	info, err := os.Stat(name)
	return strings.HasSuffix(name, ".json") || err == nil && !info.IsDir()
}

func compareFiles(nameA, nameB string) (*comparison, error) {
	a, err := result.ReadFile(nameA)
	if err != nil {
		return nil, usageError{err}
	}
	b, err := result.ReadFile(nameB)
	if err != nil {
		return nil, usageError{err}
	}
	tables := compare.Runs(a.Cells, b.Cells)
	if tables == nil {
		return nil, usagef("%s and %s have no measurement in common: no driver with the same key, sizes and direction", nameA,
			nameB)
	}
	return &comparison{source{nameA, &a.Header}, source{nameB, &b.Header}, tables}, nil
}

// compareDrivers measures two drivers, or one and Go's own code.
func (a *app) compareDrivers(ctx context.Context, nameA, nameB string, o speedOptions) (*comparison, error) {
	algorithm, drivers, err := contenders(nameA, nameB)
	if err != nil {
		return nil, err
	}
	o.drivers = drivers
	p, err := a.plan(ctx, []string{algorithm}, o)
	if err != nil {
		return nil, err
	}
	for _, s := range p {
		if len(s.Drivers) < 2 { // Go's own code has been left out
			return nil, usagef("Go has no %s of this kind to compare with", algorithm)
		}
		if slices.Contains(drivers, result.Go) {
			if err := onlyWhatGoTakes(s, len(o.sizes.values) > 0); err != nil {
				return nil, err
			}
		}
	}
	header := a.header(p)
	var cells []result.Cell
	err = a.measure(ctx, o.bench(), p, func(series []result.Cell) { cells = append(cells, series...) })
	header.Interrupted = err != nil
	tables := append([]compare.Table{}, compare.Beside(cells, drivers[0], drivers[1])...)
	return &comparison{source{drivers[0], &header}, source{drivers[1], &header}, tables}, err
}

// contenders returns the algorithm that two names have in common, and the drivers that they mean.
func contenders(names ...string) (algorithm string, drivers []string, err error) {
	for _, name := range names {
		if name == result.Go {
			drivers = append(drivers, name)
			continue
		}
		gs, err := groups([]string{name})
		if err != nil {
			return "", nil, err
		}
		if algorithm != "" && algorithm != gs[0].algorithm {
			return "", nil, usagef("%s and %s are of two algorithms, %s and %s, and cannot be compared", names[0], names[1],
				algorithm, gs[0].algorithm)
		}
		algorithm = gs[0].algorithm
		driver := gs[0].drivers[0].Driver
		if len(gs[0].drivers) > 1 { // the algorithm's name
			if driver, err = gs[0].best(); err != nil {
				return "", nil, err
			}
		}
		drivers = append(drivers, driver)
	}
	if drivers[0] == drivers[1] {
		return "", nil, usagef("%s and %s are the same: %s", names[0], names[1], drivers[0])
	}
	return algorithm, drivers, nil
}

package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto/tools/tcrypt/internal/picture"
	"kcrypto/tools/tcrypt/internal/result"
)

func (a *app) drawCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "draw FILE...",
		Short: "Draw saved results",
		Long: `Draw what tcrypt speed -o json wrote, or bench/peers -results: curves over message sizes. What
several files say of one algorithm, key and direction is in one picture: other libraries beside
kcrypto's drivers, or a driver before a change and after it, each under its file's name then.`,
		Example: `  tcrypt draw before.json --html page.html
  tcrypt draw ours.json peers.json --svg both.svg`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("draw takes files that tcrypt speed -o json or bench/peers -results wrote")
			}
			return nil
		},
	}
	var pics pictures
	pics.flags(cmd)
	cmd.RunE = func(_ *cobra.Command, names []string) error {
		if pics == (pictures{}) {
			return usagef("nothing to draw on: want --html FILE, --svg FILE or --plot")
		}
		if err := pics.check(a, "table"); err != nil {
			return err
		}
		run, err := readAll(names)
		if err != nil {
			return usageError{err}
		}
		album := picture.OfRun(run)
		pics.draw(a, album)
		return pics.write(album)
	}
	return cmd
}

// readAll reads runs and makes one of them, with the header of the first.
func readAll(names []string) (*result.Run, error) {
	var all *result.Run
	for _, name := range names {
		run, err := result.ReadFile(name)
		switch {
		case err != nil:
			return nil, err
		case all == nil:
			all = run
		default:
			all.Cells = merge(all.Cells, run.Cells, strings.TrimSuffix(filepath.Base(name), ".json"))
			all.Interrupted = all.Interrupted || run.Interrupted
		}
	}
	return all, nil
}

// merge puts cells of another run, which is called name, into the series of the same conditions. A driver that is there
// already is another one under that name.
func merge(cells, others []result.Cell, name string) []result.Cell {
	all := result.Series(cells)
	for _, series := range result.Series(others) {
		at := slices.IndexFunc(all, func(s []result.Cell) bool { return s[0].Conditions == series[0].Conditions })
		if at < 0 {
			all = append(all, series)
			continue
		}
		there := slices.Clip(all[at])
		for _, c := range series {
			if slices.ContainsFunc(there, func(d result.Cell) bool { return d.Driver == c.Driver }) {
				c.Driver, c.Impl = c.Driver+" "+name, c.Impl+" "+name
			}
			all[at] = append(all[at], c)
		}
	}
	return slices.Concat(all...)
}

// Agree shows how far two runs of one comparison agree on the machine it runs on: it has tcrypt compare the same things
// over and over, and compares the intervals that it gives. It takes minutes, and is no part of CI:
//
//	go run ./tools/agree                                    # the best drivers against Go's own code
//	go run ./tools/agree --repeat 20 gcm-aes-vaes-avx512,gcm-aes-vaes-avx2
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// defaultPairs are what is compared if no pairs are named.
var defaultPairs = []string{"gcm(aes),go", "ctr(aes),go", "xts(aes),go", "chacha20poly1305,go"}

// wanted is the share of cases that must agree.
const wanted = 0.9

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	repeat, flags := 0, ""
	cmd := &cobra.Command{
		Use:           "agree [A,B...]",
		Short:         "Show how far two runs of one comparison by tcrypt agree",
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, pairs []string) error {
			if len(pairs) == 0 {
				pairs = defaultPairs
			}
			return agree(cmd.Context(), cmd.OutOrStdout(), pairs, repeat, strings.Fields(flags))
		},
	}
	cmd.Flags().IntVar(&repeat, "repeat", 10, "how many times two runs of each comparison are made")
	cmd.Flags().StringVar(&flags, "flags", "--sizes 16,64,256,1024,1420,4096,16384,65536", "flags for tcrypt compare")
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "agree: "+err.Error())
		os.Exit(1)
	}
}

// agree prints a line for each pair, and one for all. It is an error if fewer agree than wanted.
func agree(ctx context.Context, w io.Writer, pairs []string, repeat int, flags []string) error {
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tcrypt := filepath.Join(dir, "tcrypt")
	build := exec.CommandContext(ctx, "go", "build", "-o", tcrypt, "kcrypto/tools/tcrypt")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	var all tally
	fmt.Fprintln(w, heading)
	for _, pair := range pairs {
		a, b, ok := strings.Cut(pair, ",")
		if !ok {
			return fmt.Errorf("%q is no pair; want two drivers with a comma between", pair)
		}
		args := append([]string{"compare", a, b, "-o", "json"}, flags...)
		var t tally
		for range repeat {
			one, err := compare(ctx, tcrypt, args)
			if err != nil {
				return err
			}
			two, err := compare(ctx, tcrypt, args)
			if err != nil {
				return err
			}
			if err := t.add(one, two); err != nil {
				return err
			}
		}
		fmt.Fprintln(w, t.line(pair))
		all.join(&t)
	}
	fmt.Fprintln(w, all.line("all"))
	if share := all.share(all.within); share < wanted {
		return fmt.Errorf("%.1f %% of the cases agree within their own intervals; want %.0f %%", 100*share, 100*wanted)
	}
	return nil
}

// A comparison is what is used here of the JSON of tcrypt compare.
type comparison struct {
	Tables []struct {
		Rows []row
	}
}

type row struct {
	Size   int
	Ratio  struct{ Median, Low, High float64 }
	Faster string
}

// compare runs tcrypt, and returns the rows of all tables.
func compare(ctx context.Context, tcrypt string, args []string) ([]row, error) {
	var errs strings.Builder
	cmd := exec.CommandContext(ctx, tcrypt, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	var c comparison
	if err := json.Unmarshal(out, &c); err != nil {
		return nil, err
	}
	var rows []row
	for _, t := range c.Tables {
		rows = append(rows, t.Rows...)
	}
	return rows, nil
}

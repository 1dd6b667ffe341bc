package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/internal/cpu"
	"kcrypto/internal/limits"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/form"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// limitsReport is the JSON form of the limits command.
type limitsReport struct {
	Machine result.Machine `json:"machine"`
	limits.Rates
	Limits []algorithmLimit `json:"limits"`
}

// algorithmLimit is the bound of an algorithm with one key size.
type algorithmLimit struct {
	Algorithm string  `json:"algorithm"`
	KeyBits   int     `json:"key_bits"`
	GBps      float64 `json:"gb_per_s"` // at the clock that was measured
	limits.Limit
}

func (a *app) limitsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "Measure what this machine's hardware allows",
		Long: `Measure how many core cycles instructions take when nothing waits for anything, at each width that
the CPU has, and what that allows each algorithm at best. What KCRYPTO masks is not measured.

schoolbook10 is what AES-128-GCM needs for one vector of blocks: 10 AES rounds, 4 carry-less
multiplications and 7 other operations; karatsuba10 has 3 and 9. chacha is a quarter round.`,
		Example: `  tcrypt limits
  tcrypt limits -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("limits takes no name; it measures the machine")
			}
			return nil
		},
	}
	form := outputFlag(cmd, "table", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		r := limitsReport{Machine: result.ThisMachine(), Rates: limits.Measure(cpu.InEffect())}
		if r.List == nil {
			return errors.New("nothing can be measured: this build or this CPU has no assembly of ours (tcrypt info says why)")
		}
		r.Limits = algorithmLimits(r.Rates, kcrypto.Drivers())
		if form.value == "json" {
			return result.WriteJSON(a.out, r)
		}
		writeLimits(a.out, r)
		return nil
	}
	return cmd
}

// algorithmLimits derives the bounds of the algorithms of these drivers, for the shortest and the longest key.
func algorithmLimits(rates limits.Rates, drivers []registry.Info) []algorithmLimit {
	var list []algorithmLimit
	seen := map[string]bool{}
	for _, d := range drivers {
		if seen[d.Algorithm] {
			continue
		}
		seen[d.Algorithm] = true
		for _, k := range slices.Compact([]int{slices.Min(d.KeySizes), slices.Max(d.KeySizes)}) {
			if l, ok := rates.Of(d.Algorithm, k); ok {
				list = append(list, algorithmLimit{d.Algorithm, 8 * k, rates.GHz / l.CyclesPerByte, l})
			}
			if l, ok := rates.Chain(d.Algorithm, k); ok {
				name := d.Algorithm + ", encrypting one"
				if limits.ChainOf(d.Algorithm, k) == limits.BothWays {
					name = d.Algorithm + ", one message"
				}
				list = append(list, algorithmLimit{name, 8 * k, rates.GHz / l.CyclesPerByte, l})
			}
		}
	}
	return list
}

func writeLimits(w io.Writer, r limitsReport) {
	form.WriteHeadline(w, &r.Machine)
	fmt.Fprintf(w, "Cycles of the core's clock, %.2f GHz while measured.\n\n", r.GHz)
	writeRates(w, r.Rates)
	fmt.Fprintln(w)
	t := text.NewTable("algorithm", ">key bits", ">cycles/B", ">GB/s", ">at", "bound by")
	for _, l := range r.Limits {
		t.Add(l.Algorithm, fmt.Sprint(l.KeyBits), text.Number(l.CyclesPerByte), text.Number(l.GBps), l.Width.Name, l.Why)
	}
	t.Write(w)
}

// writeRates prints a row a kind of instruction, a column a width.
func writeRates(w io.Writer, r limits.Rates) {
	heads := []string{"instruction or mix"}
	for _, width := range r.Widths() {
		heads = append(heads, ">"+width.Name)
	}
	t := text.NewTable(heads...)
	seen := map[string]bool{}
	for _, rate := range r.List {
		if seen[rate.Kind] {
			continue
		}
		seen[rate.Kind] = true
		row := []string{rate.Kind}
		for _, width := range r.Widths() {
			cell := "-"
			if c, ok := r.Cycles(rate.Kind, width); ok {
				cell = text.Number(c)
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	t.Write(w)
}

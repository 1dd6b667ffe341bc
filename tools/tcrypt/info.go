package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// report is what the info command says.
type report struct {
	result.Machine
	Drivers int `json:"drivers"`
	Usable  int `json:"usable"` // not known to have failed or to be unavailable

	Tuning map[string]string `json:"tuning"` // what is chosen for this CPU's model in the drivers that can run here
}

func (a *app) infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Show what is known about this machine and this build",
		Long: `Show the CPU, the features that kcrypto uses and why the others are not in effect, the Go version
and the variables that matter. Put it in bug reports.`,
		Example: `  tcrypt info
  tcrypt info -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("info takes no name; tcrypt explain %q shows what is known about one", args[0])
			}
			return nil
		},
	}
	form := outputFlag(cmd, "text", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		r := report{Machine: result.ThisMachine(), Tuning: map[string]string{}}
		for _, info := range kcrypto.Drivers() {
			r.Drivers++
			if info.SelfTest != registry.Unavailable && info.SelfTest != registry.Failed {
				r.Usable++
				maps.Copy(r.Tuning, info.Tuning)
			}
		}
		if form.value == "json" {
			return result.WriteJSON(a.out, r)
		}
		writeInfo(a.out, r)
		return nil
	}
	return cmd
}

func writeInfo(w io.Writer, r report) {
	width := text.WidthOf(w, 80) - 16
	field := func(name string, lines ...string) {
		for _, line := range folded(lines, width) {
			fmt.Fprintf(w, "%-15s %s\n", name, line)
			name = ""
		}
	}
	field("CPU", r.CPU, r.Identity(), r.CPUText())
	features := text.Fold(r.Features, min(width, 64))
	if features == nil {
		features = []string{"none"}
	}
	field("features", features...)
	field("not in effect", reasons(r.FeaturesOff, min(width, 64))...)
	field("virtualisation", orNone(r.Virtualisation, "none seen"))
	field("governor", orNone(r.Governor, "unknown"))
	field("Go", strings.Join(append([]string{r.Go, r.Platform}, r.Build...), " "))
	field("commit", r.Commit)
	field("KCRYPTO", orNone(r.KCRYPTO, "not set"))
	field("GODEBUG", orNone(r.GODEBUG, "not set"))
	field("tuning", orNone(settings(r.Tuning), "nothing that can run here is tuned for the CPU's model"))
	field("drivers", fmt.Sprintf("%d, of which %d can run here (tcrypt test tests them)", r.Drivers, r.Usable))
}

// folded folds lines again that are longer than width.
func folded(lines []string, width int) []string {
	var all []string
	for _, line := range lines {
		all = append(all, text.Fold(strings.Fields(line), width)...)
	}
	return all
}

// settings writes a tuning as KCRYPTO takes it.
func settings(tuning map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(tuning)) {
		list = append(list, "tune."+name+"="+tuning[name])
	}
	return strings.Join(list, ",")
}

// reasons puts features that are off for one reason on one line.
func reasons(off map[string]string, width int) []string {
	by := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(off)) {
		by[off[name]] = append(by[off[name]], name)
	}
	if len(by) == 0 {
		return []string{"nothing: all that kcrypto knows is there"}
	}
	var lines []string
	for _, why := range slices.Sorted(maps.Keys(by)) {
		lines = append(lines, text.Fold(append(append([]string{}, by[why]...), "("+why+")"), width)...)
	}
	return lines
}

func orNone(s, none string) string {
	if s == "" {
		return none
	}
	return s
}

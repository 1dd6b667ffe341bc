package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/kernelmode"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// modeLine is what the modes command says of a mode.
type modeLine struct {
	Mode       int      `json:"mode"`
	Does       string   `json:"does"`                 // test, or speed and how
	Algorithms []string `json:"algorithms,omitempty"` // that kcrypto has
	Lacking    []string `json:"lacking,omitempty"`    // that it does not have
	About      string   `json:"about,omitempty"`      // where there is no algorithm
	Own        bool     `json:"own,omitempty"`        // no mode of the kernel's
}

func (a *app) modesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "modes",
		Short: "List the modes of the kernel's form",
		Long: `List the modes of Linux's tcrypt that kcrypto can serve, and its own. A mode runs with the parameters
of the kernel's module as arguments:

  tcrypt mode=200 sec=1

  mode    what to do (tcrypt modes); 0 tests all, or reports whether alg exists
  alg     only this algorithm, driver or composition of what the mode is about
  sec     seconds for each measurement; 0, the default, counts cycles
  num_mb  messages at a time in multibuffer modes (8)
  klen    with alg, only keys of so many bytes
  type, mask  with mode=0 alg=..., what that must be`,
		Example: `  tcrypt modes
  tcrypt mode=211 sec=1 alg='gcm(aes)'
  tcrypt mode=600 alg=xts-aes-vaes-avx2 klen=64`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("modes takes no name; run a mode with tcrypt mode=200")
			}
			return nil
		},
	}
	output := outputFlag(cmd, "table", "json")
	cmd.RunE = func(*cobra.Command, []string) error {
		list := modeLines()
		if output.value == "json" {
			return result.WriteJSON(a.out, list)
		}
		writeModes(a.out, list)
		return nil
	}
	return cmd
}

// modeLines describes the modes.
func modeLines() []modeLine {
	have := algorithms()
	list := []modeLine{}
	for _, m := range kernelmode.Modes {
		line := modeLine{Mode: m.Number, Does: m.Does(), About: m.About, Own: m.Own}
		for _, name := range m.Algorithms() {
			if slices.Contains(have, name) {
				line.Algorithms = append(line.Algorithms, name)
			} else {
				line.Lacking = append(line.Lacking, name)
			}
		}
		list = append(list, line)
	}
	return list
}

// modeWidth is how many characters the last column of the table of modes has.
const modeWidth = 74

func writeModes(w io.Writer, list []modeLine) {
	t := text.NewTable(">mode", "does", "with")
	own := false
	for _, m := range list {
		if m.Own && !own {
			t.Add("", "", "not in the kernel:")
			own = true
		}
		lines := text.Fold(m.Algorithms, text.WidthOf(w, modeWidth+22)-22)
		if m.About != "" {
			lines = []string{m.About}
		}
		if m.Lacking != nil {
			lines = append(lines, "without "+strings.Join(m.Lacking, " "))
		}
		t.Add(strconv.Itoa(m.Mode), m.Does, lines[0])
		for _, line := range lines[1:] {
			t.Add("", "", line)
		}
	}
	t.Write(w)
}

// completeParams makes the shell offer the parameters of the kernel's form.
func completeParams(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	name, _, ok := strings.Cut(word, "=")
	if !ok {
		return []string{"mode=", "sec=", "alg=", "klen=", "num_mb=", "type=", "mask="}, cobra.ShellCompDirectiveNoSpace
	}
	var values []string
	switch name {
	case "mode":
		for _, m := range modeLines() {
			values = append(values, fmt.Sprintf("mode=%d\t%s %s", m.Mode, m.Does, strings.Join(m.Algorithms, " ")))
		}
	case "alg":
		for _, info := range kcrypto.Drivers() {
			values = append(values, "alg="+info.Driver)
		}
	}
	return values, cobra.ShellCompDirectiveNoFileComp
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [name...]",
		Short: "List drivers with their priority and self-test",
		Long: `List all drivers, or those that the names mean, best first, after testing them. An asterisk marks
the driver that the algorithm's name gives. -o json prints an array of registry.Info, -o proc the
form of Linux's /proc/crypto.`,
		Example: `  tcrypt list
  tcrypt list 'gcm(aes)' 'xts(aes)' -o json
  tcrypt list --no-test -o proc`,
		ValidArgsFunction: completeNames,
	}
	form := outputFlag(cmd, "table", "json", "proc")
	noTest := cmd.Flags().Bool("no-test", false, "test nothing: show the state as it is")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		gs, err := groups(names)
		if err != nil {
			return err
		}
		if !*noTest {
			if err := a.selfTest(cmd.Context(), gs); err != nil {
				return err
			}
		}
		switch form.value {
		case "json":
			return result.WriteJSON(a.out, flatten(gs))
		case "proc":
			writeProc(a.out, newestFirst(flatten(gs)))
		default:
			winners := map[string]string{}
			if !*noTest { // to explain is to test
				winners = winnersOf(gs)
			}
			writeList(a.out, gs, winners)
		}
		return nil
	}
	return cmd
}

// flatten returns the drivers of gs, each once.
func flatten(gs []group) []registry.Info {
	list := []registry.Info{}
	for _, g := range gs {
		for _, info := range g.drivers {
			if !slices.ContainsFunc(list, func(i registry.Info) bool { return i.Driver == info.Driver }) {
				list = append(list, info)
			}
		}
	}
	return list
}

// winnersOf returns the driver that each algorithm's name gives.
func winnersOf(gs []group) map[string]string {
	winners := map[string]string{}
	for _, g := range gs {
		if e, err := kcrypto.Explain(g.algorithm); err == nil {
			winners[g.algorithm] = e.Winner
		}
	}
	return winners
}

// writeList prints gs with a line on each algorithm, and an asterisk at its winner.
func writeList(w io.Writer, gs []group, winners map[string]string) {
	var all []registry.Info
	for _, g := range gs {
		all = append(all, g.drivers...)
	}
	rows := driverRows(all, winners, text.WidthOf(w, 0))
	fmt.Fprintln(w, rows[0])
	rows = rows[1:]
	for _, g := range gs {
		n := len(g.drivers)
		text.Print(w, heading(g.drivers[0]), 100)
		fmt.Fprintln(w, strings.Join(rows[:n], "\n"))
		rows = rows[n:]
	}
}

// longReason is how many characters of a reason fit into the table: longer ones go below their row.
const longReason = 34

// driverRows returns a table of drivers: a heading, then a row for each, with an asterisk at its algorithm's winner, in
// lines of so many characters, or of any number if that is 0.
func driverRows(list []registry.Info, winners map[string]string, width int) []string {
	t := text.NewTable("", "driver", ">priority", "self-test", "")
	for _, info := range list {
		mark, reason := "", info.Reason
		if info.Driver == winners[info.Algorithm] {
			mark = "*"
		}
		if len(reason) > longReason {
			reason = "because"
		}
		t.Add(mark, info.Driver, strconv.Itoa(info.Priority), string(info.SelfTest), reason)
	}
	rows := t.Lines(width)
	below := 90
	if width > 0 {
		below = min(below, width-6)
	}
	for i, info := range list {
		if len(info.Reason) > longReason {
			lines := text.Fold(strings.Fields(info.Reason), below)
			rows[i+1] += "\n      " + strings.Join(lines, "\n      ")
		}
	}
	return rows
}

// heading describes an algorithm in a line.
func heading(info registry.Info) string {
	iv := "no IV"
	if info.IVSize > 0 {
		iv = fmt.Sprintf("IV of %d bytes", info.IVSize)
	}
	return fmt.Sprintf("%s: %s, keys of %s bits, %s", info.Algorithm, info.Type, bits(info.KeySizes), iv)
}

// bits lists sizes in bytes as bits.
func bits(sizes []int) string {
	words := make([]string, len(sizes))
	for i, n := range sizes {
		words[i] = strconv.Itoa(8 * n)
	}
	return strings.Join(words, ", ")
}

// newestFirst puts list in the order of /proc/crypto: what was registered last comes first. That is the other way
// round for the algorithms, while the drivers of each are registered from the plainest to the best.
func newestFirst(list []registry.Info) []registry.Info {
	var order []registry.Info
	for len(list) > 0 {
		last := list[len(list)-1].Algorithm
		i := len(list)
		for i > 0 && list[i-1].Algorithm == last {
			i--
		}
		order = append(order, list[i:]...)
		list = list[:i]
	}
	return order
}

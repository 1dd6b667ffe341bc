package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/text"
)

func (a *app) testCommand() *cobra.Command {
	var o kcrypto.SelfTestOptions
	cmd := &cobra.Command{
		Use:   "test [name...]",
		Short: "Self-test drivers",
		Long: `Run the self-test of all drivers, or of those that the names mean, and print a line on each. The
exit code is 1 if one of them failed, or if nothing that a name means can run here. --full does as
much of it as the kernel's extended tests: 100 random layouts of each vector, 800 random messages
compared with the generic driver, 800 forgeries.`,
		Example: `  tcrypt test
  tcrypt test gcm-aes-generic --full
  tcrypt test 'xts(aes)' --full --seed 12345`,
		ValidArgsFunction: completeNames,
	}
	cmd.Flags().BoolVar(&o.Full, "full", false, "test at length")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 0, "seed of the random inputs, as an earlier run printed it; 0 draws one")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		gs, err := groups(names)
		if err != nil {
			return err
		}
		return a.test(cmd.Context(), gs, len(names) > 0, o)
	}
	return cmd
}

// test tests the drivers of gs, which were asked for by name or not, and prints a line on each when it is done.
func (a *app) test(ctx context.Context, gs []group, asked bool, o kcrypto.SelfTestOptions) error {
	list := flatten(gs)
	for o.Seed == 0 { // the self-test would draw one, and report it only with a failure
		o.Seed = rand.Uint64()
	}
	width := 0
	for _, info := range list {
		width = max(width, len(info.Driver))
	}
	count := map[registry.SelfTest]int{}
	var stopped error
	tested := 0
	for i, info := range list {
		what := "self-test of " + info.Driver
		a.progress.say(i, len(list), what)
		o.Progress = func(_ string, done, total int) {
			a.progress.say(i, len(list), fmt.Sprintf("%s: %d of %d", what, done, total))
		}
		if err := kcrypto.RunSelfTest(ctx, o, info.Driver); err != nil && !errors.Is(err, registry.ErrSelfTest) {
			stopped = err
			break
		}
		tested++
		info = kcrypto.Drivers(info.Driver)[0]
		count[info.SelfTest]++
		a.progress.clear()
		fmt.Fprintln(a.out, testLine(info, width, text.WidthOf(a.out, 0)))
	}
	a.progress.clear()
	fmt.Fprintf(a.out, "%d passed, %d failed, %d unavailable", count[registry.Passed], count[registry.Failed],
		count[registry.Unavailable])
	if stopped != nil {
		fmt.Fprintf(a.out, ", %d not tested", len(list)-tested)
	}
	fmt.Fprintf(a.out, ", seed %#x\n", o.Seed)
	return errors.Join(stopped, failures(count[registry.Failed]), cannotRun(gs, asked))
}

// cannotRun is the error for those of gs of which no driver can run here. If nobody asked for them by name, it is one
// only if that is so for all.
func cannotRun(gs []group, asked bool) error {
	var none []string
	for _, g := range gs {
		usable := func(info registry.Info) bool { return info.SelfTest != registry.Unavailable }
		if !slices.ContainsFunc(kcrypto.Drivers(g.name), usable) {
			none = append(none, g.name)
		}
	}
	switch {
	case len(none) == 0, !asked && len(none) < len(gs):
		return nil
	case !asked:
		return errors.New("no driver can run here; tcrypt list says why")
	}
	return fmt.Errorf("%s cannot run here", strings.Join(none, ", "))
}

// failures is the error for n drivers that failed.
func failures(n int) error {
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s failed the self-test: report it, with the output of tcrypt info", text.Counted(n, "driver"))
}

// testLine is a driver's state and its reason, which goes below if the line would have more than most characters. 0 is
// any number.
func testLine(info registry.Info, width, most int) string {
	state := string(info.SelfTest)
	if info.SelfTest == registry.Failed {
		state = strings.ToUpper(state) // to be seen among many
	}
	line := strings.TrimSpace(fmt.Sprintf("%-*s  %s  %s", width, info.Driver, state, info.Reason))
	if most == 0 || utf8.RuneCountInString(line) <= most {
		return line
	}
	const below = "\n    "
	reason := text.Fold(strings.Fields(info.Reason), most-len(below)+1)
	return fmt.Sprintf("%-*s  %s", width, info.Driver, state) + below + strings.Join(reason, below)
}

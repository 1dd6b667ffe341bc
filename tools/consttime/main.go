// Command consttime looks for secrets in branches and addresses, in two ways that see different things.
//
//	go run ./tools/consttime valgrind [driver...]   follows secrets through the machine code; a minute
//	go run ./tools/consttime timing [driver...]     compares the time of fixed and random secrets; minutes, and noisy
//
// Valgrind follows every bit and misses nothing on the paths it is led through, but knows no VAES and no AVX-512.
// Timing sees all drivers, and only effects that show in time. docs/security.md says what is promised.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := &cobra.Command{
		Use: "consttime", Short: "Look for secrets in branches and addresses",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.AddCommand(valgrindCommand(), timingCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "consttime:", err)
		stop()
		os.Exit(1)
	}
}

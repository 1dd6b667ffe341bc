package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

func timingCommand() *cobra.Command {
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "timing [driver...]",
		Short: "Compare the time that fixed and random secrets take",
		Long: `For each driver, take the time of setting a key, of encrypting and of refusing a forgery, half of the time with
a fixed key and text and half with random ones, in random order, and say how sure Welch's t-test is
that the two differ (the method of dudect: Reparaz, Balasch, Verbauwhede, "Dude, is my code constant
time?", 2017). |t| over 10 in run after run is a leak. Under 4.5 there is no evidence of one.
A planted leak must be found. The exit code is 1 if a driver is over 10 in each of five attempts.`,
		RunE: func(cmd *cobra.Command, names []string) error { return timing(cmd.Context(), each, names) },
	}
	cmd.Flags().DurationVar(&each, "time", 2*time.Second, "time for each operation of each driver")
	return cmd
}

// Thresholds of |t| and how often a driver may try: other work on the machine makes outliers, a leak stays.
const (
	evidence  = 4.5
	certainty = 10
	attempts  = 5
)

func timing(ctx context.Context, each time.Duration, names []string) error {
	if cpu.TSC() == 0 {
		return fmt.Errorf("no time-stamp counter here: want amd64 without the tag purego")
	}
	if t := compare(ctx, each, plantedLeak()); t < certainty {
		return fmt.Errorf("a comparison that stops at the first difference has |t| = %.1f, want over %d: "+
			"the machine is too noisy for this test, try a longer --time", t, certainty)
	}
	fmt.Printf("%-40s %9s %9s %9s\n", "|t| of", "set key", "encrypt", "refuse")
	leaks := 0
	for _, d := range kcrypto.Drivers(names...) {
		if d.SelfTest == registry.Unavailable {
			fmt.Printf("%-40s not run: %s\n", d.Driver, d.Reason)
			continue
		}
		operations, err := operationsOf(d)
		if err != nil {
			return err
		}
		fmt.Printf("%-40s", d.Driver)
		for _, o := range operations {
			t := settled(ctx, each, o)
			fmt.Printf(" %9.1f", t)
			if t > certainty {
				leaks++
				fmt.Print("!")
			}
		}
		fmt.Println()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if leaks > 0 {
		return fmt.Errorf("%d operations take a time that depends on the secret", leaks)
	}
	return nil
}

// settled is the least |t| of up to five attempts, which end as soon as there is no evidence.
func settled(ctx context.Context, each time.Duration, o operation) float64 {
	least := compare(ctx, each, o)
	for i := 1; i < attempts && least > evidence; i++ {
		least = min(least, compare(ctx, each, o))
	}
	return least
}

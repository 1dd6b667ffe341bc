package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"kcrypto"
	"kcrypto/tools/consttime/internal/marker"
)

func valgrindCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "valgrind [driver...]",
		Short: "Follow marked secrets through every driver that valgrind can run",
		Long: `Build a program with Go's own support for valgrind (-tags valgrind), run it under memcheck with keys,
texts and additional data marked as secret, and report each branch and address that depends on one.
The exit code is 1 if there is such a place, or if the leaks planted to test this test were missed.`,
		RunE: func(cmd *cobra.Command, names []string) error { return valgrind(cmd.Context(), names) },
	}
}

// confirmations is how often a leak must be reported again.
const confirmations = 2

func valgrind(ctx context.Context, names []string) error {
	dir, err := os.MkdirTemp("", "consttime")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	subject, err := buildSubject(ctx, dir)
	if err != nil {
		return err
	}
	sections, err := watch(ctx, subject, names)
	if err != nil {
		return err
	}
	for range confirmations {
		suspects := leaking(sections)
		if len(suspects) == 0 {
			break
		}
		again, err := watch(ctx, subject, suspects)
		if err != nil {
			return err
		}
		common(sections, again)
	}
	return printFindings(sections, names)
}

// leaking lists the drivers with leaks.
func leaking(sections []section) []string {
	var names []string
	for _, s := range sections {
		if len(s.leaks) > 0 {
			names = append(names, s.driver)
		}
	}
	return names
}

// printFindings prints what was found for each of the drivers that names mean.
func printFindings(sections []section, names []string) error {
	leaks, seen := 0, map[string]bool{}
	for _, s := range sections {
		seen[s.driver] = true
		verdict := "no secret in a branch or an address"
		if len(s.leaks) > 0 {
			verdict = "LEAKS"
		}
		fmt.Printf("%-40s %s\n", s.driver, verdict)
		for _, l := range s.leaks {
			leaks++
			fmt.Printf("\t%s\n", l)
		}
	}
	for _, d := range kcrypto.Drivers(names...) {
		if !seen[d.Driver] {
			fmt.Printf("%-40s not run: valgrind's CPU lacks what it needs\n", d.Driver)
		}
	}
	if leaks > 0 {
		return fmt.Errorf("%d places depend on a secret", leaks)
	}
	return nil
}

// buildSubject builds the program to watch in dir.
func buildSubject(ctx context.Context, dir string) (string, error) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return "", fmt.Errorf("%w: install it (Debian: apt-get install valgrind)", err)
	}
	subject := filepath.Join(dir, "subject")
	build := exec.CommandContext(ctx, "go", "build", "-tags", "valgrind", "-o", subject,
		"kcrypto/tools/consttime/internal/subject")
	// Valgrind before 3.24 cannot read DWARF 5, and without names its reports are of no use.
	build.Env = append(os.Environ(), "GOEXPERIMENT=nodwarf5", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	return subject, nil
}

// watch runs subject under memcheck on some drivers, or all, and returns what was reported of each.
func watch(ctx context.Context, subject string, names []string) ([]section, error) {
	var log bytes.Buffer
	run := exec.CommandContext(ctx, "valgrind", append([]string{"--error-limit=no", "--num-callers=12",
		// A larger step of the stack pointer is a change of stacks, not a frame: goroutines' stacks are close together.
		"--max-stackframe=4096", subject}, names...)...)
	// Less of the runtime's noise; and no RDTSCP, which valgrind's CPUID has but valgrind refuses on some hosts.
	run.Env = append(os.Environ(), "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off")
	run.Stderr = &log
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", run, err, log.Bytes()[max(0, log.Len()-4000):])
	}
	sections, err := parse(log.Bytes())
	if err != nil {
		return nil, err
	}
	return sections[1:], checkPlanted(sections[0])
}

// checkPlanted says whether valgrind found exactly the leaks that were made for it.
func checkPlanted(s section) error {
	found := map[string]int{}
	for _, l := range s.leaks {
		found[l.function]++
	}
	if s.driver != marker.Planted || len(found) != 2 || found["main.plantedBranch"] == 0 ||
		found["main.plantedIndex"] == 0 {
		return fmt.Errorf("valgrind reports %v of the planted leaks, want main.plantedBranch and main.plantedIndex: "+
			"its other silence means nothing", found)
	}
	return nil
}

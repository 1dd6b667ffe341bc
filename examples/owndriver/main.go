// Owndriver gives kcrypto a driver of ctr(aes) that comes from outside of it, and shows who serves ctr(aes) then.
//
//	owndriver
//
// The driver splits long messages among all CPUs (driver.go). A first form of it has a fault that is easily made: its
// counter has 32 bits. The self-test, which every driver must pass before anybody gets it, refuses that one, whatever
// its priority. The corrected one is chosen while its priority is the highest.
//
// It uses what any other module can: kcrypto and kcrypto/registry.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"kcrypto"
	"kcrypto/examples/internal/job"
	"kcrypto/registry"
)

const usage = "%w: owndriver, without arguments"

func main() { job.Main("owndriver", run) }

func run(_ context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf(usage, job.ErrUsage)
	}
	return show(os.Stdout, kcrypto.Default())
}

// show registers the drivers in r, and prints what names give after each step.
func show(w io.Writer, r *registry.Registry) error {
	for _, step := range []struct {
		what  string
		do    func() error
		names []string
	}{
		{"kcrypto's own drivers", func() error { return nil }, []string{"ctr(aes)"}},
		{"and ctr-aes-hasty, priority 1000", func() error { return r.Register([]registry.Driver{hasty(1000)}) },
			[]string{"ctr(aes)", "ctr-aes-hasty"}},
		{"and ctr-aes-split, priority 900", func() error { return r.Register([]registry.Driver{split(900)}) },
			[]string{"ctr(aes)"}},
		{"the same, priority 1", func() error { return r.SetPriority("ctr-aes-split", 1) },
			[]string{"ctr(aes)", "ctr-aes-split"}},
	} {
		if err := step.do(); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s:\n", step.what)
		for _, name := range step.names {
			fmt.Fprintf(w, "  %-13s  %s\n", name, served(r, name))
		}
	}
	return nil
}

// served says which driver a name gives, or why it gives none.
func served(r *registry.Registry, name string) string {
	ctr, err := kcrypto.NewSkcipher(name, make([]byte, 32), kcrypto.WithRegistry(r))
	if err != nil {
		return "error: " + err.Error()
	}
	defer ctr.Close()
	return "served by " + ctr.Driver()
}

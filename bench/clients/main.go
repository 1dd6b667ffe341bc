// Command clients tests and measures programs that people run, on this library's packages of compat. It copies each out
// of the module cache into a folder of its own, twice: as it is, and with changed imports; none of their code is in
// this repository, and neither the cache nor golang.org/x/crypto is replaced for anybody else.
//
//	go run ./bench/clients                  prepare, test and measure all of them
//	clients -dir DIR prepare [CLIENT...]    copy and build
//	clients -dir DIR test [CLIENT...]       run their own tests, before and after the change
//	clients -dir DIR speed [CLIENT...]      before and after in turns
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

// bench is one run of the command.
type bench struct {
	dir    string // of the copies
	home   string // of this repository
	turn   time.Duration
	starts int
	rounds int
}

func main() {
	var b bench
	flag.StringVar(&b.dir, "dir", "", "folder for the copies, kept afterwards; a temporary one by default")
	flag.StringVar(&b.home, "home", ".", "the root of the kcrypto repository")
	flag.DurationVar(&b.turn, "turn", 200*time.Millisecond, "speed: how long each side has the machine before the other")
	flag.IntVar(&b.starts, "starts", 7, "speed: how many times both sides are started")
	flag.IntVar(&b.rounds, "rounds", 4, "speed: how many turns each side has then")
	flag.Parse()
	if err := b.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// steps are what can be asked for, in the order in which all of them are done.
var steps = []struct {
	name string
	do   func(b *bench, c client) error
}{{"prepare", (*bench).prepare}, {"test", (*bench).test}, {"speed", (*bench).speed}}

func (b *bench) run(args []string) error {
	if b.dir == "" {
		dir, err := os.MkdirTemp("", "clients")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.dir = dir
	}
	wanted := ""
	if len(args) > 0 {
		wanted, args = args[0], args[1:]
	}
	chosen, err := choose(args)
	if err != nil {
		return err
	}
	known := false
	for _, step := range steps {
		if wanted != "" && wanted != step.name {
			continue
		}
		known = true
		for _, c := range chosen {
			if err := step.do(b, c); err != nil {
				return fmt.Errorf("%s %s: %w", step.name, c.name, err)
			}
		}
	}
	if !known {
		return fmt.Errorf("%q is none of prepare, test, speed", wanted)
	}
	return nil
}

// choose is the clients of these names, or all.
func choose(names []string) ([]client, error) {
	if len(names) == 0 {
		return clients, nil
	}
	var chosen []client
	for _, name := range names {
		i := slices.IndexFunc(clients, func(c client) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no client %q: there are wireguard, quic-go, sio, age", name)
		}
		chosen = append(chosen, clients[i])
	}
	return chosen, nil
}

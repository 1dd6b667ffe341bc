package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// source is a file that mutants are made of.
type source interface {
	path() string
	// draw breaks one place of the file.
	draw(random *rand.Rand) *mutant
	// checks lists what might notice, the cheapest first.
	checks() []check
}

// mutant is a file with one place changed.
type mutant struct {
	path, function string
	line           int
	before, after  string // the place
	text           string // the whole file
}

func (m *mutant) String() string {
	after := oneLine(m.after)
	if after == "" {
		after = "nothing"
	}
	return fmt.Sprintf("%s:%d %s: %s -> %s", m.path, m.line, m.function, oneLine(m.before), after)
}

// oneLine is text with its white space folded.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

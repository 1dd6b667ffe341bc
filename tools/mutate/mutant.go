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

func (m *mutant) String() string { return fmt.Sprintf("%s:%d %s", m.path, m.line, m.change()) }

func (m *mutant) change() string {
	after := oneLine(m.after)
	if after == "" {
		after = "nothing"
	}
	return fmt.Sprintf("%s: %s -> %s", m.function, oneLine(m.before), after)
}

// key names a mutant without its line, which moves when other lines change.
func (m *mutant) key() string { return m.path + " " + m.change() }

// oneLine is text with its white space folded.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

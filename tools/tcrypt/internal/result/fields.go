package result

import (
	"fmt"
	"strings"
	"time"
)

// A Field is one line of a Header.
type Field struct{ Name, Value string }

// Fields returns what h says of the machine and the build, all of it, in the same order always; what is not known or
// not set is "". Two runs that agree in this can be compared without a second thought.
func (h *Header) Fields() []Field {
	m := &h.Machine
	return []Field{
		{"cpu", m.CPU},
		{"cpuid", m.Identity()},
		{"features", strings.Join(m.Features, " ")},
		{"virtualisation", m.Virtualisation},
		{"governor", m.Governor},
		{"go", m.Go},
		{"platform", m.Platform},
		{"build", strings.Join(m.Build, " ")},
		{"kcrypto", m.KCRYPTO},
		{"godebug", m.GODEBUG},
	}
}

// Circumstances returns what is another in every run.
func (h *Header) Circumstances() []Field {
	words := []string{"tcrypt"}
	for _, arg := range h.Command {
		words = append(words, quoted(arg))
	}
	return []Field{
		{"commit", h.Machine.Commit},
		{"date", h.Date.UTC().Format(time.RFC3339)},
		{"command", strings.Join(words, " ")},
	}
}

// quoted is a word as a shell wants it.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,./:+%@"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// DriverLines returns a line on each algorithm that h has drivers of: its drivers with their priorities, and those that
// are out.
func (h *Header) DriverLines() []Field {
	var lines []Field
	for _, d := range h.Drivers {
		if n := len(lines); n == 0 || lines[n-1].Name != d.Algorithm {
			lines = append(lines, Field{Name: d.Algorithm})
		} else {
			lines[n-1].Value += ", "
		}
		word := fmt.Sprintf("%s %d", d.Impl, d.Priority)
		if d.SelfTest != "passed" {
			word += " (" + d.SelfTest + ")"
		}
		lines[len(lines)-1].Value += word
	}
	return lines
}

// Priority is that of c's driver; ok is false for Go's own code.
func (h *Header) Priority(c *Cell) (priority int, ok bool) {
	for _, d := range h.Drivers {
		if d.Algorithm == c.Algorithm && d.Driver == c.Driver {
			return d.Priority, true
		}
	}
	return 0, false
}

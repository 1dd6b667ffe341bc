package kernelmode

import (
	"fmt"
	"io"
)

// Lines writes what the kernel's module writes into the kernel's log.
type Lines struct {
	w    io.Writer
	test int // the number of the next row under a heading
}

// NewLines writes lines to w.
func NewLines(w io.Writer) *Lines { return &Lines{w: w} }

// Note writes a line of free text.
func (l *Lines) Note(format string, args ...any) { fmt.Fprintf(l.w, "tcrypt: "+format+"\n", args...) }

// Heading begins the rows of one driver in one direction.
func (l *Lines) Heading(style Style, algorithm, driver string, decrypt bool) {
	if style != Plain {
		style += " "
	}
	direction := "encryption"
	if decrypt {
		direction = "decryption"
	}
	l.Note("testing speed of %s%s (%s) %s", style, algorithm, driver, direction)
	l.test = 0
}

// Cycles writes the row for one key and size, both in bytes: an operation took so many cycles.
func (l *Lines) Cycles(key, size int, cycles float64) {
	l.row(key, size, "1 operation in %.0f cycles (%d bytes)", cycles, size)
}

// Seconds writes the row for one key and size: so many operations in a number of seconds.
func (l *Lines) Seconds(key, size, operations, seconds int) {
	l.row(key, size, "%d operations in %d seconds (%d bytes)", operations, seconds, int64(operations)*int64(size))
}

// Partial writes a line on the row that follows: an interruption left only so much of what it is made of.
func (l *Lines) Partial(what string) { l.Note("interrupted: the next row is of %s", what) }

func (l *Lines) row(key, size int, format string, args ...any) {
	l.Note("test %d (%d bit key, %d byte blocks): "+format, append([]any{l.test, 8 * key, size}, args...)...)
	l.test++
}

// Missing writes the line about an algorithm that is not there, with the kernel's error code for that, ENOENT.
func (l *Lines) Missing(algorithm string) {
	l.Note("failed to load transform for %s: -2 (kcrypto does not have it)", algorithm)
}

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// A block is a run of instructions that only its first one can be jumped to, and that only its last one leaves.
type block struct {
	file     string // by its path in the module
	line     int    // of the first instruction
	function string
	label    string // the last one before it, "" before the first
}

func (b block) String() string {
	place := b.function
	if b.label != "" {
		place += ", from " + b.label
	}
	return fmt.Sprintf("%s:%d: %s", b.file, b.line, place)
}

// instrument returns the assembly in text with one instruction more at the beginning of each block, which sets the
// block's byte in the package's array of marks; the first is byte number first. Storing a constant changes neither
// registers nor flags, so it can stand anywhere.
func instrument(file string, text []byte, first int) (marked []byte, blocks []block) {
	var out bytes.Buffer
	var at block
	fresh := false // the next instruction begins a block
	number := 0
	for line := range bytes.Lines(text) {
		number++
		words := strings.Fields(strings.TrimSpace(string(line)))
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "//") || words[0][0] == '#':
		case words[0] == "TEXT":
			name, _, _ := strings.Cut(strings.TrimPrefix(words[1], "·"), "(")
			at, fresh = block{file: file, function: name}, true
		case words[0] == "DATA" || words[0] == "GLOBL" || words[0] == "PCALIGN":
		case strings.HasSuffix(words[0], ":"):
			at.label, fresh = strings.TrimSuffix(words[0], ":"), true
		default:
			if fresh {
				at.line = number
				fmt.Fprintf(&out, "\tMOVB $1, ·marks+%d(SB)\n", first+len(blocks))
				blocks = append(blocks, at)
			}
			fresh = words[0][0] == 'J' || words[0] == "RET"
		}
		out.Write(line)
	}
	return out.Bytes(), blocks
}

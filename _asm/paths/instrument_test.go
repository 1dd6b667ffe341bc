package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestInstrument(t *testing.T) {
	text := `#include "textflag.h"

DATA k<>+0(SB)/8, $1
GLOBL k<>(SB), RODATA|NOPTR, $8

// func f(n int)
TEXT ·f(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), AX
	CMPQ AX, $0x01
	JEQ  done
	DECQ AX
	PCALIGN $0x20

loop:
again:
	// The loop.
	DECQ AX
	JNE  loop
	JMP  done

done:
	RET

TEXT ·g(SB), NOSPLIT, $0-0
	RET
`
	want := `#include "textflag.h"

DATA k<>+0(SB)/8, $1
GLOBL k<>(SB), RODATA|NOPTR, $8

// func f(n int)
TEXT ·f(SB), NOSPLIT, $0-8
	MOVB $1, ·marks+100(SB)
	MOVQ n+0(FP), AX
	CMPQ AX, $0x01
	JEQ  done
	MOVB $1, ·marks+101(SB)
	DECQ AX
	PCALIGN $0x20

loop:
again:
	// The loop.
	MOVB $1, ·marks+102(SB)
	DECQ AX
	JNE  loop
	MOVB $1, ·marks+103(SB)
	JMP  done

done:
	MOVB $1, ·marks+104(SB)
	RET

TEXT ·g(SB), NOSPLIT, $0-0
	MOVB $1, ·marks+105(SB)
	RET
`
	marked, blocks := instrument("x.s", []byte(text), 100)
	if string(marked) != want {
		t.Errorf("marked:\n%s", marked)
	}
	var places []string
	for _, b := range blocks {
		places = append(places, b.String())
	}
	if want := []string{
		"x.s:8: f", "x.s:11: f", "x.s:17: f, from again", "x.s:19: f, from again", "x.s:22: f, from done", "x.s:25: g",
	}; !slices.Equal(places, want) {
		t.Errorf("blocks %q, want %q", places, want)
	}
}

// TestReached: a block counts if any process reached it, each of whose files begins with its own number of other bytes.
func TestReached(t *testing.T) {
	p := pkg{blocks: make([]block, 3), found: t.TempDir()}
	for name, content := range map[string]string{"1-a": "\x01\x00\x01\x00", "0-b": "\x01\x00\x00"} {
		if err := os.WriteFile(filepath.Join(p.found, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := p.reached(); err != nil || !slices.Equal(got, []bool{true, true, false}) {
		t.Errorf("reached %v, %v; want the first two", got, err)
	}
}

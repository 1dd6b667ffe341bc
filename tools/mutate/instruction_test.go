package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const assembly = `// Code generated. DO NOT EDIT.
TEXT ·sum(SB), NOSPLIT, $0-8
	MOVQ   x+0(FP), AX
loop:
	VPADDD 16(AX), Y1, Y1
	PCALIGN $0x10
	SUBQ   $0x20, AX
	JNE    loop
	VZEROUPPER
	RET
`

func example() *asmSource {
	s := &asmSource{name: "x.s", lines: strings.Split(assembly, "\n")}
	s.index()
	return s
}

// TestIndex: every instruction may be broken but those that change nothing or that others hold.
func TestIndex(t *testing.T) {
	var got []string
	for name := range example().sites["sum"] {
		got = append(got, name)
	}
	slices.Sort(got)
	if want := []string{"JNE", "MOVQ", "SUBQ", "VPADDD"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestWays: each way of breaking an instruction makes what it should, and does not apply to what has no such part.
func TestWays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		way  way
		line string
		want []string // one of these, or none
	}{
		{"drop", drop, "\tJNE    loop", []string{""}},
		{"turn", turn, "\tJNE    loop", []string{"\tJEQ    loop"}},
		{"turn", turn, "\tVPADDD 16(AX), Y1, Y1", []string{"\tVPSUBD 16(AX), Y1, Y1"}},
		{"turn", turn, "\tVPXORD Z1, Z2, Z3", []string{"\tVPORD Z1, Z2, Z3"}},
		{"turn", turn, "\tMOVQ   AX, BX", nil},
		{"nudge", nudge, "\tSUBQ   $0x20, AX", []string{"\tSUBQ   $33, AX", "\tSUBQ   $31, AX"}},
		{"nudge", nudge, "\tMOVQ   $0xffffffffffffffff, AX", []string{"\tMOVQ   $0xfffffffffffffffe, AX"}},
		{"nudge", nudge, "\tJNE    loop", nil},
		{"shift", shift, "\tMOVQ   16(AX), BX", []string{"\tMOVQ   0(AX), BX", "\tMOVQ   15(AX), BX", "\tMOVQ   17(AX), BX",
			"\tMOVQ   32(AX), BX"}},
		{"shift", shift, "\tMOVQ   AX, BX", nil},
		{"misname", misname, "\tVPADDD 16(AX), Y1, Y1", []string{"\tVPADDD 16(AX), Y0, Y1", "\tVPADDD 16(AX), Y1, Y0"}},
		{"misname", misname, "\tMOVQ   AX, BX", nil},
	} {
		for range 20 {
			got, ok := c.way(random, c.line)
			if ok != (c.want != nil) || ok && !slices.Contains(c.want, got) {
				t.Errorf("%s of %q is %q, %v; want one of %q", c.name, c.line, got, ok, c.want)
			}
		}
	}
}

// TestDraw: a mutant differs from its source in one line.
func TestDraw(t *testing.T) {
	s, random := example(), rand.New(rand.NewPCG(3, 4))
	for range 50 {
		m := s.draw(random)
		after := strings.Split(m.text, "\n")
		for i := range s.lines {
			if (s.lines[i] != after[i]) != (i == m.line-1) {
				t.Fatalf("%v: line %d became %q", m, i+1, after[i])
			}
		}
	}
}

// TestServed: a file's name says whose drivers it is.
func TestServed(t *testing.T) {
	ctr := families["algs/ctr"]
	for _, d := range served("algs/ctr/ctr_aesni_avx_amd64.s", ctr) {
		if !strings.Contains(d, "ctr-aes-aesni-avx") {
			t.Errorf("ctr_aesni_avx serves %s", d)
		}
	}
	if len(served("algs/ctr/ctr_generic_amd64.s", ctr)) != 0 {
		t.Error("generic code is no assembly, and has mutants")
	}
}

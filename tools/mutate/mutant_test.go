package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
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

func example() *source {
	s := &source{path: "x.s", lines: strings.Split(assembly, "\n")}
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
	dice := rand.New(rand.NewPCG(1, 2))
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
		{"shift", shift, "\tMOVQ   16(AX), BX", []string{"\tMOVQ   0(AX), BX", "\tMOVQ   15(AX), BX", "\tMOVQ   17(AX), BX", "\tMOVQ   32(AX), BX"}},
		{"shift", shift, "\tMOVQ   AX, BX", nil},
		{"misname", misname, "\tVPADDD 16(AX), Y1, Y1", []string{"\tVPADDD 16(AX), Y0, Y1", "\tVPADDD 16(AX), Y1, Y0"}},
		{"misname", misname, "\tMOVQ   AX, BX", nil},
	} {
		for range 20 {
			got, ok := c.way(dice, c.line)
			if ok != (c.want != nil) || ok && !slices.Contains(c.want, got) {
				t.Errorf("%s of %q is %q, %v; want one of %q", c.name, c.line, got, ok, c.want)
			}
		}
	}
}

// TestDraw: a mutant differs from its source in one line.
func TestDraw(t *testing.T) {
	s, dice := example(), rand.New(rand.NewPCG(3, 4))
	for range 50 {
		m := draw(dice, s)
		before, after := strings.Split(s.text(), "\n"), strings.Split(m.text(), "\n")
		for i := range before {
			if (before[i] != after[i]) != (i == m.line) {
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

// TestReport: too many survivors and a run cut short are errors.
func TestReport(t *testing.T) {
	m := &mutant{source: example(), function: "sum", line: 7}
	r := newReport(4)
	for _, by := range []outcome{selfTest, suite, unbuildable, package_, survived} {
		r.add(m, by)
	}
	if err := r.finish(0.25); err != nil {
		t.Errorf("one survivor of four, a quarter allowed: %v", err)
	}
	if r.finish(0.2) == nil {
		t.Error("one survivor of four, a fifth allowed: no error")
	}
	if newReport(1).finish(1) == nil {
		t.Error("no mutant tried: no error")
	}
	if got, want := m.String(), "x.s:8 sum: JNE loop -> nothing"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTry breaks a round of AES for good: the self-test of the drivers must notice.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN in a short run: it builds tcrypt twice")
	}
	t.Chdir(filepath.Join("..", ".."))
	list, err := readSources(regexp.MustCompile(`ctr_aesni_amd64`))
	if err != nil || len(list) != 1 {
		t.Skipf("NOT RUN: this CPU has no AES-NI (%v)", err)
	}
	s := list[0]
	b := bench{dir: t.TempDir()}
	if by, err := b.try(context.Background(), s, strings.ReplaceAll(s.text(), "AESENCLAST", "AESENC")); by != selfTest {
		t.Errorf("AES without a last round: %v, %v; want it noticed by the self-test", by, err)
	}
	if by, err := b.try(context.Background(), s, s.text()+"\n\tNONSENSE\n"); by != unbuildable {
		t.Errorf("an instruction that is none: %v, %v; want it refused by the assembler", by, err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "overlay.json")); err != nil {
		t.Error(err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReport: too many survivors and a run cut short are errors.
func TestReport(t *testing.T) {
	m := &mutant{path: "x.s", function: "sum", line: 8, before: "\tJNE    loop"}
	r := newReport(4)
	for _, by := range []outcome{selfTest, users, unbuildable, package_, survived} {
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
		t.Skip("NOT RUN in a short run: it builds and runs tcrypt")
	}
	t.Chdir(filepath.Join("..", ".."))
	list, err := readAssembly(regexp.MustCompile(`ctr_aesni_amd64`))
	if err != nil || len(list) != 1 {
		t.Skipf("NOT RUN: this CPU has no AES-NI (%v)", err)
	}
	s, b := list[0].(*asmSource), bench{dir: t.TempDir()}
	try := func(text string) (outcome, error) {
		return b.try(t.Context(), &mutant{path: s.name, text: text}, s.checks())
	}
	text := strings.Join(s.lines, "\n")
	if by, err := try(strings.ReplaceAll(text, "AESENCLAST", "AESENC")); by != selfTest {
		t.Errorf("AES without a last round: %v, %v; want it noticed by the self-test", by, err)
	}
	if by, err := try(text + "\n\tNONSENSE\n"); by != unbuildable {
		t.Errorf("an instruction that is none: %v, %v; want it refused by the assembler", by, err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "overlay.json")); err != nil {
		t.Error(err)
	}
}

// TestTryGo lets an error of the registry pass: its tests must notice.
func TestTryGo(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN in a short run: it builds and runs the registry's tests")
	}
	t.Chdir(filepath.Join("..", ".."))
	list, err := readGo(regexp.MustCompile(`^registry/registry.go$`))
	if err != nil || len(list) != 1 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	s := list[0].(*goSource)
	m := &mutant{path: s.name, text: strings.Replace(s.text, "return err\n", "return nil\n", 1)}
	b := bench{dir: t.TempDir()}
	if by, err := b.try(t.Context(), m, s.checks()); by != package_ {
		t.Errorf("a driver that is refused without an error: %v, %v; want it noticed by the package's tests", by, err)
	}
	m.text = s.text + "nonsense"
	if by, err := b.try(t.Context(), m, s.checks()); by != unbuildable {
		t.Errorf("text that is no Go: %v, %v; want it refused by the compiler", by, err)
	}
}

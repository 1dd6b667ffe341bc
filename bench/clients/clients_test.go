package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLoads: every client has a load program, and there are no others.
func TestLoads(t *testing.T) {
	files, err := filepath.Glob("loads/*.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"loads/loop.go.txt"}
	for _, c := range clients {
		wanted = append(wanted, "loads/"+c.load+".go.txt")
	}
	slices.Sort(wanted)
	if !slices.Equal(files, wanted) {
		t.Errorf("load programs %v, want %v", files, wanted)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), f, text, 0); err != nil {
			t.Error(err)
		}
	}
}

func TestChoose(t *testing.T) {
	if all, err := choose(nil); err != nil || len(all) != len(clients) {
		t.Errorf("no names are all clients: %d, %v", len(all), err)
	}
	if some, err := choose([]string{"age", "sio"}); err != nil || len(some) != 2 || some[0].name != "age" {
		t.Errorf("two names: %v, %v", some, err)
	}
	if _, err := choose([]string{"age", "rage"}); err == nil {
		t.Error("a client that is not there is chosen")
	}
}

func TestVerdicts(t *testing.T) {
	v := read(`{"ImportPath":"bad","Action":"build-output","Output":"# bad\n"}
{"ImportPath":"bad","Action":"build-fail"}
{"Action":"run","Package":"p","Test":"A"}
{"Action":"pass","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"B","Output":"one\n"}
{"Action":"output","Package":"p","Test":"B","Output":"two\n"}
{"Action":"fail","Package":"p","Test":"B"}
{"Action":"skip","Package":"p","Test":"C"}
{"Action":"fail","Package":"p"}
`)
	if !slices.Equal(v.pass, []string{"p A"}) || !slices.Equal(v.fail, []string{"bad", "p B", "p"}) ||
		!slices.Equal(v.skip, []string{"p C"}) {
		t.Errorf("verdicts %q, %q, %q", v.pass, v.fail, v.skip)
	}
	if v.output["p B"] != "one\ntwo\n" || v.output["bad"] != "# bad\n" {
		t.Errorf("output %q", v.output)
	}
	v.passed([]string{"p B"})
	if !slices.Equal(v.pass, []string{"p A", "p B"}) || !slices.Equal(v.fail, []string{"bad", "p"}) {
		t.Errorf("after one has passed: %q, %q", v.pass, v.fail)
	}
}

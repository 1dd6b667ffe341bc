package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kcrypto/tools/tcrypt/internal/result"
)

// runOf is a run of drivers of gcm(aes) at two sizes.
func runOf(direction string, drivers ...string) *result.Run {
	run := &result.Run{Header: result.Header{Machine: result.Machine{CPU: "A CPU"}}}
	for _, size := range []int{16, 64} {
		for _, d := range drivers {
			c := result.Cell{Driver: d, Impl: d, Size: size, Samples: []result.Sample{{NS: 10}},
				Conditions: result.Conditions{Algorithm: "gcm(aes)", KeyBits: 128, Direction: direction, Threads: 1}}
			c.Summarize()
			run.Cells = append(run.Cells, c)
		}
	}
	return run
}

// Cells of one kind become one series, others stay apart, and nobody takes another's name.
func TestMerge(t *testing.T) {
	cells := merge(runOf(result.Encrypt, "ours", "go").Cells, runOf(result.Encrypt, "peer", "go").Cells, "b")
	cells = merge(cells, runOf(result.Decrypt, "ours").Cells, "c")
	var got []string
	for _, s := range result.Series(cells) {
		for _, c := range s {
			got = append(got, c.Direction[:1]+" "+c.Driver)
		}
		got = append(got, "|")
	}
	const want = "e ours, e go, e ours, e go, e peer, e go b, e peer, e go b, |, d ours, d ours, |"
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("%s\nwant %s", all, want)
	}
}

func TestDraw(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, run *result.Run) string {
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	ours := file("ours.json", runOf(result.Encrypt, "vaes_avx512", "go"))
	peers := file("peers.json", runOf(result.Encrypt, "go", "ipsecmb"))
	page := filepath.Join(dir, "page.html")
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"draw", ours, peers, "--html", page, "--plot"}, &out, &errs); code != exitOK {
		t.Fatal(errs.String())
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vaes_avx512", "go", "ipsecmb", "go peers"} {
		if !strings.Contains(string(text), ">"+name+"</text>") || !strings.Contains(out.String(), " "+name) {
			t.Errorf("%s is not drawn", name)
		}
	}
	for args, want := range map[string]string{
		"":                      "draw takes files",
		ours:                    "nothing to draw on",
		"none.json --plot":      "none.json",
		page + " --plot":        "no JSON of tcrypt speed",
		ours + " --html " + dir: "--html " + dir,
	} {
		out.Reset()
		errs.Reset()
		code := run(t.Context(), append([]string{"draw"}, strings.Fields(args)...), &out, &errs)
		checkMistake(t, out.String(), errs.String(), code, want)
	}
}

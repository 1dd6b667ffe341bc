// Package docs is tests of README.md, SECURITY.md and docs/: that their commands run, that what they name exists,
// and that what exists is in them.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// home is the repository's folder.
var home = func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// document is a Markdown file, by its name below home.
type document struct {
	name, text string
	blocks     []block
	spans      []line // code within text
}

// block is a piece of code on lines of its own; tag is the word behind its fence, "" for one that is indented.
type block struct {
	tag   string
	lines []line
}

// line is a line of a document, or a part of it; number counts from 1.
type line struct {
	number int
	text   string
}

func documents(t *testing.T) (docs []*document) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(home, "docs", "*.md"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%v: %v", names, err)
	}
	for _, name := range append(names, filepath.Join(home, "README.md"), filepath.Join(home, "SECURITY.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(home, name)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, parse(filepath.ToSlash(rel), string(text)))
	}
	return docs
}

// named returns the document of that name.
func named(t *testing.T, name string) *document {
	t.Helper()
	for _, d := range documents(t) {
		if d.name == name {
			return d
		}
	}
	t.Fatalf("no document %s", name)
	return nil
}

var span = regexp.MustCompile("(?s)`([^`]+)`")

// parse divides a document. An indented line is code where it comes behind an empty line, or behind another such one,
// and is no part of a list; our documents have no code in lists but between fences.
func parse(name, text string) *document {
	d := &document{name: name, text: text}
	var prose strings.Builder // the text without its blocks, each line in its place
	var open *block
	fenced, before := false, ""
	for i, s := range strings.Split(text, "\n") {
		l, keep := line{i + 1, s}, false
		switch tag, fence := strings.CutPrefix(strings.TrimSpace(s), "```"); {
		case fence:
			if open, fenced = nil, !fenced; fenced {
				d.blocks = append(d.blocks, block{tag: tag})
				open = &d.blocks[len(d.blocks)-1]
			}
		case fenced:
			open.lines = append(open.lines, line{l.number, strings.TrimSpace(s)})
		case strings.HasPrefix(s, "    ") && (open != nil || before == ""):
			if open == nil {
				d.blocks = append(d.blocks, block{})
				open = &d.blocks[len(d.blocks)-1]
			}
			open.lines = append(open.lines, line{l.number, strings.TrimSpace(s)})
		default:
			open, keep = nil, true
		}
		if keep {
			prose.WriteString(s)
		}
		prose.WriteString("\n")
		before = s
	}
	for _, m := range span.FindAllStringSubmatchIndex(prose.String(), -1) {
		at := prose.String()[:m[2]]
		code := strings.Join(strings.Fields(prose.String()[m[2]:m[3]]), " ")
		d.spans = append(d.spans, line{1 + strings.Count(at, "\n"), code})
	}
	return d
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTopics: help shows each topic, and each manual page ends with all of them.
func TestTopics(t *testing.T) {
	dir := t.TempDir()
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"man", dir}, &out, &errs); code != exitOK {
		t.Fatalf("man: %d, %s", code, &errs)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%q, %v", pages, err)
	}
	for _, topic := range topics {
		out.Reset()
		if code := run(t.Context(), []string{"help", topic.name}, &out, &errs); code != exitOK {
			t.Errorf("help %s: %d, %s", topic.name, code, &errs)
		}
		for _, row := range topic.rows {
			if !strings.Contains(out.String(), row[0]) {
				t.Errorf("help %s lacks %s", topic.name, row[0])
			}
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil || !strings.Contains(string(text), ".SH "+topic.title+"\n") {
				t.Errorf("%s lacks %s (%v)", page, topic.title, err)
			}
		}
	}
}

// TestEnvironmentIsWhole: the settings that the library's documentation lists are those of the topic, and their values.
func TestEnvironmentIsWhole(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "// # Settings")
	section, _, _ = strings.Cut(section, "// # ")
	settings := regexp.MustCompile(`(?m)^//\t([a-z]\S+)`).FindAllStringSubmatch(section, -1)
	if len(settings) < 8 {
		t.Fatalf("%d settings in the documentation", len(settings))
	}
	all := topics[0].text()
	for _, s := range settings {
		if !strings.Contains(all, "KCRYPTO="+s[1]+"\n") {
			t.Errorf("the topic lacks %s", s[1])
		}
	}
	for word := range strings.FieldsSeq("aes pclmulqdq avx avx2 vaes vpclmulqdq avx512 bmi2 movbe ifma ssse3 all") {
		if !strings.Contains(section, word) || !strings.Contains(all, word) {
			t.Errorf("the feature %s is not in both", word)
		}
	}
}

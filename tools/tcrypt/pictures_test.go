package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of every command that measures are there after it, and its table too.
func TestPictures(t *testing.T) {
	for _, args := range []string{
		"speed gcm-aes-generic --sizes 16,64 --keys 128 --time 6ms --count 6",
		"compare gcm-aes-generic go --sizes 16,64 --keys 128 --time 6ms --count 6",
		"tune rfc7539(chacha20,poly1305) --sizes 16,64 --time 6ms --count 6",
	} {
		dir := t.TempDir()
		page, svg := filepath.Join(dir, "r.html"), filepath.Join(dir, "r.svg")
		if err := os.WriteFile(page, []byte(strings.Repeat("an older and longer page", 10000)), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		args := append(strings.Fields(args), "--html", page, "--svg", svg, "--plot")
		if code := run(t.Context(), args, &out, &errs); code != exitOK {
			t.Fatal(errs.String())
		}
		for _, want := range []string{"┤", "     16", "64"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: the output lacks %q:\n%s", args, want, &out)
			}
		}
		for name, end := range map[string]string{page: "</html>\n", svg: "</svg>\n"} {
			text, err := os.ReadFile(name)
			if err != nil || !strings.HasSuffix(string(text), end) {
				t.Errorf("%s does not end as it should: %v", name, err)
			}
		}
	}
}

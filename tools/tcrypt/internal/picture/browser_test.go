package picture

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// measure looks at a page as it is laid out, and reports on the browser's console: texts that run into each other or
// out of their picture, a page that is wider than the window, and the colours that are in effect.
const measure = `<script>
addEventListener("load", () => {
  const faults = [], shown = [...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 0);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth)
    faults.push("the page is " + root.scrollWidth + " wide in a window of " + innerWidth);
  for (const svg of shown) {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map(t => ({is: t.textContent, at: t.getBoundingClientRect()}));
    texts.forEach((a, i) => {
      if (a.at.left < frame.left - 1 || a.at.right > frame.right + 1 ||
          a.at.top < frame.top - 1 || a.at.bottom > frame.bottom + 1)
        faults.push(a.is + " leaves its picture");
      for (const b of texts.slice(i + 1)) {
        const wide = Math.min(a.at.right, b.at.right) - Math.max(a.at.left, b.at.left);
        const high = Math.min(a.at.bottom, b.at.bottom) - Math.max(a.at.top, b.at.top);
        if (wide > 1 && high > 4) faults.push(a.is + " and " + b.is + " overlap"); // letters leave space above
      }
    });
  }
  const label = [...document.querySelectorAll("svg text")].find(t => t.textContent == "vaes_avx512");
  console.log("LAYOUT " + JSON.stringify({faults, shown: shown.length, width: innerWidth,
    ground: getComputedStyle(document.body).backgroundColor, label: getComputedStyle(label).fill}));
});
</script>`

// layout is what measure reports.
type layout struct {
	Faults        []string
	Shown, Width  int
	Ground, Label string
}

// browse opens a file in Chromium, and returns what it writes on its console, a line a message.
func browse(t *testing.T, name string, flags ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT RUN with -short: the page was not opened in a browser")
	}
	browser := ""
	for _, candidate := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(candidate); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("NOT RUN: THE PAGE WAS NOT OPENED IN A BROWSER: there is no chromium here (Debian's package has that name)")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	profile, err := os.MkdirTemp("", "tcrypt-browser")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // helpers that outlive the browser may still write there: t.TempDir would fail then
	flags = append(flags, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+profile, "--dump-dom", "file://"+name)
	cmd := exec.CommandContext(ctx, browser, flags...)
	var log strings.Builder
	cmd.Stderr = &log
	dom, err := cmd.Output()
	if err != nil || !strings.Contains(string(dom), "</html>") {
		t.Fatalf("%s did not show %s: %v\n%s", browser, name, err, &log)
	}
	var lines []string
	message := regexp.MustCompile(`:CONSOLE[:(][^\]]*\] (.*)`)
	for line := range strings.Lines(log.String()) {
		if m := message.FindStringSubmatch(line); m != nil {
			lines = append(lines, m[1])
		}
	}
	return lines
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// frames is a page of frames of these widths, which can be narrower than a browser's window.
func frames(t *testing.T, name string, widths ...int) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><body>")
	for _, width := range widths {
		fmt.Fprintf(&b, "<iframe src=\"file://%s\" style=\"width:%dpx;height:900px;border:0\"></iframe>", name, width)
	}
	b.WriteString("</body></html>")
	return write(t, b.String())
}

// The page must open without a word on the console. That an error would be seen is tried with a script, which the page
// forbids itself.
func TestBrowserConsole(t *testing.T) {
	page := htmlOf(t, sample())
	if lines := browse(t, write(t, page)); len(lines) > 0 {
		t.Errorf("the browser complains: %q", lines)
	}
	lines := browse(t, write(t, strings.Replace(page, "</body>", "<script>1</script></body>", 1)))
	if len(lines) != 1 || !strings.Contains(lines[0], "Content Security Policy") {
		t.Errorf("a script in the page gives %q, not one complaint", lines)
	}
}

// On a phone and on a desk, in the light and in the dark, no text runs into another and the page fits the window.
func TestBrowserLayout(t *testing.T) {
	widths := []int{360, 390, 700, 1280}
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	page := strings.Replace(htmlOf(t, sample()), "</body>", measure+"</body>", 1)
	outer := frames(t, write(t, policy.ReplaceAllString(page, "")), widths...)
	for theme, flag := range map[string]string{"light": "preferredColorScheme=1", "dark": "preferredColorScheme=0"} {
		want := layout{Shown: 7, Ground: rgb(background.light), Label: rgb(looks["vaes_avx512"].light)}
		if theme == "dark" {
			want.Ground, want.Label = rgb(background.dark), rgb(looks["vaes_avx512"].dark)
		}
		seen := map[int]bool{}
		for _, line := range browse(t, outer, "--blink-settings="+flag, "--window-size=1400,1000") {
			var got layout
			text, _, _ := strings.Cut(strings.TrimPrefix(line, `"LAYOUT `), `", source:`)
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%s: %v in %q", theme, err, line)
			}
			seen[got.Width] = true
			if len(got.Faults) > 0 || got.Shown != want.Shown || got.Ground != want.Ground || got.Label != want.Label {
				t.Errorf("%d wide, %s: %+v, want %+v", got.Width, theme, got, want)
			}
		}
		for _, width := range widths {
			if !seen[width] {
				t.Errorf("%s: nothing seen of a page %d wide", theme, width)
			}
		}
	}
}

// rgb is a colour as browsers write it.
func rgb(hex string) string {
	var r, g, b uint8
	if _, err := fmt.Sscanf(hex, "#%02X%02X%02X", &r, &g, &b); err != nil {
		panic(err)
	}
	return fmt.Sprintf("rgb(%d, %d, %d)", r, g, b)
}

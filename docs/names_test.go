package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// manPages returns the manual pages as documents without blocks.
func manPages(t *testing.T) (pages []*document) {
	t.Helper()
	dir := t.TempDir()
	tcrypt(t, "man", dir)
	names, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%v: %v", names, err)
	}
	for _, name := range names {
		text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fP`, "", `\fR`, "").Replace(read(t, name))
		pages = append(pages, &document{name: filepath.Base(name), text: text})
	}
	return pages
}

// notRunElsewhere skips a test where there are only some of the drivers.
func notRunElsewhere(t *testing.T) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("NOT RUN: the documents are about amd64 and its drivers")
	}
}

// not are names that the documents have to say that there is no such thing.
var not = []string{
	"ctr-aes-vaes-avx512vl", "gcm-aes-vaes-avx512vl", "xts-aes-vaes-avx512vl", // docs/adding-a-driver.md
}

var (
	hyphened  = regexp.MustCompile(`[a-z0-9]+(?:-[a-z0-9*]+)+`)
	algorithm = regexp.MustCompile(`\b[a-z0-9]+\((?:[a-z0-9]+\()?` +
		`(?:aes|chacha20|xchacha12|xchacha20)\b[a-z0-9,]*\)+(?:,[a-z0-9]+\))?`)
)

// TestNames: the drivers and algorithms that documents and manual pages name exist.
func TestNames(t *testing.T) {
	notRunElsewhere(t)
	t.Parallel()
	algorithms, drivers := drivers(t)
	families := map[string]bool{}
	for _, d := range drivers {
		families[family(d)] = true
	}
	for _, d := range append(documents(t), manPages(t)...) {
		for _, name := range hyphened.FindAllString(d.text, -1) {
			known := slices.ContainsFunc(drivers, func(driver string) bool {
				ok, _ := filepath.Match(name, driver)
				return ok
			})
			if families[family(name)] && !known && !slices.Contains(not, name) {
				t.Errorf("%s names the driver %s, which does not exist", d.name, name)
			}
		}
		for _, name := range algorithm.FindAllString(d.text, -1) {
			for strings.Count(name, ")") > strings.Count(name, "(") { // the text's own
				name = name[:len(name)-1]
			}
			if !slices.Contains(algorithms, name) && !slices.Contains(not, name) {
				t.Errorf("%s names the algorithm %s, which does not exist", d.name, name)
			}
		}
	}
}

// family returns what a driver's name begins with: gcm-aes, chacha20, ...
func family(driver string) string {
	if mode, _, ok := strings.Cut(driver, "-aes-"); ok {
		return mode + "-aes"
	}
	name, _, _ := strings.Cut(driver, "-")
	return name
}

var flagWord = regexp.MustCompile("(?:^|[\\s`(\\[])(--[a-z][a-z-]*)")

// TestFlags: a flag that a document or manual page names exists, with that command if there is one before it; and each
// command and flag that exists is in docs/tcrypt.md and in a manual page.
func TestFlags(t *testing.T) {
	t.Parallel()
	commands := commands(t)
	exists := map[string]bool{"--help": true, "--flags": true, "--repeat": true} // all commands', and tools/agree's
	for _, flags := range commands {
		for _, f := range flags {
			exists[f.long] = true
		}
	}
	for _, d := range append(documents(t), manPages(t)...) {
		if strings.HasPrefix(d.name, "tcrypt-completion-") {
			continue // for shells, with flags of the library that makes them
		}
		for _, m := range flagWord.FindAllStringSubmatch(d.text, -1) {
			if !exists[m[1]] {
				t.Errorf("%s names the flag %s, which does not exist", d.name, m[1])
			}
		}
	}
	manual := named(t, "docs/tcrypt.md").text
	for name, flags := range commands {
		if name != "" && !strings.Contains(manual, "tcrypt "+name) {
			t.Errorf("docs/tcrypt.md does not name the command %s", name)
		}
		for _, f := range flags {
			if !f.in(manual) {
				t.Errorf("docs/tcrypt.md does not name the flag %s of %q", f.long, name)
			}
		}
	}
}

// TestManPages: each command but help has a manual page, with each of its flags.
func TestManPages(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for _, p := range manPages(t) {
		pages[p.name] = p.text
	}
	all := commands(t)
	delete(all, "help")
	for name, flags := range all {
		page := strings.TrimSuffix("tcrypt-"+name, "-") + ".1"
		if pages[page] == "" {
			t.Errorf("there is no manual page %s", page)
			continue
		}
		for _, f := range flags {
			if !f.in(pages[page]) {
				t.Errorf("%s does not have the flag %s", page, f.long)
			}
		}
	}
}

var (
	settingOf  = regexp.MustCompile(`KCRYPTO=('[^']*'|[^\s` + "`" + `',;)]*(?:'[^']*')?)`)
	knownKeys  = regexp.MustCompile(`known keys: (.*)`)
	upperCased = regexp.MustCompile(`[A-Z]{2,}`)
)

// TestSettings: a value of KCRYPTO that a document shows is accepted, and each setting is in go doc kcrypto.
func TestSettings(t *testing.T) {
	notRunElsewhere(t)
	t.Parallel()
	needTcrypt(t)
	path := "PATH=" + filepath.Join(scratch, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	tried := map[string]bool{}
	for _, d := range append(documents(t), manPages(t)...) {
		for _, m := range settingOf.FindAllStringSubmatch(d.text, -1) {
			if tried[m[1]] || upperCased.MatchString(m[1]) || slices.Contains([]string{"", "..."}, m[1]) {
				continue
			}
			tried[m[1]] = true
			for _, setting := range alternatives(m[1]) {
				if _, errs, err := shell(t, home, "KCRYPTO="+setting+" tcrypt list --no-test", path); err != nil {
					t.Errorf("%s shows KCRYPTO=%s: %s", d.name, setting, errs)
				}
			}
		}
	}
	if len(tried) < 5 {
		t.Errorf("the documents show only %d settings: %v", len(tried), tried)
	}
	_, errs, _ := shell(t, home, "KCRYPTO=nonsense=1 tcrypt list", path)
	keys := knownKeys.FindStringSubmatch(errs)
	if keys == nil {
		t.Fatalf("no keys in %q", errs)
	}
	doc := read(t, filepath.Join(home, "doc.go"))
	for _, key := range strings.Split(strings.TrimSpace(keys[1]), ", ") {
		if !strings.Contains(doc, "//\t"+key+"=") {
			t.Errorf("doc.go does not have the setting %s", key)
		}
	}
}

// alternatives takes "key=a|b" apart: key=a and key=b.
func alternatives(setting string) []string {
	end := strings.LastIndex(setting, "=") + 1
	list := strings.Split(setting[end:], "|")
	for i := range list {
		list[i] = setting[:end] + list[i]
	}
	return list
}

var (
	link       = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
	fileName   = regexp.MustCompile(`^[\w./*-]+\.(go|md|sh|txt|s)$`)
	testName   = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)[A-Z]\w+$`)
	folderName = regexp.MustCompile(`^(_asm|algs|bench|compat|docs|examples|internal|registry|selftest|tools)(/[\w*-]+)*$`)
)

// TestThings: the files, folders, tests and links that documents name exist.
func TestThings(t *testing.T) {
	t.Parallel()
	sources(t)
	paths, tests := repository(t)
	for _, d := range documents(t) {
		here := filepath.Join(home, filepath.Dir(d.name))
		for _, m := range link.FindAllStringSubmatch(d.text, -1) {
			if _, err := os.Stat(filepath.Join(here, m[1])); err != nil && !strings.HasPrefix(m[1], "https://") {
				t.Errorf("%s: the link %s leads nowhere", d.name, m[1])
			}
		}
		for _, s := range d.spans {
			switch {
			case strings.Contains(s.text, "foo"): // what somebody will add
			case testName.MatchString(s.text) && !tests[s.text]:
				t.Errorf("%s:%d: there is no test %s", d.name, s.number, s.text)
			case (folderName.MatchString(s.text) || fileName.MatchString(s.text)) && !there(paths, s.text):
				t.Errorf("%s:%d: there is no file or folder %s", d.name, s.number, s.text)
			}
		}
	}
}

// there reports whether the end of one of the paths is of such a name.
func there(paths []string, pattern string) bool {
	parts := strings.Count(pattern, "/") + 1
	return slices.ContainsFunc(paths, func(p string) bool {
		names := strings.Split(p, "/")
		ok, err := path.Match(pattern, strings.Join(names[max(len(names)-parts, 0):], "/"))
		return ok && err == nil
	})
}

var declaration = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`)

// repository returns the paths of all files and folders, and the names of all tests.
func repository(t *testing.T) (paths []string, tests map[string]bool) {
	t.Helper()
	tests = map[string]bool{}
	err := fs.WalkDir(os.DirFS(home), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == ".git" {
			return fs.SkipDir
		}
		paths = append(paths, name)
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range declaration.FindAllStringSubmatch(read(t, filepath.Join(home, name)), -1) {
				tests[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths, tests
}

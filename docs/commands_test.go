package docs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// command is a command line of a document. shows is what the document says that it prints.
type command struct {
	line
	inText bool // it is a name of something more often than a thing to type
	shows  []line
}

var (
	environment = `^((?:[A-Z_]+=(?:'[^']*'|[^' ])+ )*)`
	isCommand   = regexp.MustCompile(environment + `(tcrypt|go|\.ci/run|benchstat|man|modprobe|\(?cd)( |$)`)
	comment     = regexp.MustCompile(`\s+# .*$`)
)

// commandLines returns the command lines of a document, in their order.
func (d *document) commandLines() (found []*command) {
	for _, b := range d.blocks {
		prompt := slices.ContainsFunc(b.lines, func(l line) bool { return strings.HasPrefix(l.text, "$ ") })
		for _, l := range b.lines {
			text, typed := strings.CutPrefix(l.text, "$ ")
			switch {
			case b.tag != "":
			case prompt && !typed:
				if n := len(found); n > 0 {
					found[n-1].shows = append(found[n-1].shows, l)
				}
			case typed || isCommand.MatchString(text):
				found = append(found, &command{line: line{l.number, comment.ReplaceAllString(text, "")}})
			}
		}
	}
	for _, l := range d.spans {
		if isCommand.MatchString(l.text) {
			found = append(found, &command{line: l, inText: true})
		}
	}
	return found
}

// trial is how a command line is tried.
type trial struct {
	run  string // a command line that does the same in less time, or that only checks it
	dir  string
	long bool   // not in the short suite
	skip string // why it is not run at all
}

// placeholder is a word that stands for another one.
var placeholder = regexp.MustCompile(`\[|\.\.\.|( |=)([A-Z]+|n|name)( |$)`)

// plan decides how to try a command line.
func (c *command) plan() trial {
	text := strings.ReplaceAll(c.text, "go run ./tools/tcrypt", "tcrypt")
	m := isCommand.FindStringSubmatch(text)
	rest := strings.TrimPrefix(text, m[1])
	switch words := strings.Fields(rest); m[2] {
	case "tcrypt":
		return c.planTcrypt(m[1], words)
	case "go":
		return planGo(m[1], words)
	case ".ci/run":
		rows := "true"
		for _, row := range regexp.MustCompile(`'([^']*)'|([a-z]\S*)`).FindAllStringSubmatch(rest[len(m[2]):], -1) {
			rows += fmt.Sprintf(" && grep -E '^\t?(row|column .+) .%s' .ci/run", row[1]+row[2])
		}
		return trial{run: rows, dir: home}
	case "benchstat":
		if !strings.Contains(rest, ".txt") {
			rest += " old.txt new.txt" // what the commands before it wrote
		}
		return trial{run: rest, dir: scratch, long: true}
	case "man":
		return trial{skip: "it needs man"}
	case "modprobe":
		return trial{skip: "it is the kernel's"}
	}
	// (cd DIR && go ARGUMENTS)
	if dir, inner, ok := strings.Cut(strings.Trim(rest, "()"), " && "); ok {
		t := planGo("", strings.Fields(inner))
		t.dir = filepath.Join(home, strings.TrimPrefix(dir, "cd "))
		return t
	}
	return trial{}
}

// measures are the commands that take as long as they are told.
var measures = []string{"speed", "compare", "tune"}

var timeFlag = regexp.MustCompile(` --time \S+`)

func (c *command) planTcrypt(env string, words []string) trial {
	t := trial{run: env + strings.Join(words, " "), dir: scratch}
	// The driver that docs/adding-a-driver.md adds does not exist.
	t.run = strings.ReplaceAll(t.run, "-avx512vl", "-avx512")
	switch sub := slices.IndexFunc(words[1:], func(w string) bool { return !strings.HasPrefix(w, "-") }) + 1; {
	case c.inText && (len(words) <= 2 && !strings.Contains(t.run, "=") || placeholder.MatchString(t.run)):
		t.run = "tcrypt help " + strings.Join(words[1:min(len(words), 2)], " ")
	case sub == 0 || words[sub] == "limits":
		t.long = true
	case strings.HasPrefix(words[sub], "mode="):
		t.run, t.long = strings.Replace(t.run, "sec=1", "sec=0", 1), true
	case slices.Contains(measures, words[sub]):
		t.long = true
		short := " --time 1ms --count 6"
		if !strings.Contains(t.run, "-aes-") && !strings.Contains(t.run, "(") && !strings.Contains(t.run, "chacha") {
			short += " --sizes 64 'gcm(aes)'"
		}
		call, to, redirected := strings.Cut(timeFlag.ReplaceAllString(t.run, ""), " > ")
		if t.run = call + short; redirected {
			t.run += " > " + to
		}
	case slices.Contains(words, "--full"):
		t.long = true
	}
	return t
}

// pattern is a flag that says which tests, and which.
var pattern = regexp.MustCompile(` -(list|fuzz|bench|run) '?([A-Za-z]\w*)'?`)

func planGo(env string, words []string) trial {
	text, last := strings.Join(words, " "), words[len(words)-1]
	t := trial{run: env + text, dir: home}
	switch {
	case text == "go" || len(words) == 2:
		t.run = "go help " + strings.Join(words[1:], " ") // the name of a thing
	case words[1] == "mod" || text == "go run .":
		return trial{skip: "TestProgram follows it"}
	case words[1] == "test" && words[2] == "work":
		return trial{skip: "it is what runs this test"}
	case words[1] == "test" && strings.HasPrefix(last, "-"):
		t.run = fmt.Sprintf("go help testflag | grep -e ' *%[1]s ' || go help build | grep -e '%[1]s '", last)
	case words[1] == "test":
		t.run = "go list " + last
		if m := pattern.FindAllStringSubmatch(text, -1); m != nil {
			// A build would take long; the source shows that there are such tests.
			which := strings.TrimPrefix(m[len(m)-1][2], "Fuzz")
			t.run = fmt.Sprintf("grep -E '^func (Test|Benchmark|Fuzz)\\w*%s' %s/*_test.go", which, last)
		}
	case words[1] == "run" && strings.HasPrefix(words[2], "./tools/"):
		t.run, t.long = t.run+" -h", true
	case words[1] == "run":
		t.run = "go list " + words[2]
	case words[1] == "generate":
		t.run, t.long = env+"go generate -n "+last+" 2>&1 | grep .", true
	case words[1] == "install":
		t.run, t.long = "GOBIN="+filepath.Join(scratch, "gobin")+" "+t.run, true
	}
	return t
}

// TestCommands runs each command line of the documents, in little time: measurements are cut to milliseconds, and of
// what takes minutes only the arguments are checked. What a document shows of the output must be in it: whatever the
// numbers are, and of measurements the lines without numbers.
func TestCommands(t *testing.T) {
	notRunElsewhere(t)
	t.Parallel() // it waits for other programs
	needTcrypt(t)
	if err := build("benchstat", "golang.org/x/perf/cmd/benchstat"); err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + filepath.Join(scratch, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	tested := map[string]bool{} // self-tests that ran; what is measured may be another command's input
	for _, d := range documents(t) {
		for _, c := range d.commandLines() {
			p := c.plan()
			where := fmt.Sprintf("%s:%d: %s", d.name, c.number, c.text)
			switch {
			case p.skip != "":
				t.Logf("%s\n\tNOT RUN: %s", where, p.skip)
				continue
			case p.run == "":
				t.Errorf("%s\n\tnot known how to try it: see plan", where)
				continue
			case p.long && testing.Short():
				continue
			}
			env := []string{path}
			if strings.HasPrefix(p.run, "tcrypt") {
				env = append(env, "HOME="+scratch)
			}
			if tested[p.run] && len(c.shows) == 0 {
				continue
			}
			tested[p.run] = strings.HasPrefix(p.run, "tcrypt test")
			out, errs, err := shell(t, p.dir, p.run, env...)
			switch {
			case err != nil && strings.Contains(errs, "lacks "):
				t.Logf("%s\n\tNOT RUN: %s", where, errs)
				continue
			case err != nil:
				t.Errorf("%s\n\t%s: %v\n%s%s", where, p.run, err, out, errs)
				continue
			}
			c.compare(t, where, out, p.long)
		}
	}
}

// number is a number as tcrypt prints it.
var number = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+(\.[0-9]+)?`)

// compare looks for the lines that the document shows in what was printed, with any numbers. Those of a measurement
// that have numbers may be others each time.
func (c *command) compare(t *testing.T, where, printed string, measured bool) {
	t.Helper()
	if cpu, err := os.ReadFile("/proc/cpuinfo"); err != nil || !bytes.Contains(cpu, []byte("AuthenticAMD")) ||
		!bytes.Contains(cpu, []byte(" vaes ")) {
		t.Logf("%s\n\toutput NOT COMPARED: the documents show that of AMD's CPUs with VAES", where)
		return
	}
	shape := func(l string) string { return number.ReplaceAllString(strings.Join(strings.Fields(l), " "), "0") }
	lines := map[string]bool{"": true, "[...]": true}
	for l := range strings.Lines(printed) {
		lines[shape(l)] = true
	}
	for _, l := range c.shows {
		first, _, _ := strings.Cut(l.text, " ")
		ofCPU := slices.Contains([]string{"CPU", "Go", "commit", "tuning"}, first) // which has a model of its own
		if !lines[shape(l.text)] && !ofCPU && !(measured && number.MatchString(l.text)) {
			t.Errorf("%s\n\tdoes not print line %d: %s\n%s", where, l.number, l.text, printed)
		}
	}
}

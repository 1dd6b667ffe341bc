package compat_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"kcrypto/internal/rewrite"
)

// migrations are the changes that docs/migrating.md shows, by name: a call of the function that the pieces of code
// declare, with the arguments that runMigration has. All that compile must return the same.
var migrations = map[string]string{
	"gcm":     "Seal(pattern(32), pattern(12), pattern(1000), pattern(20))",
	"ctr":     "ReadAt(pattern(32), ones(16), pattern(1000), 12345)",
	"chacha":  "Open(pattern(32), pattern(24), sealed(), pattern(20))",
	"xts":     "Encrypt(pattern(64), pattern(512*9), 1<<40)",
	"nonce16": "EncryptBlock(pattern(32), pattern(16), pattern(4096), pattern(24))",
}

// fromElsewhere are migrations from other libraries: what comes before is in testdata, what comes after is that of gcm.
var fromElsewhere = []string{"openssl", "afalg"}

// runMigration is the program that makes the calls of one migration.
const runMigration = `package main

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/crypto/chacha20poly1305"

%s)

func pattern(n int) []byte {
	b := make([]byte, n, n+16)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

func ones(n int) []byte { return bytes.Repeat([]byte{255}, n) }

func sealed() []byte {
	aead, err := chacha20poly1305.NewX(pattern(32))
	if err != nil {
		panic(err)
	}
	return aead.Seal(nil, pattern(24), pattern(1000), pattern(20))
}

func main() {
	var first []byte
	for i, call := range map[string][]func() ([]byte, error){
%s	}[os.Args[1]] {
		out, err := call()
		if err != nil {
			fmt.Printf("piece %%d: %%v\n", i, err)
			continue
		}
		fmt.Printf("piece %%d: %%d bytes\n", i, len(out))
		if first == nil {
			first = out
		}
		if len(out) == 0 || !bytes.Equal(out, first) {
			fmt.Printf("piece %%d: differs from those before it\n", i)
			os.Exit(1)
		}
	}
}
`

var (
	fence = regexp.MustCompile("(?s)\n```go (before|after)=([a-z0-9]+)\n(.*?)\n```\n")
	// dropIn is a line of the README's table of imports.
	dropIn = regexp.MustCompile(`(?m)^    "([^"]+)" +-> +"([^"]+)"`)
)

// TestMigrating builds every piece of code in docs/migrating.md, and lets each before and after do the same work; and
// also each before with the imports changed as the README says.
func TestMigrating(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN with -short: it links a program")
	}
	t.Parallel() // it waits for the go command most of the time
	imports := rewrite.Changes{Imports: map[string]string{}}
	for _, m := range dropIn.FindAllStringSubmatch(readFile(t, "../README.md"), -1) {
		imports.Imports[m[1]] = m[2]
	}
	if len(imports.Imports) != 4 {
		t.Errorf("the README shows %d imports to change, want 4: %v", len(imports.Imports), imports.Imports)
	}
	pieces := migratingPieces(t)
	p := program{dir: t.TempDir()}
	for name, call := range migrations {
		code := pieces[name]
		if len(code) != 2 {
			t.Fatalf("no before and after called %s", name)
		}
		byImport, _, err := imports.Source([]byte("package piece\n\n" + code[0] + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(byImport), `"kcrypto/compat/`) {
			t.Errorf("%s: the README's imports change nothing in what comes before", name)
		}
		p.add(t, name, call, append(code, strings.TrimPrefix(string(byImport), "package piece\n")))
	}
	for _, name := range fromElsewhere {
		code := []string{readFile(t, "testdata/migrating/"+name+".go.txt"), pieces["gcm"][1]}
		if what := lacks(t, name); what != "" {
			t.Logf("NOT RUN HERE: what comes before %s, for want of %s", name, what)
			code = code[1:]
		}
		p.add(t, name, migrations["gcm"], code)
	}
	p.build(t)
	for name, n := range p.pieces {
		t.Run(name, func(t *testing.T) { p.run(t, name, n) })
	}
}

// migratingPieces returns the before and after of docs/migrating.md by name.
func migratingPieces(t *testing.T) map[string][]string {
	t.Helper()
	text := readFile(t, "../docs/migrating.md")
	pieces, found := map[string][]string{}, 0
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if (m[1] == "before") != (len(pieces[m[2]]) == 0) {
			t.Errorf("%s: want one before, and then what comes after", m[2])
		}
		pieces[m[2]] = append(pieces[m[2]], m[3])
		found++
		if migrations[m[2]] == "" {
			t.Errorf("no call for the pieces called %s", m[2])
		}
	}
	if n := strings.Count(text, "```go"); n != found {
		t.Errorf("%d pieces of Go, of which %d have a name: give all of them one", n, found)
	}
	return pieces
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lacks says what this machine lacks to build the first piece of a migration, if anything.
func lacks(t *testing.T, name string) string {
	t.Helper()
	switch _, err := os.Stat("/usr/include/openssl/evp.h"); {
	case name == "openssl" && (err != nil || goSays(t, "env", "CGO_ENABLED") != "1"):
		return "cgo, a C compiler and OpenSSL's headers"
	case name == "afalg" && runtime.GOOS != "linux":
		return "Linux"
	}
	return ""
}

// program is one of many pieces of code, each in a package of its own.
type program struct {
	dir            string
	imports, calls strings.Builder
	pieces         map[string]int // how many a migration has
}

// add adds the pieces of one migration, which are called alike.
func (p *program) add(t *testing.T, name, call string, code []string) {
	t.Helper()
	fmt.Fprintf(&p.calls, "\t\t%q: {\n", name)
	for i, c := range code {
		pkg := fmt.Sprintf("%s%d", name, i)
		p.write(t, pkg+"/piece.go", "package "+pkg+"\n\n"+c+"\n")
		fmt.Fprintf(&p.imports, "\t\"migrating/%s\"\n", pkg)
		fmt.Fprintf(&p.calls, "\t\t\tfunc() ([]byte, error) { return %s.%s },\n", pkg, call)
	}
	fmt.Fprint(&p.calls, "\t\t},\n")
	if p.pieces == nil {
		p.pieces = map[string]int{}
	}
	p.pieces[name] = len(code)
}

func (p *program) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// build makes the program "all" of the pieces.
func (p *program) build(t *testing.T) {
	t.Helper()
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if err := rewrite.Module(p.dir, "migrating", home); err != nil {
		t.Fatal(err)
	}
	p.write(t, "main.go", fmt.Sprintf(runMigration, &p.imports, &p.calls))
	cmd := exec.Command("go", "build", "-mod=mod", "-o", "all", ".")
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// run runs the n pieces of one migration.
func (p *program) run(t *testing.T, name string, n int) {
	t.Helper()
	out, err := exec.Command(filepath.Join(p.dir, "all"), name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range n {
		said := regexp.MustCompile(fmt.Sprintf(`(?m)^piece %d: (.*)$`, i)).FindSubmatch(out)
		switch {
		case said == nil:
			t.Errorf("piece %d did not run:\n%s", i, out)
		case strings.HasSuffix(string(said[1]), " bytes"):
		case name == "afalg" && i < n-1:
			t.Logf("NOT RUN HERE: AF_ALG: %s", said[1]) // it was built
		default:
			t.Errorf("piece %d: %s", i, said[1])
		}
	}
}

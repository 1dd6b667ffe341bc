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

// migrations are the changes that docs/migrating.md shows, by name: a call of the function that its pieces of code
// declare, with the arguments that runMigration has. All that compile must return the same.
var migrations = map[string]string{
	"gcm":     "Seal(pattern(32), pattern(12), pattern(1000), pattern(20))",
	"ctr":     "ReadAt(pattern(32), ones(16), pattern(1000), 12345)",
	"chacha":  "Open(pattern(32), pattern(24), sealed(), pattern(20))",
	"xts":     "Encrypt(pattern(64), pattern(512*9), 1<<40)",
	"nonce16": "EncryptBlock(pattern(32), pattern(16), pattern(4096), pattern(24))",
	"openssl": "Seal(pattern(32), pattern(12), pattern(1000), pattern(20))",
	"afalg":   "Seal(pattern(32), pattern(12), pattern(1000), pattern(20))",
}

// runMigration is the program that makes the calls.
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
	for i, call := range []func() ([]byte, error){
%s	} {
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

var fence = regexp.MustCompile("(?s)\n```go (before|after)=([a-z0-9]+)\n(.*?)\n```\n")

// TestMigrating builds every piece of code in docs/migrating.md, and lets each before and after do the same work.
func TestMigrating(t *testing.T) {
	t.Parallel() // it waits for the go command most of the time
	text, err := os.ReadFile("../docs/migrating.md")
	if err != nil {
		t.Fatal(err)
	}
	pieces, found := map[string][]string{}, 0
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		if (m[1] == "before") != (len(pieces[m[2]]) == 0) {
			t.Errorf("%s: want one before, and then what comes after", m[2])
		}
		pieces[m[2]] = append(pieces[m[2]], m[3])
		found++
	}
	if n := strings.Count(string(text), "```go"); n != found {
		t.Errorf("%d pieces of Go, of which %d have a name: give all of them one", n, found)
	}
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := rewrite.Module(dir, "migrating", home); err != nil {
		t.Fatal(err)
	}
	for name := range pieces {
		if migrations[name] == "" {
			t.Errorf("no call for the pieces called %s", name)
		}
	}
	for name, call := range migrations {
		if len(pieces[name]) < 2 {
			t.Errorf("no before and after called %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) { migrate(t, dir, name, call, pieces[name]) })
	}
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

// migrate makes a program of the pieces of one migration and runs it.
func migrate(t *testing.T, dir, name, call string, pieces []string) {
	t.Helper()
	if what := lacks(t, name); what != "" {
		t.Logf("NOT RUN HERE: what comes before, for want of %s", what)
		pieces = pieces[1:]
	}
	var imports, calls strings.Builder
	for i, code := range pieces {
		folder := filepath.Join(dir, name, fmt.Sprintf("p%d", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "piece.go"), []byte("package piece\n\n"+code+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "\tp%d \"migrating/%s/p%d\"\n", i, name, i)
		fmt.Fprintf(&calls, "\t\tfunc() ([]byte, error) { return p%d.%s },\n", i, call)
	}
	program := fmt.Appendf(nil, runMigration, imports.String(), calls.String())
	if err := os.WriteFile(filepath.Join(dir, name, "main.go"), program, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-mod=mod", "./"+name)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range pieces {
		said := regexp.MustCompile(fmt.Sprintf(`(?m)^piece %d: (.*)$`, i)).FindSubmatch(out)
		switch {
		case said == nil:
			t.Errorf("piece %d did not run:\n%s", i, out)
		case strings.HasSuffix(string(said[1]), " bytes"):
		case name == "afalg" && i == 0:
			t.Logf("NOT RUN HERE: AF_ALG: %s", said[1]) // it was built
		default:
			t.Errorf("piece %d: %s", i, said[1])
		}
	}
}

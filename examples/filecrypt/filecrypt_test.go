package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kcrypto/examples/internal/job"
)

// TestMain lets the test binary stand in for the program.
func TestMain(m *testing.M) {
	if os.Getenv("FILECRYPT_TEST_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// desk is a folder with a key and files.
type desk struct {
	*testing.T
	dir string
	key []byte
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, dir: t.TempDir()}
	if err := run(t.Context(), []string{"keygen", d.path("key")}); err != nil {
		t.Fatal(err)
	}
	d.key = must(hex.DecodeString(strings.TrimSpace(string(d.read("key")))))
	return d
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }
func (d *desk) read(name string) []byte { return must(os.ReadFile(d.path(name))) }

func (d *desk) write(name string, data []byte) {
	d.Helper()
	if err := os.WriteFile(d.path(name), data, 0o600); err != nil {
		d.Fatal(err)
	}
}

// do runs the program on in, and removes an older out first.
func (d *desk) do(command, in, out string) error {
	os.Remove(d.path(out))
	return run(d.Context(), []string{command, d.path("key"), d.path(in), d.path(out)})
}

// wantNothing checks that a failed run left no file of its own.
func (d *desk) wantNothing(what string, err error, words string, files ...string) {
	d.Helper()
	if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
		d.Errorf("%s: error %v, want one line about %q", what, err, words)
	}
	var names []string
	for _, e := range must(os.ReadDir(d.dir)) {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(files, " "); got != want {
		d.Fatalf("%s: the folder has %q, want %q", what, got, want)
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8)}).Read(b)
	return b
}

// goGCM is Go's own GCM under the key of the file with this header.
func (d *desk) goGCM(header []byte) cipher.AEAD {
	fileKey := must(hkdf.Key(sha256.New, d.key, header[8:40], "kcfile1\n", 32))
	return must(cipher.NewGCM(must(aes.NewCipher(fileKey))))
}

// goSeal writes the format with Go's own GCM.
func (d *desk) goSeal(header, text []byte) []byte {
	out, aead := bytes.Clone(header), d.goGCM(header)
	for i := byte(0); ; i++ {
		nonce := []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i, 0}
		if len(text) <= 65536 {
			nonce[11] = 1
			return aead.Seal(out, nonce, text, header)
		}
		out = aead.Seal(out, nonce, text[:65536], header)
		text = text[65536:]
	}
}

var sizes = []int{0, 1, 100, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize, 3*chunkSize + 5}

// TestAgainstGo compares with Go's own GCM, in both directions.
func TestAgainstGo(t *testing.T) {
	d := newDesk(t)
	for _, n := range sizes {
		text := randomBytes(n)
		d.write("text", text)
		if err := d.do("encrypt", "text", "sealed"); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		sealed := d.read("sealed")
		if !bytes.Equal(sealed, d.goSeal(sealed[:40], text)) {
			t.Errorf("%d bytes: Go's own GCM makes another file", n)
		}
		d.write("go", d.goSeal(append([]byte("kcfile1\n"), randomBytes(32)...), text))
		for _, name := range []string{"sealed", "go"} {
			if err := d.do("decrypt", name, "back"); err != nil || !bytes.Equal(d.read("back"), text) {
				t.Errorf("%d bytes, %s, back: %v", n, name, err)
			}
		}
	}
}

// TestSealedTwice: the same text never looks the same.
func TestSealedTwice(t *testing.T) {
	d := newDesk(t)
	d.write("text", randomBytes(100))
	if a, b := d.do("encrypt", "text", "a"), d.do("encrypt", "text", "b"); a != nil || b != nil {
		t.Fatal(a, b)
	}
	if bytes.Equal(d.read("a")[8:40], d.read("b")[8:40]) {
		t.Error("two files have one salt, and so one key and the same nonces")
	}
}

// TestTampering spoils a file of four chunks in every way that chunks can be spoilt.
func TestTampering(t *testing.T) {
	d := newDesk(t)
	d.write("text", randomBytes(3*chunkSize+777))
	if err := d.do("encrypt", "text", "sealed"); err != nil {
		t.Fatal(err)
	}
	sealed := d.read("sealed")
	const full = chunkSize + tagSize
	chunk := func(i int) []byte { return sealed[40+i*full : min(40+(i+1)*full, len(sealed))] }
	cut := func(n int) []byte { return sealed[:n] }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	flip := func(at int) []byte {
		b := bytes.Clone(sealed)
		b[at] ^= 0x10
		return b
	}
	spoilt := map[string][]byte{
		"a bit of the salt": flip(20), "a bit of chunk 0": flip(50), "a bit of chunk 2": flip(40 + 2*full + 9),
		"a bit of a tag": flip(40 + full - 1), "a bit of the last tag": flip(len(sealed) - 1),
		"cut in the header": cut(39), "header only": cut(40), "no byte": nil, "cut at a border": cut(40 + 3*full),
		"cut at the first border": cut(40 + full), "cut in a chunk": cut(40 + 2*full + 100),
		"cut in a tag":         cut(len(sealed) - 1),
		"two chunks exchanged": join(cut(40), chunk(1), chunk(0), chunk(2), chunk(3)),
		"a chunk missing":      join(cut(40), chunk(0), chunk(2), chunk(3)),
		"a chunk twice":        join(cut(40), chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)),
		"the last chunk twice": join(sealed, chunk(3)), "a byte more": join(sealed, []byte{0}),
		"the last chunk alone": join(cut(40), chunk(3)), "another's magic": append([]byte("kcfile2\n"), sealed[8:]...),
		"no file of ours": randomBytes(1000),
	}
	for what, data := range spoilt {
		d.write("spoilt", data)
		d.wantNothing(what, d.do("decrypt", "spoilt", "back"), "back was not written", "key", "sealed", "spoilt", "text")
	}
	d.write("key", randomBytes(keySize))
	d.wantNothing("another key", d.do("decrypt", "sealed", "back"), "the key is not its key", "key", "sealed", "spoilt",
		"text")
}

// TestChunksOfAnotherFile: the salt keeps files under one key apart.
func TestChunksOfAnotherFile(t *testing.T) {
	d := newDesk(t)
	d.write("text", randomBytes(2*chunkSize))
	if a, b := d.do("encrypt", "text", "a"), d.do("encrypt", "text", "b"); a != nil || b != nil {
		t.Fatal(a, b)
	}
	a, b := d.read("a"), d.read("b")
	half := 40 + chunkSize + tagSize
	d.write("mixed", append(bytes.Clone(a[:half]), b[half:]...))
	d.wantNothing("chunks of two files", d.do("decrypt", "mixed", "back"), "changed", "a", "b", "key", "mixed", "text")
}

func TestMistakes(t *testing.T) {
	d := newDesk(t)
	d.write("text", randomBytes(100))
	for _, args := range [][]string{nil, {"help"}, {"encrypt"}, {"encrypt", "a", "b"}, {"keygen"},
		{"decrypt", "a", "b", "c", "d"}} {
		if err := run(t.Context(), args); !errors.Is(err, job.ErrUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
	d.wantNothing("no such input", d.do("encrypt", "nope", "out"), "no such file", "key", "text")
	d.wantNothing("a folder", d.do("encrypt", ".", "out"), "folder", "key", "text")
	d.write("bad", []byte("not a key"))
	err := run(t.Context(), []string{"encrypt", d.path("bad"), d.path("text"), d.path("out")})
	d.wantNothing("a bad key", err, "64 hexadecimal digits", "bad", "key", "text")
	err = run(t.Context(), []string{"encrypt", d.path("key"), d.path("text"), d.path("bad")})
	d.wantNothing("a result that exists", err, "exists", "bad", "key", "text")
	if err := run(t.Context(), []string{"encrypt", d.path("key"), d.path("text"), ""}); !errors.Is(err, job.ErrUsage) {
		t.Errorf("a result without a name: %v", err)
	}
	if string(d.read("bad")) != "not a key" {
		t.Error("a file was overwritten")
	}
	if err := run(t.Context(), []string{"keygen", d.path("key")}); err == nil {
		t.Error("keygen overwrote a key")
	}
	if info := must(os.Stat(d.path("key"))); info.Mode().Perm() != 0o600 {
		t.Errorf("the key file has mode %v", info.Mode())
	}
}

// TestInterruptedBefore: a context that has ended is an interruption, and leaves nothing.
func TestInterruptedBefore(t *testing.T) {
	d := newDesk(t)
	d.write("text", randomBytes(100))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := run(ctx, []string{"encrypt", d.path("key"), d.path("text"), d.path("out")})
	d.wantNothing("interrupted", err, "interrupted", "key", "text")
}

// program runs the program as a process of its own.
func (d *desk) program(stdin []byte, args ...string) (stdout []byte, err error) {
	c := exec.Command(must(os.Executable()), args...)
	c.Env = append(os.Environ(), "FILECRYPT_TEST_MAIN=1")
	c.Stdin = bytes.NewReader(stdin)
	return c.Output()
}

// TestPipes: "-" is standard input and output. What was cut is an error, and what came before it authentic.
func TestPipes(t *testing.T) {
	d, text := newDesk(t), randomBytes(3*chunkSize+5)
	sealed, err := d.program(text, "encrypt", d.path("key"), "-", "-")
	if err != nil {
		t.Fatal(err)
	}
	if back, err := d.program(sealed, "decrypt", d.path("key"), "-", "-"); err != nil || !bytes.Equal(back, text) {
		t.Errorf("%d bytes back, %v", len(back), err)
	}
	back, err := d.program(sealed[:len(sealed)-1], "decrypt", d.path("key"), "-", "-")
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 ||
		!strings.Contains(string(exit.Stderr), "standard output is not whole") {
		t.Errorf("a cut file: %v", err)
	}
	if !bytes.HasPrefix(text, back) {
		t.Error("what came out of a cut file is not its beginning")
	}
}

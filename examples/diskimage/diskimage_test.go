package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/xts"

	"kcrypto/examples/internal/job"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// desk is a folder with a key and images.
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
	d.key = must(job.ReadKey(d.path("key"), keySize))
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }
func (d *desk) read(name string) []byte { return must(os.ReadFile(d.path(name))) }

// image writes n random bytes.
func (d *desk) image(name string, n int) []byte {
	d.Helper()
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b)
	if err := os.WriteFile(d.path(name), b, 0o600); err != nil {
		d.Fatal(err)
	}
	return b
}

func (d *desk) do(ctx context.Context, command string, sector int, in, out string) error {
	return run(ctx, []string{command, "-sector", fmt.Sprint(sector), d.path("key"), d.path(in), d.path(out)})
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

// TestAgainstGo compares with x/crypto/xts, sector by sector, in both directions.
func TestAgainstGo(t *testing.T) {
	for _, sector := range []int{512, 4096} {
		for _, n := range []int{0, sector, 3 * sector, piece - sector, piece, piece + sector, 3*piece + 5*sector} {
			d := newDesk(t)
			plain := d.image("plain", n)
			if err := d.do(t.Context(), "encrypt", sector, "plain", "image"); err != nil {
				t.Fatal(err)
			}
			want, c := make([]byte, n), must(xts.NewCipher(aes.NewCipher, d.key))
			for i := 0; i < n; i += sector {
				c.Encrypt(want[i:i+sector], plain[i:i+sector], uint64(i/sector))
			}
			if !bytes.Equal(d.read("image"), want) {
				t.Errorf("%d bytes in sectors of %d: x/crypto/xts makes another image", n, sector)
			}
			if err := d.do(t.Context(), "decrypt", sector, "image", "back"); err != nil || !bytes.Equal(d.read("back"), plain) {
				t.Errorf("%d bytes in sectors of %d, back: %v", n, sector, err)
			}
		}
	}
}

// TestDefaultSector is 4096.
func TestDefaultSector(t *testing.T) {
	d := newDesk(t)
	d.image("plain", 16*4096)
	if err := d.do(t.Context(), "encrypt", 4096, "plain", "a"); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"encrypt", d.path("key"), d.path("plain"), d.path("b")}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(d.read("a"), d.read("b")) {
		t.Error("without -sector the image is another one")
	}
}

// TestCutImage: what is no whole number of sectors was cut.
func TestCutImage(t *testing.T) {
	d := newDesk(t)
	for _, n := range []int{1, 511, 4095, 4096 + 512, piece + 100, 2*piece - 1} {
		d.image("plain", n)
		for _, command := range []string{"encrypt", "decrypt"} {
			err := d.do(t.Context(), command, 4096, "plain", "out")
			d.wantNothing(fmt.Sprintf("%s of %d bytes", command, n), err, "it was cut", "key", "plain")
		}
	}
}

func TestMistakes(t *testing.T) {
	d := newDesk(t)
	d.image("plain", 4096)
	for _, args := range [][]string{
		nil, {"help"}, {"encrypt"}, {"encrypt", "a", "b"}, {"keygen"}, {"decrypt", "a", "b", "c", "d"},
		{"encrypt", "-sector", "1000", "a", "b", "c"}, {"encrypt", "-sector", "x", "a", "b", "c"},
		{"encrypt", "-what", "a", "b", "c"}, {"read", "a", "b", "c"}, {"read", "a", "b", "-1", "5"}, {"write", "a", "b"},
		{"read", "a", "b", "0", "x"}, {"write", "a", "b", "1e3"}, {"write", "a", "b", "c", "d"},
	} {
		if err := run(t.Context(), args); !errors.Is(err, job.ErrUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
	d.wantNothing("no such image", d.do(t.Context(), "encrypt", 512, "nope", "out"), "no such file", "key", "plain")
	d.wantNothing("a result that exists", d.do(t.Context(), "encrypt", 512, "plain", "plain"), "exists", "key", "plain")
	if err := os.WriteFile(d.path("key"), bytes.Repeat([]byte{7}, keySize), 0o600); err != nil {
		t.Fatal(err)
	}
	d.wantNothing("a key of equal halves", d.do(t.Context(), "encrypt", 512, "plain", "out"), "halves", "key", "plain")
}

// TestParts reads and writes parts of an image, and compares with the whole.
func TestParts(t *testing.T) {
	d := newDesk(t)
	plain := d.image("plain", 5*4096)
	if err := d.do(t.Context(), "encrypt", 4096, "plain", "image"); err != nil {
		t.Fatal(err)
	}
	names := func(numbers ...string) []string { return append([]string{d.path("key"), d.path("image")}, numbers...) }
	for _, c := range []struct {
		at   int
		text string
	}{{0, "begin"}, {4090, "over a border"}, {5*4096 - 3, "end"}, {100, ""}, {8192, strings.Repeat("x", 8192)}} {
		if err := writePart(strings.NewReader(c.text), names(fmt.Sprint(c.at)), 4096); err != nil {
			t.Fatal(err)
		}
		copy(plain[c.at:], c.text)
	}
	if err := d.do(t.Context(), "decrypt", 4096, "image", "back"); err != nil || !bytes.Equal(d.read("back"), plain) {
		t.Fatalf("the image is another one (%v)", err)
	}
	for _, c := range [][2]int{{0, 5 * 4096}, {4095, 2}, {7, 9000}, {5 * 4096, 0}} {
		var out bytes.Buffer
		err := readPart(&out, names(fmt.Sprint(c[0]), fmt.Sprint(c[1])), 4096)
		if err != nil || !bytes.Equal(out.Bytes(), plain[c[0]:c[0]+c[1]]) {
			t.Errorf("%d bytes at %d: %v", c[1], c[0], err)
		}
	}
	files := []string{"back", "image", "key", "plain"}
	d.wantNothing("read past the end", readPart(nil, names("20000", "500"), 4096), "has 20480 bytes", files...)
	d.wantNothing("write behind the end", writePart(nil, names("20481"), 4096), "has 20480 bytes", files...)
	long := strings.NewReader("this is too long")
	d.wantNothing("write past the end", writePart(long, names("20479"), 4096), "1 bytes of it were written", files...)
	d.wantNothing("no such image", readPart(nil, []string{d.path("key"), d.path("nope"), "0", "1"}, 512), "no such file",
		files...)
	d.image("cut", 1000)
	d.wantNothing("a cut image", readPart(nil, []string{d.path("key"), d.path("cut"), "0", "1"}, 512), "multiple of the",
		append(files[:1:1], append([]string{"cut"}, files[1:]...)...)...)
}

func TestInterrupted(t *testing.T) {
	d := newDesk(t)
	d.image("plain", 4096)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.wantNothing("interrupted", d.do(ctx, "encrypt", 512, "plain", "out"), "interrupted", "key", "plain")
}

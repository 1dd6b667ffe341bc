package job

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// copyJob copies in to out, and calls between before the result gets its name.
func copyJob(ctx context.Context, in, out string, between func()) (err error) {
	j, err := Start(ctx, in, out)
	if err != nil {
		return err
	}
	defer j.Finish(&err)
	buf := make([]byte, 10)
	for {
		n, last, err := j.Next(buf)
		if err != nil {
			return err
		}
		if err := j.Write(buf[:n]); err != nil || last {
			between()
			return err
		}
	}
}

// TestAppearsMeanwhile: a file that gets the result's name while the job runs stays as it is, and the result is kept.
func TestAppearsMeanwhile(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	write(t, in, "the result, longer than a buffer")
	err := copyJob(t.Context(), in, out, func() { write(t, out, "somebody's") })
	if err == nil || !strings.Contains(err.Error(), out+" exists") {
		t.Fatalf("%v, want an error that names %s", err, out)
	}
	if got := read(t, out); got != "somebody's" {
		t.Errorf("the file that appeared holds %q", got)
	}
	_, left, _ := strings.Cut(err.Error(), "is left in ")
	if got := read(t, left); got != "the result, longer than a buffer" {
		t.Errorf("%s holds %q", left, got)
	}
}

// TestRename: both ways of giving a name refuse one that is taken.
func TestRename(t *testing.T) {
	for name, f := range map[string]func(from, to string) error{"links": rename, "no links": renameWithoutLinks} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		write(t, from, "result")
		write(t, to, "other")
		if err := f(from, to); err == nil || read(t, to) != "other" || read(t, from) != "result" {
			t.Errorf("%s: a name that is taken: %v, %q", name, err, read(t, to))
		}
		os.Remove(to)
		if err := f(from, to); err != nil || read(t, to) != "result" {
			t.Errorf("%s: a free name: %v", name, err)
		}
		if _, err := os.Stat(from); err == nil {
			t.Errorf("%s: the old name is still there", name)
		}
	}
}

// TestNoName: a result without a name is refused before any work.
func TestNoName(t *testing.T) {
	if _, err := Start(t.Context(), "/nowhere", ""); !errors.Is(err, ErrUsage) {
		t.Errorf("%v, want ErrUsage", err)
	}
}

// TestStandard: "-" is standard input and output, and a read from a terminal or a pipe that says nothing ends with the
// context.
func TestStandard(t *testing.T) {
	stdin, stdout := os.Stdin, os.Stdout
	defer func() { os.Stdin, os.Stdout = stdin, stdout }()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin, os.Stdout = inR, outW
	inW.WriteString("through both pipes")
	inW.Close()
	if err := copyJob(t.Context(), "-", "-", func() {}); err != nil {
		t.Fatal(err)
	}
	outW.Close()
	if got, err := io.ReadAll(outR); string(got) != "through both pipes" || err != nil {
		t.Errorf("%q, %v", got, err)
	}

	os.Stdin, inW, err = os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer inW.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	out := filepath.Join(t.TempDir(), "out")
	if err := copyJob(ctx, "-", out, func() {}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("input that never comes: %v, want ErrInterrupted", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an interrupted job left a result")
	}
}

// TestAwaitLeavesNothing: work that nobody waits for any more ends, and so does its goroutine. A goroutine that waits
// for ever is what synctest reports.
func TestAwaitLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, err := Await(ctx, func() (int, error) {
			time.Sleep(time.Second)
			return 7, nil
		})
		if !errors.Is(err, ErrInterrupted) {
			t.Errorf("%v, want ErrInterrupted", err)
		}
		time.Sleep(time.Second) // the bubble's clock stands still once this function returns
	})
}

// TestAwait: work that nothing can stop is not waited for after the end of the context.
func TestAwait(t *testing.T) {
	if n, err := Await(t.Context(), func() (int, error) { return 7, io.EOF }); n != 7 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan int)
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := Await(ctx, func() (int, error) { return <-never, nil }); !errors.Is(err, ErrInterrupted) {
		t.Errorf("%v, want ErrInterrupted", err)
	}
	close(never)
}

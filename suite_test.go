package kcrypto_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/registry"
)

// The suite runs over the table of drivers: a new driver gets every test without a line written. Each test makes its
// cases once for an algorithm, with the answers of that algorithm's model (models_test.go), and then checks every
// driver of it with them. The sub-test has the driver's name, and the tuning too if the form of the driver is not the
// one chosen for this machine.
//
// Three variables change a run:
//
//	KCRYPTO_REQUIRE="driver ..." these drivers must work here: their tests fail instead of being skipped
//	KCRYPTO_SEED=number         the random data of the run that printed this number
//	KCRYPTO_REPORT=file         write which drivers work here, for CI's table: a line "driver<tab>ran", or why not

// widest is the largest main loop in bytes that a driver may have. Lengths up to twice that and a little more reach
// every path of every driver.
const widest = 1536

// everyLength is the list of message lengths that covers all paths: 0 to 2*widest+64, and in a short run a thinner
// list with every length up to 80 and every border of 64.
var everyLength = sync.OnceValue(func() []int {
	var list []int
	for n := range 2*widest + 65 {
		if !testing.Short() || n <= 80 || n%16 == 0 && n <= 512 || n%64 < 2 && n%256 < 66 || n%61 == 0 {
			list = append(list, n)
		}
	}
	return list
})

// chunkBorders lists every length around the first few multiples of a chunk.
func chunkBorders(chunk int) []int {
	var list []int
	for _, border := range []int{chunk, 2 * chunk, 3 * chunk} {
		for n := border - 17; n <= border+17; n++ {
			if !testing.Short() || n%16 < 2 {
				list = append(list, n)
			}
		}
	}
	return list
}

// seed makes the random data of this run.
var seed = sync.OnceValue(func() uint64 {
	if text := os.Getenv("KCRYPTO_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic("KCRYPTO_SEED=" + text + ": want a number")
		}
		return n
	}
	return uint64(time.Now().UnixNano())
})

// random is a source of random test data that a seed and a label determine.
type random struct {
	*rand.Rand
	source *rand.ChaCha8
}

func newRandom(label string) *random {
	source := rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, seed(), label)))
	return &random{rand.New(source), source}
}

// bytes returns n random bytes.
func (d *random) bytes(n int) []byte {
	b := make([]byte, n)
	d.source.Read(b)
	return b
}

// allOrOne returns all sizes, and in a short run one of them.
func (d *random) allOrOne(sizes []int) []int {
	if testing.Short() {
		i := d.IntN(len(sizes))
		return sizes[i : i+1]
	}
	return sizes
}

// upTo returns a random number from 0 to n, small ones more often.
func (d *random) upTo(n int) int { return d.IntN(1 + d.IntN(n+1)) }

// algorithms lists the algorithms of one type that the table has.
func algorithms(kind registry.Type) []string {
	var list []string
	for _, d := range kcrypto.Drivers() {
		if d.Type == kind && !slices.Contains(list, d.Algorithm) {
			list = append(list, d.Algorithm)
		}
	}
	return list
}

// eachDriver runs f for every driver of algorithm that works here, in parallel, and skips the others with a message.
func eachDriver(t *testing.T, algorithm string, f func(t *testing.T, d registry.Info)) {
	t.Helper()
	eachDriverInTurn(t, algorithm, func(t *testing.T, d registry.Info) {
		t.Parallel()
		f(t, d)
	})
}

// eachDriverInTurn is eachDriver for tests that measure something and must not run in parallel.
func eachDriverInTurn(t *testing.T, algorithm string, f func(t *testing.T, d registry.Info)) {
	t.Helper()
	list := kcrypto.Drivers(algorithm)
	if len(list) == 0 {
		t.Fatalf("the table has no driver of %s", algorithm)
	}
	for _, d := range list {
		for i, form := range formsOf(d) {
			name := d.Driver
			if i > 0 {
				name += "," + tuneSettings(form)
			}
			t.Run(name, func(t *testing.T) {
				needDriver(t, form)
				f(t, form)
			})
		}
	}
}

// eachAlgorithm runs f for every algorithm of one type, as a group of sub-tests without a name of their own.
func eachAlgorithm(t *testing.T, kind registry.Type, f func(t *testing.T, algorithm string)) {
	t.Helper()
	list := algorithms(kind)
	if len(list) == 0 {
		t.Fatalf("the table has no driver of type %s", kind)
	}
	for _, algorithm := range list {
		f(t, algorithm)
	}
}

// needDriver skips the test, or fails it if the driver is required, when d cannot run here. Any other reason not to
// get it by name is a failure.
func needDriver(t *testing.T, d registry.Info) {
	t.Helper()
	err := tryDriver(d)
	switch {
	case err == nil:
	case !errors.Is(err, registry.ErrUnavailable):
		t.Fatalf("asked for by name: %v", err)
	case slices.Contains(required(), d.Driver):
		t.Fatalf("KCRYPTO_REQUIRE wants it here: %v", err)
	default:
		t.Skipf("NOT RUN HERE: %v", err)
	}
}

func tryDriver(d registry.Info) error {
	var driver string
	if d.Type == registry.TypeAEAD {
		a, err := kcrypto.AllocAEAD(d.Driver)
		if err != nil {
			return err
		}
		defer a.Close()
		driver = a.Driver()
	} else {
		s, err := kcrypto.AllocSkcipher(d.Driver)
		if err != nil {
			return err
		}
		defer s.Close()
		driver = s.Driver()
	}
	if driver != d.Driver {
		return fmt.Errorf("asked for %s, served by %s", d.Driver, driver)
	}
	return nil
}

// required lists the drivers of KCRYPTO_REQUIRE.
func required() []string {
	return strings.Fields(os.Getenv("KCRYPTO_REQUIRE")) // a name may have a comma in it
}

// TestDriversThatServe prints which drivers work here, and fails if one of KCRYPTO_REQUIRE does not.
func TestDriversThatServe(t *testing.T) {
	working := map[string]bool{}
	var lines strings.Builder
	for _, d := range kcrypto.Drivers() {
		state := "ran"
		switch err := tryDriver(d); {
		case err == nil:
			working[d.Driver] = true
			t.Logf("%-28s %-36s works", d.Algorithm, d.Driver)
		case errors.Is(err, registry.ErrUnavailable):
			state = d.Reason
			t.Logf("%-28s %-36s NOT RUN HERE: %v", d.Algorithm, d.Driver, err)
		default:
			state = "failed"
			t.Errorf("%s: %v", d.Driver, err)
		}
		fmt.Fprintf(&lines, "%s\t%s\n", d.Driver, state)
	}
	for _, name := range required() {
		if !working[name] {
			t.Errorf("KCRYPTO_REQUIRE wants %s, which does not work here", name)
		}
	}
	t.Logf("KCRYPTO_SEED=%d repeats this run's random data", seed())
	if file := os.Getenv("KCRYPTO_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// margin is how many bytes before and after each output must stay as they were.
const margin = 48

// canaryBuffer is memory for one output, with canaries around it and in it.
type canaryBuffer struct{ mem []byte }

// prepare returns n bytes with margins on both sides, and fills all of it with canaries. The capacity is n+spare.
func (f *canaryBuffer) prepare(n, spare int) []byte {
	if need := n + spare + 2*margin; cap(f.mem) < need {
		f.mem = make([]byte, need)
	}
	f.mem = f.mem[:n+spare+2*margin]
	for i := range f.mem {
		f.mem[i] = canary(i)
	}
	return f.mem[margin : margin+n : margin+n+spare]
}

func canary(i int) byte { return byte(0xa5 + 7*i) }

// writtenOutside says which byte outside those that prepare(n, spare) returned was written, or "".
func (f *canaryBuffer) writtenOutside(n int) string {
	for i := range f.mem {
		if (i < margin || i >= margin+n) && f.mem[i] != canary(i) {
			return fmt.Sprintf("byte %d of the output, which has %d, was written", i-margin, n)
		}
	}
	return ""
}

// difference says where got differs from want, or "".
func difference(got, want []byte) string {
	if bytes.Equal(got, want) {
		return ""
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
	}
	i := 0
	for got[i] == want[i] {
		i++
	}
	end := min(i+16, len(got))
	return fmt.Sprintf("byte %d of %d is the first that differs: % x, want % x", i, len(got), got[i:end], want[i:end])
}

// mustPanic runs f, which must panic with a text that contains want.
func mustPanic(t *testing.T, what, want string, f func()) {
	t.Helper()
	defer func() {
		if p := recover(); p == nil {
			t.Errorf("%s: no panic, want one about %q", what, want)
		} else if text := fmt.Sprint(p); !strings.Contains(text, want) {
			t.Errorf("%s: panic %q, want one about %q", what, text, want)
		}
	}()
	f()
}

// closeTwice closes c, and again: neither is an error.
func closeTwice(t *testing.T, c io.Closer) {
	t.Helper()
	for range 2 {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}

// wantError checks that err is of class.
func wantError(t *testing.T, what string, err, class error) {
	t.Helper()
	if !errors.Is(err, class) {
		t.Errorf("%s: error %v, want %v", what, err, class)
	}
}

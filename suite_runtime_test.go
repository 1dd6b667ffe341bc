package kcrypto_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kcrypto/registry"
)

// Drivers and Go's runtime: allocations, profilers, the garbage collector, stacks.

func newGoGCM(key []byte) (cipher.AEAD, error) { return cipher.NewGCM(blockOf(key)) }

// A driverCall encrypts and decrypts one message with one driver, and checks the results.
type driverCall struct {
	name string
	run  func() error
}

// driverCalls makes one for each driver, with a message of n bytes.
func driverCalls(t *testing.T, n int) []driverCall {
	t.Helper()
	var all []driverCall
	for _, d := range working(registry.TypeAEAD) {
		model := aeadModelOf(t, d.Algorithm)
		l := makeMessages(newRandom(t.Name()+d.Driver), model, func(s *messageMaker) { s.add(n, 20) })[0]
		a, m := newAEAD(t, d, l), &l.messages[0]
		sealed, opened := make([]byte, 0, n+16), make([]byte, 0, n)
		all = append(all, driverCall{d.Driver, func() error {
			if got := a.Seal(sealed, m.nonce, m.text, m.aad); !bytes.Equal(got, m.sealed) {
				return fmt.Errorf("Seal: %s", difference(got, m.sealed))
			}
			got, err := a.Open(opened, m.nonce, m.sealed, m.aad)
			if err != nil || !bytes.Equal(got, m.text) {
				return fmt.Errorf("Open: %s (%w)", difference(got, m.text), err)
			}
			return nil
		}})
	}
	for _, d := range working(registry.TypeSkcipher) {
		u := makeUnits(newRandom(t.Name()+d.Driver), skModelOf(t, d.Algorithm), func(s *unitMaker) { s.add(n) })[0]
		s, m, buf := newSkcipher(t, d, u.key), &u.list[0], make([]byte, n)
		all = append(all, driverCall{d.Driver, func() error {
			if err := s.Encrypt(buf, m.plain, m.iv); err != nil || !bytes.Equal(buf, m.cipher) {
				return fmt.Errorf("Encrypt: %s (%w)", difference(buf, m.cipher), err)
			}
			if err := s.Decrypt(buf, buf, m.iv); err != nil || !bytes.Equal(buf, m.plain) {
				return fmt.Errorf("Decrypt: %s (%w)", difference(buf, m.plain), err)
			}
			return nil
		}})
	}
	return all
}

// TestUnderProfilers runs every driver under the execution tracer, the CPU profiler and the block profiler, with
// garbage collections all the time: assembly that hides its frame from the runtime has crashed there.
func TestUnderProfilers(t *testing.T) {
	all := driverCalls(t, 1<<16)
	if err := trace.Start(io.Discard); err != nil {
		t.Logf("NOT RUN under the tracer: %v", err)
	} else {
		defer trace.Stop()
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Logf("NOT RUN under the CPU profiler: %v", err)
	} else {
		defer pprof.StopCPUProfile()
	}
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	stop := collectGarbage()
	defer stop()
	turn := 60 * time.Millisecond
	if testing.Short() {
		turn /= 6
	}
	for _, w := range all {
		for until := time.Now().Add(turn); time.Now().Before(until); {
			if err := w.run(); err != nil {
				t.Fatalf("%s: %v", w.name, err)
			}
		}
	}
}

// collectGarbage collects garbage without a pause until it is stopped.
func collectGarbage() (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// TestDeepStacks calls every driver at many depths of the stack: Go's stacks are aligned to 16 bytes at most, and move
// when they grow.
func TestDeepStacks(t *testing.T) {
	for _, w := range driverCalls(t, 2000) {
		for depth := range 64 {
			failure := make(chan error, 1)
			go func() { failure <- deep(depth, w.run) }() // a new goroutine, whose stack must grow
			if err := <-failure; err != nil {
				t.Fatalf("%s, %d frames deep: %v", w.name, depth, err)
			}
		}
	}
}

// deep calls f under depth frames of about 200 bytes.
//
//go:noinline
func deep(depth int, f func() error) error {
	if depth == 0 {
		return f()
	}
	var frame [200]byte
	for i := range frame {
		frame[i] = byte(depth)
	}
	err := deep(depth-1, f)
	for _, b := range frame {
		if b != byte(depth) {
			return fmt.Errorf("a caller's frame was overwritten (%w)", err)
		}
	}
	return err
}

// TestScalarSpeedAfterDriver: on some CPUs, scalar SSE code is slower by a factor while upper halves are dirty.
func TestScalarSpeedAfterDriver(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN in a short run: it measures time")
	}
	for _, w := range driverCalls(t, 1024) {
		ratio := 9.0
		for range 5 { // a noisy machine gets more chances
			ratio = min(ratio, float64(fastest(scalar, func() { w.run() }))/float64(fastest(scalar, func() {})))
			if ratio < 1.5 {
				break
			}
		}
		if ratio >= 1.5 {
			t.Errorf("floating point code takes %.1f times as long after %s", ratio, w.name)
		}
	}
}

var sink float64

// scalar is a chain of floating point operations, which Go compiles to scalar SSE.
func scalar() {
	x := 1.0
	for i := range 2000 {
		x = x*0.999 + float64(i)
	}
	sink = x
}

// fastest times f, each time after a call of before, and returns the shortest time.
func fastest(f, before func()) time.Duration {
	best := time.Hour
	for range 200 {
		before()
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// TestStopTheWorld: while a goroutine works on 64 MiB, a stop-the-world takes at most a tenth of the time that it takes
// during Go's own GCM, which works on a whole message in one call of assembly.
func TestStopTheWorld(t *testing.T) {
	if testing.Short() || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("NOT RUN in a short run or on one CPU: it measures time")
	}
	const size = 64 << 20
	buf := make([]byte, size+16)
	own := must(newGoGCM(make([]byte, 16)))
	goes, _ := stopTime(func() { own.Seal(buf[:0], buf[:12], buf[:size], nil) })
	t.Logf("Go's own GCM: median %v", goes)
	if goes < 4*time.Millisecond {
		t.Skipf("NOT RUN HERE: Go's own GCM can be stopped within %v, so there is nothing to compare with", goes)
	}
	for _, d := range slices.Concat(working(registry.TypeAEAD), working(registry.TypeSkcipher)) {
		if d.Impl == "stdlib" || strings.Contains(d.Driver, "(") {
			continue // what we compare with, and what only wraps another driver
		}
		once := bulk(t, d, buf)
		if d.Impl == "generic" {
			once = bulk(t, d, buf[:8<<20]) // slow, and a goroutine in Go code can be stopped anywhere
		}
		var median, quartile time.Duration
		for range 10 { // a noisy machine gets more chances
			if median, quartile = stopTime(once); quartile <= goes/10 {
				break
			}
		}
		t.Logf("%s: median %v", d.Driver, median)
		if quartile > goes/10 {
			t.Errorf("%s: a stop-the-world waits %v (lower quartile), against a median of %v for Go's own GCM", d.Driver,
				quartile, goes)
		}
	}
}

// bulk is one long call of d, in place.
func bulk(t *testing.T, d registry.Info, buf []byte) func() {
	t.Helper()
	n := len(buf) - 16
	if d.Type == registry.TypeAEAD {
		if d.MaxSize > 0 {
			n = int(min(uint64(n), d.MaxSize))
		}
		model := aeadModelOf(t, d.Algorithm)
		a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, 16, nil})
		nonce, aad := make([]byte, model.nonce), make([]byte, 8)
		return func() { a.Seal(buf[:0], nonce, buf[:n], aad) }
	}
	model := skModelOf(t, d.Algorithm)
	s, iv := newSkcipher(t, d, make([]byte, model.keySizes[0])), make([]byte, model.iv)
	if d.Algorithm == "xts(aes)" {
		n = min(n, 16<<20)
	}
	n &^= 15
	return func() {
		if err := s.Encrypt(buf[:n], buf[:n], iv); err != nil {
			panic(err)
		}
	}
}

// stopTime is the median time of a stop-the-world while once runs in a loop, and the quartile below it. Other work on
// the machine only ever adds to these times, a millisecond or two where it keeps both CPUs busy.
func stopTime(once func()) (median, quartile time.Duration) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	done, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		for {
			select {
			case <-done:
				return
			default:
				once()
			}
		}
	}()
	var times []time.Duration
	var stats runtime.MemStats
	for range 31 {
		time.Sleep(2 * time.Millisecond)
		start := time.Now()
		runtime.ReadMemStats(&stats) // stops the world
		times = append(times, time.Since(start))
	}
	close(done)
	<-finished
	slices.Sort(times)
	return times[len(times)/2], times[len(times)/4]
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"kcrypto/examples/internal/job"
)

const size = 100 // bytes of the packets of these tests

// ends returns both ends of a tunnel.
func ends(t *testing.T) (*sender, *receiver) {
	t.Helper()
	sealing, opening, err := newEnds("gcm(aes)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sealing.Close(); opening.Close() })
	return &sender{tunnel: 1, aead: sealing}, &receiver{tunnel: 1, aead: opening}
}

// sealed returns n datagrams, copied.
func (s *sender) sealed(t *testing.T, n int) (datagrams [][]byte) {
	t.Helper()
	for ; n > 0; n -= batchSize {
		buffers := newBuffers(min(n, batchSize))
		for i, b := range buffers {
			fill(b[headerSize:headerSize+size], s.counter+uint64(i))
		}
		packets, err := s.seal(buffers, size)
		if err != nil {
			t.Fatal(err)
		}
		for i := range packets {
			datagrams = append(datagrams, packets[i].Dst)
		}
	}
	return datagrams
}

// opened opens copies of datagrams, in batches, and returns the counters of what came out, whose text it checks.
func (r *receiver) opened(t *testing.T, datagrams ...[]byte) (counters []uint64) {
	t.Helper()
	want := make([]byte, size)
	for batch := range slices.Chunk(datagrams, batchSize) {
		copies := make([][]byte, len(batch))
		for i := range batch {
			copies[i] = bytes.Clone(batch[i])
		}
		r.open(copies, func(counter uint64, text []byte) {
			if fill(want, counter); !bytes.Equal(text, want) {
				t.Errorf("packet %d came out as %x", counter, text)
			}
			counters = append(counters, counter)
		})
	}
	return counters
}

func upTo(n uint64) (counters []uint64) {
	for i := range n {
		counters = append(counters, i)
	}
	return counters
}

func wantCounters(t *testing.T, what string, got, want []uint64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d came out, want %d: %v", what, len(got), len(want), got)
	}
}

// TestReplay: what came once does not come again, in the same batch or later.
func TestReplay(t *testing.T) {
	s, r := ends(t)
	d := s.sealed(t, 200)
	twice := append(append([][]byte{}, d[:30]...), d[:30]...)
	wantCounters(t, "twice in one batch", r.opened(t, twice...), upTo(30))
	wantCounters(t, "again, and the others", r.opened(t, d...), upTo(200)[30:])
	wantCounters(t, "all again", r.opened(t, d...), nil)
	if r.replayed != 30+30+200 || r.forged+r.foreign != 0 {
		t.Errorf("counted as %d replayed, %d forged, %d foreign", r.replayed, r.forged, r.foreign)
	}
}

// TestReordering: packets come out in whatever order they arrive, if they are not too late.
func TestReordering(t *testing.T) {
	s, r := ends(t)
	d := s.sealed(t, windowSize+100)
	slices.Reverse(d)
	want := upTo(windowSize + 100)
	slices.Reverse(want)
	wantCounters(t, "backwards", r.opened(t, d...), want[:windowSize])
	wantCounters(t, "what was too late, again", r.opened(t, d[windowSize:]...), nil)
	if r.replayed != 200 {
		t.Errorf("%d counted as replayed, want 200", r.replayed)
	}
}

// TestLoss: gaps of any size do no harm.
func TestLoss(t *testing.T) {
	s, r := ends(t)
	d := s.sealed(t, 3*windowSize)
	some := [][]byte{d[0], d[7], d[windowSize+1], d[3*windowSize-1]}
	wantCounters(t, "some", r.opened(t, some...), []uint64{0, 7, windowSize + 1, 3*windowSize - 1})
	wantCounters(t, "some again", r.opened(t, some...), nil)
	wantCounters(t, "in time", r.opened(t, d[2*windowSize], d[2*windowSize-1]), []uint64{2 * windowSize})
}

// TestForgery: a datagram with any bit changed is refused, and the genuine one comes out after it.
func TestForgery(t *testing.T) {
	s, r := ends(t)
	for bit := range 8 * (headerSize + size + tagSize) {
		genuine := s.sealed(t, 1)[0]
		forged := bytes.Clone(genuine)
		forged[bit/8] ^= 1 << (bit % 8)
		n := s.counter - 1
		wantCounters(t, fmt.Sprintf("bit %d changed", bit), r.opened(t, forged, genuine), []uint64{n})
	}
	d := s.sealed(t, 1)[0]
	for n := range d {
		wantCounters(t, fmt.Sprintf("cut to %d bytes", n), r.opened(t, d[:n]), nil)
	}
	wantCounters(t, "the genuine one", r.opened(t, d), []uint64{s.counter - 1})
}

// TestCounterEnds: nothing is sealed or opened beyond maxPackets.
func TestCounterEnds(t *testing.T) {
	s, r := ends(t)
	s.counter = maxPackets - 1
	d := s.sealed(t, 1)
	wantCounters(t, "the last one", r.opened(t, d...), []uint64{maxPackets - 1})
	if _, err := s.seal(newBuffers(1), size); !errors.Is(err, errKeyUsedUp) {
		t.Errorf("one more: %v, want errKeyUsedUp", err)
	}
	s.counter = maxPackets - 2
	if _, err := s.seal(newBuffers(3), size); !errors.Is(err, errKeyUsedUp) || s.counter != maxPackets-2 {
		t.Errorf("two where there is room for one: %v, counter %d", err, s.counter)
	}
	putHeader(d[0], 1, maxPackets)
	if wantCounters(t, "beyond the last", r.opened(t, d...), nil); r.foreign != 1 {
		t.Errorf("%d counted as foreign, want 1", r.foreign)
	}
}

// TestWindow compares the window with a set of all that came, over walks that go on, back, and far ahead.
func TestWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var w window
		came, next := map[uint64]bool{}, uint64(0)
		for range 2000 {
			counter := next
			switch random.IntN(10) {
			case 0:
				counter += random.Uint64N(3 * windowSize)
			case 1:
				counter += random.Uint64N(130)
			case 2, 3, 4, 5:
				counter -= min(counter, random.Uint64N(windowSize+65))
			}
			want := !came[counter] && counter+windowSize >= next
			if w.fresh(counter) != want || w.accept(counter) != want {
				t.Fatalf("counter %d after %d: want %v", counter, next, want)
			}
			if want {
				came[counter], next = true, max(next, counter+1)
			}
		}
	}
}

// TestNoAllocation: batches are sealed and opened without an allocation.
func TestNoAllocation(t *testing.T) {
	s, r := ends(t)
	buffers, datagrams := newBuffers(batchSize), make([][]byte, batchSize)
	round := func() {
		packets, err := s.seal(buffers, size)
		if err != nil {
			t.Fatal(err)
		}
		for i := range packets {
			datagrams[i] = packets[i].Dst
		}
		r.open(datagrams, func(uint64, []byte) {})
	}
	round()
	if n := testing.AllocsPerRun(10, round); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
	if r.delivered != int(s.counter) {
		t.Errorf("%d of %d delivered", r.delivered, s.counter)
	}
}

// TestDemo sends packets over two sockets. How many are lost is up to the machine.
func TestDemo(t *testing.T) {
	for _, algorithm := range []string{"gcm(aes)", "chacha20poly1305"} {
		came, want := map[uint64]bool{}, make([]byte, 700)
		d := demo{packets: 2000, size: 700, algorithm: algorithm, deliver: func(counter uint64, text []byte) {
			if fill(want, counter); came[counter] || !bytes.Equal(text, want) {
				t.Errorf("packet %d came out twice or changed", counter)
			}
			came[counter] = true
		}}
		c, err := d.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.sent != 2000 || c.delivered != len(came) || c.delivered == 0 || c.repeated != 20 || c.changed != 20 ||
			c.replayed > 20 || c.forged > 20 {
			t.Errorf("%s: %+v", algorithm, c)
		}
		t.Logf("%+v", c)
	}
}

// TestEnds: the program ends with its context, and says why.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(job.ErrInterrupted)
	d := demo{packets: 1e6, size: 1, algorithm: "gcm(aes)", deliver: func(uint64, []byte) {}}
	if c, err := d.run(ctx); !errors.Is(err, job.ErrInterrupted) || c.sent != 0 {
		t.Errorf("%+v, %v; want nothing sent, and ErrInterrupted", c, err)
	}
}

func TestArguments(t *testing.T) {
	for _, bad := range []string{"x", "0", "1000001", "1 -1", "1 1501", "1 1 gcm(aes) 1"} {
		if err := run(t.Context(), strings.Fields(bad)); !errors.Is(err, job.ErrUsage) {
			t.Errorf("%s: %v, want ErrUsage", bad, err)
		}
	}
	err := run(t.Context(), []string{"1", "1", "xchacha20poly1305"})
	if err == nil || !strings.Contains(err.Error(), "nonces of 24 bytes") {
		t.Errorf("nonces of 24 bytes: %v", err)
	}
	if err := run(t.Context(), []string{"10", "0"}); err != nil {
		t.Error(err)
	}
}

// TestGather: a batch takes what is there, up to its capacity.
func TestGather(t *testing.T) {
	arrived := make(chan []byte, 8)
	for i := range 8 {
		arrived <- []byte{byte(i)}
	}
	batch := gather(make([][]byte, 1, 4), arrived)
	if len(batch) != 4 || len(arrived) != 5 {
		t.Errorf("a batch of 4 has %d, and %d are left of 8", len(batch), len(arrived))
	}
	close(arrived)
	if batch = gather(make([][]byte, 0, 9), arrived); len(batch) != 5 {
		t.Errorf("%d of the last 5", len(batch))
	}
}

// TestSocketErrors: a socket that fails ends both ends, with its error; a deadline is no error.
func TestSocketErrors(t *testing.T) {
	from, to, err := sockets()
	if err != nil {
		t.Fatal(err)
	}
	to.SetReadDeadline(time.Now())
	if err := receive(to, func([][]byte) {}); err != nil {
		t.Errorf("at the deadline: %v", err)
	}
	from.Close()
	to.Close()
	if err := receive(to, func([][]byte) {}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("reading from a closed socket: %v", err)
	}
	for _, number := range []int{0, 33, 66} { // which is sent once, twice, and changed
		if err := new(counts).attack(from, make([]byte, 64), number); !errors.Is(err, net.ErrClosed) {
			t.Errorf("packet %d to a closed socket: %v", number, err)
		}
	}
}

// TestWindowSize: of the 1984 counters up to the newest one each may come late, and none before them.
func TestWindowSize(t *testing.T) {
	const size, newest = 1984, 100_000
	for late, accepted := range map[uint64]bool{1: true, 95: true, 1000: true, size - 1: true, size: false} {
		w := new(window)
		w.accept(newest)
		if got := w.accept(newest - late); got != accepted {
			t.Errorf("%d before the newest: accepted %v", late, got)
		}
	}
}

package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kcrypto"
	"kcrypto/internal/guard"
	"kcrypto/registry"
)

// Batches: what SealBatch and OpenBatch do to each packet is what Seal and Open do to it alone.

// packetCase is one packet of a batch, and what must become of it.
type packetCase struct {
	kcrypto.Packet
	memory canaryBuffer // where Dst lies, and Src if it is to be worked on in place
	dst    []byte       // Dst before
	output []byte       // what the call must append; nil after a failure
	size   int          // bytes behind dst that the call may change
	class  error        // of Err
}

// The ways to make a packet.
const (
	apart = iota // Dst elsewhere, behind some bytes that must stay
	inPlace
	noRoom
	badNonce
	shifted    // output a byte before the input
	overAAD    // output over the additional data
	forgedTag  // only for opening, as the rest
	forgedText //
	forgedAAD
	cut // shorter than a tag
	wayCount
)

// packetCase makes a packet that puts in through a call that must append out.
func (d *random) packetCase(way int, m *message, in, out []byte) *packetCase {
	p := &packetCase{size: len(out), output: out}
	p.Nonce, p.AAD, p.Src = m.nonce, m.aad, bytes.Clone(in)
	header := d.IntN(20)
	mem := p.memory.prepare(header+max(len(in), len(out))+1, 0)
	p.Dst = mem[: header : header+len(out)]
	fail := func(class error) { p.class, p.output = class, nil }
	switch way {
	case inPlace:
		p.Src = mem[header : header+len(in)]
		copy(p.Src, in)
	case noRoom:
		p.Dst, p.size = mem[:header:header+d.IntN(len(out)+1)], 0
		if cap(p.Dst)-header == len(out) {
			p.size = len(out)
		}
	case badNonce:
		p.Nonce, p.size = append(bytes.Clone(m.nonce), 0), 0
		fail(registry.ErrNonceSize)
	case shifted:
		if len(in) > 0 && len(out) > 1 {
			p.Src = mem[header+1 : header+1+len(in)]
			copy(p.Src, in)
			p.size = 0
			fail(registry.ErrOverlap)
		}
	case overAAD:
		if n := len(m.aad); n > 0 && n <= len(out) {
			p.AAD = mem[header : header+n]
			p.size = 0
			fail(registry.ErrOverlap)
		}
	case cut:
		p.Src, p.size = p.Src[:d.IntN(len(in)-len(out))], 0
		fail(registry.ErrAuth)
	case forgedTag, forgedText:
		if way == forgedTag || len(out) == 0 {
			p.Src[len(out)+d.IntN(len(in)-len(out))] ^= 1 << d.IntN(8)
		} else {
			p.Src[d.IntN(len(out))] ^= 1 << d.IntN(8)
		}
		fail(registry.ErrAuth)
	case forgedAAD:
		if len(m.aad) > 0 {
			p.AAD = bytes.Clone(m.aad)
			p.AAD[d.IntN(len(m.aad))] ^= 1 << d.IntN(8)
			fail(registry.ErrAuth)
		}
	}
	p.dst = p.Dst
	p.Err = errors.New("left from another call")
	return p
}

// wrong says what is wrong with p after a call, or "".
func (p *packetCase) wrong() string {
	if !errors.Is(p.Err, p.class) {
		return fmt.Sprintf("error %v, want %v", p.Err, p.class)
	}
	if p.class == nil {
		if s := difference(p.Dst[:len(p.dst)], p.dst) + difference(p.Dst[len(p.dst):], p.output); s != "" {
			return s
		}
	} else if len(p.Dst) != len(p.dst) || cap(p.Dst) != cap(p.dst) || len(p.dst) > 0 && &p.Dst[0] != &p.dst[0] {
		return fmt.Sprintf("Dst is another after a failure: %d of %d bytes, it was %d of %d", len(p.Dst), cap(p.Dst),
			len(p.dst), cap(p.dst))
	}
	if p.class != nil && errors.Is(p.class, registry.ErrAuth) {
		for i, b := range p.dst[len(p.dst):cap(p.dst)][:p.size] {
			if b != 0 {
				return fmt.Sprintf("byte %d behind Dst is %#02x after a failure, want 0", i, b)
			}
		}
	}
	return ""
}

// batchOf makes a batch of random messages in random ways.
func batchOf(d *random, l *keyedMessages, ways, count int, opening bool) (cases []*packetCase, failures int) {
	for range count {
		m, way := &l.messages[d.IntN(len(l.messages))], apart
		if d.IntN(3) == 0 {
			way = d.IntN(ways)
		}
		in, out := m.text, m.sealed
		if opening {
			in, out = m.sealed, m.text
		}
		p := d.packetCase(way, m, in, out)
		if p.class != nil {
			failures++
		}
		cases = append(cases, p)
	}
	return cases, failures
}

// send hands the cases to f as one slice of packets, and takes them back.
func send(cases []*packetCase, f func([]kcrypto.Packet)) {
	packets := make([]kcrypto.Packet, len(cases))
	for i, p := range cases {
		packets[i] = p.Packet
	}
	f(packets)
	for i, p := range cases {
		p.Packet = packets[i]
	}
}

// runBatch checks one batch in one direction.
func runBatch(t *testing.T, d *random, a *kcrypto.AEAD, l *keyedMessages, count int, opening bool) {
	t.Helper()
	ways := forgedTag
	if opening {
		ways = wayCount
	}
	cases, failures := batchOf(d, l, ways, count, opening)
	send(cases, func(packets []kcrypto.Packet) {
		if !opening {
			a.SealBatch(packets)
		} else if failed := a.OpenBatch(packets); failed != failures {
			t.Fatalf("OpenBatch of %d packets: %d failed, want %d", count, failed, failures)
		}
	})
	for i, p := range cases {
		what := p.wrong()
		if what == "" {
			what = p.memory.writtenOutsideBut(len(p.dst), max(p.size, len(p.Src)))
		}
		if what != "" {
			t.Fatalf("opening %v, packet %d of %d, %d bytes, %d of additional data, tag %d: %s",
				opening, i, count, len(p.Src), len(p.AAD), a.Overhead(), what)
		}
	}
}

// writtenOutsideBut says what has been written before or behind the n bytes that follow the first header bytes, or "".
func (f *canaryBuffer) writtenOutsideBut(header, n int) string {
	for i := range f.mem {
		if (i < margin+header || i >= margin+header+n+1) && f.mem[i] != canary(i) {
			return fmt.Sprintf("byte %d behind Dst was written", i-margin-header)
		}
	}
	return ""
}

// batchMessages has messages of every size that batches are made for, and some longer ones.
func batchMessages(s *messageMaker) {
	for range 2 {
		for n := 0; n <= 300; n += 1 + s.IntN(6) {
			s.add(n, s.upTo(20))
		}
		for _, n := range []int{440, 496, 497, 512, 1000, 1420, 4000} {
			s.add(n+s.IntN(3), s.upTo(60))
		}
		s.begin(s.bytes(len(s.now.key)), s.now.nonceSize, s.model.tags[s.IntN(len(s.model.tags))])
	}
}

// TestBatch: mixed sizes, orders, ways and failures, from no packet to more than a driver gets at once.
func TestBatch(t *testing.T) {
	counts := []int{0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129, 300}
	if testing.Short() {
		counts = []int{0, 1, 3, 4, 5, 33, 130}
	}
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, batchMessages)
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			for _, l := range all() {
				if len(l.messages) == 0 {
					continue
				}
				a := newAEAD(t, d, l)
				for _, count := range counts {
					runBatch(t, rng, a, &l, count, false)
					runBatch(t, rng, a, &l, count, true)
				}
			}
		})
	})
}

// TestBatchEvenSizes: all packets of one size, every size, so that no packet depends on what its neighbours mask.
func TestBatchEvenSizes(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
				for n := range 700 {
					if n <= 80 || n%16 < 2 || !testing.Short() && n%3 == 0 {
						s.add(n, n%18)
					}
				}
			})
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			for _, l := range all() {
				a := newAEAD(t, d, l)
				for i := range l.messages {
					one := keyedMessages{l.key, l.nonceSize, l.tagSize, l.messages[i : i+1]}
					runBatch(t, rng, a, &one, 5, false)
					runBatch(t, rng, a, &one, 5, true)
				}
			}
		})
	})
}

// TestBatchNonceSizes: nonces that the assembly does not take.
func TestBatchNonceSizes(t *testing.T) {
	model := aeadModelOf(t, "gcm(aes)")
	all := makeMessages(newRandom(t.Name()), model, func(s *messageMaker) {
		for _, size := range []int{1, 8, 13, 16, 60} {
			s.begin(s.bytes(16), size, 16)
			for range 20 {
				s.add(s.upTo(300), s.upTo(20))
			}
		}
	})
	eachDriver(t, "gcm(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		for _, l := range all {
			if len(l.messages) > 0 {
				a := newAEAD(t, d, l)
				runBatch(t, rng, a, &l, 40, false)
				runBatch(t, rng, a, &l, 40, true)
			}
		}
	})
}

// TestBatchChunks: a small chunk cuts batches.
func TestBatchChunks(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			a := newAEAD(t, d, all[0], inForm(t, d, smallChunks))
			runBatch(t, rng, a, &all[0], 60, false)
			runBatch(t, rng, a, &all[0], 60, true)
		})
	})
}

// TestGuardedBatch: every operand of every packet stands against an unmapped page, and inputs cannot be written.
func TestGuardedBatch(t *testing.T) {
	needGuard(t)
	const count = 6
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		all := sync.OnceValue(func() []keyedMessages {
			return makeMessages(newRandom(t.Name()+algorithm), model, func(s *messageMaker) {
				for i, n := range guardLengths() {
					s.add(n, i%20)
				}
			})
		})
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			var pens [count]*guardedOperands
			for i := range pens {
				pens[i] = newGuardedOperands(t)
			}
			for _, l := range all() {
				a := newAEAD(t, d, l)
				for first := range l.messages {
					for range 2 { // both ends
						guardedBatch(t, a, pens[:], &l, first, false)
						guardedBatch(t, a, pens[:], &l, first, true)
						for _, p := range pens {
							p.otherEnd()
						}
					}
				}
			}
		})
	})
}

// guardedBatch puts the messages from number first on, one more than a call of assembly works on together, through one
// call.
func guardedBatch(t *testing.T, a *kcrypto.AEAD, pens []*guardedOperands, l *keyedMessages, first int, opening bool) {
	t.Helper()
	packets, want := make([]kcrypto.Packet, len(pens)), make([][]byte, len(pens))
	for i, p := range pens {
		m := &l.messages[(first+i*i)%len(l.messages)]
		in, out := m.text, m.sealed
		if opening {
			in, out = m.sealed, m.text
		}
		want[i] = out
		packets[i] = kcrypto.Packet{
			Dst: p.out.writable(len(out))[:0], Nonce: p.nonce.fixed(m.nonce), Src: p.in.fixed(in), AAD: p.aad.fixed(m.aad),
		}
	}
	err := guard.Run(func() {
		if opening {
			a.OpenBatch(packets)
		} else {
			a.SealBatch(packets)
		}
	})
	for i := range packets {
		if s := difference(packets[i].Dst, want[i]); err != nil || s != "" || packets[i].Err != nil {
			t.Fatalf("opening %v, operands end at a page: %v, packet %d of %d bytes: %v %v %s",
				opening, pens[0].in.atEnd, i, len(packets[i].Src), err, packets[i].Err, s)
		}
	}
}

// TestBatchStates: errors where Seal panics.
func TestBatchStates(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		model := aeadModelOf(t, algorithm)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a, err := kcrypto.AllocAEAD(d.Driver)
			if err != nil {
				t.Fatal(err)
			}
			refused := func(class error) {
				t.Helper()
				packets := make([]kcrypto.Packet, 3)
				for i := range packets {
					packets[i] = kcrypto.Packet{Nonce: make([]byte, model.nonce), AAD: make([]byte, 8), Src: make([]byte, 64)}
				}
				a.SealBatch(packets)
				for i := range packets {
					wantError(t, "SealBatch", packets[i].Err, class)
				}
				if failed := a.OpenBatch(packets); failed != len(packets) || packets[0].Dst != nil {
					t.Errorf("OpenBatch: %d of %d failed, Dst % x", failed, len(packets), packets[0].Dst)
				}
				for i := range packets {
					wantError(t, "OpenBatch", packets[i].Err, class)
				}
			}
			refused(registry.ErrNoKey)
			a.Close()
			refused(registry.ErrClosed)
		})
	})
}

// TestBatchSizesRefused: text and additional data of lengths that an algorithm does not have.
func TestBatchSizesRefused(t *testing.T) {
	a, err := kcrypto.NewAEAD("rfc4106(gcm(aes))", make([]byte, 20))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	packets := []kcrypto.Packet{
		{Nonce: make([]byte, 8), AAD: make([]byte, 8)},
		{Nonce: make([]byte, 8), AAD: make([]byte, 9)},
		{Nonce: make([]byte, 8), AAD: make([]byte, 12)},
	}
	a.SealBatch(packets)
	wantError(t, "9 bytes of additional data", packets[1].Err, registry.ErrLength)
	if packets[0].Err != nil || packets[2].Err != nil || len(packets[0].Dst) != 16 || len(packets[2].Dst) != 16 {
		t.Errorf("its neighbours: %v, %v", packets[0].Err, packets[2].Err)
	}
}

// TestBatchAllocations: none a call, with nonces in an array on the stack and room in each Dst.
func TestBatchAllocations(t *testing.T) {
	needNoRace(t)
	for _, d := range working(registry.TypeAEAD) {
		if d.Impl == "stdlib" { // Go's own code may allocate
			continue
		}
		model := aeadModelOf(t, d.Algorithm)
		a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, 16, nil})
		if n := allocations(func() { stackBatch(a, model.nonce) }); n != 0 {
			t.Errorf("%s: %v allocations for a batch there and back, want 0", d.Driver, n)
		}
	}
}

// stackBatch seals and opens packets that lie on the stack with all that belongs to them.
func stackBatch(a *kcrypto.AEAD, nonceSize int) {
	var packets [9]kcrypto.Packet
	var nonces [len(packets)][24]byte
	var aad [12]byte
	var memory [len(packets)][700]byte
	for i := range packets {
		nonces[i][0] = byte(i)
		n := 80 * i % 650
		packets[i] = kcrypto.Packet{Dst: memory[i][:0], Nonce: nonces[i][:nonceSize], Src: memory[i][:n], AAD: aad[:]}
	}
	a.SealBatch(packets[:])
	for i := range packets {
		packets[i].Src, packets[i].Dst = packets[i].Dst, packets[i].Dst[:0]
	}
	if a.OpenBatch(packets[:]) != 0 {
		panic("a batch does not come back")
	}
}

// TestBatchMovesWithStack: packets and what belongs to them lie on the stack of a new goroutine, which is small, so
// that it grows, and moves, at some place between the call and the driver's assembly: at another one for each depth.
func TestBatchMovesWithStack(t *testing.T) {
	for _, d := range working(registry.TypeAEAD) {
		model := aeadModelOf(t, d.Algorithm)
		a := newAEAD(t, d, keyedMessages{make([]byte, model.keySizes[0]), model.nonce, 16, nil})
		var sealed [10][]byte
		for i := range sealed {
			sealed[i] = a.Seal(nil, make([]byte, model.nonce), make([]byte, i), make([]byte, 8))
		}
		for depth := range 100 {
			outcome := make(chan string)
			go func() { outcome <- deepBatch(a, &sealed, model.nonce, depth) }()
			if s := <-outcome; s != "" {
				t.Fatalf("%s, %d calls deep: %s", d.Driver, depth, s)
			}
		}
	}
}

// deepBatch calls itself depth times, then opens a batch of which two packets are wrong.
//
//go:noinline
func deepBatch(a *kcrypto.AEAD, sealed *[10][]byte, nonceSize, depth int) string {
	if depth > 0 {
		var frame [128]byte
		frame[depth] = byte(depth)
		return deepBatch(a, sealed, nonceSize, depth-1)[frame[depth+1]:]
	}
	var packets [len(sealed)]kcrypto.Packet
	var nonce, wrong [24]byte
	var aad [8]byte
	var memory [len(packets)][40]byte
	for i := range packets {
		n := copy(memory[i][:], sealed[i])
		packets[i] = kcrypto.Packet{Dst: memory[i][:0], Nonce: nonce[:nonceSize], Src: memory[i][:n], AAD: aad[:]}
	}
	wrong[0] = 1
	packets[3].Nonce = wrong[:nonceSize]
	packets[4].Nonce = nil // here a run of packets ends
	if failed := a.OpenBatch(packets[:]); failed != 2 {
		return fmt.Sprintf("%d packets failed, want 2", failed)
	}
	for i := range packets {
		if refused := packets[i].Err != nil; refused != (i == 3 || i == 4) || !refused && len(packets[i].Dst) != i {
			return fmt.Sprintf("packet %d: error %v, %d bytes", i, packets[i].Err, len(packets[i].Dst))
		}
	}
	return ""
}

// TestBatchConcurrently: one transform, many goroutines.
func TestBatchConcurrently(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a := newAEAD(t, d, all[0])
			var group sync.WaitGroup
			for g := range 8 {
				group.Go(func() {
					rng := newRandom(fmt.Sprint(t.Name(), g))
					for range 3 {
						cases, _ := batchOf(rng, &all[0], noRoom, 20, false)
						send(cases, a.SealBatch)
						for _, p := range cases {
							if s := p.wrong(); s != "" {
								t.Error(s)
							}
						}
					}
				})
			}
			group.Wait()
		})
	})
}

// foreignBatch is a foreign driver that keeps what it is given for another goroutine, which is why it gets copies.
type foreignBatch struct {
	foreignGCM
	batches *int
	kept    *[][]byte // every Dst and Src
}

func (f *foreignBatch) elsewhere(packets []registry.Packet, work func()) {
	*f.batches++
	for i := range packets {
		*f.kept = append(*f.kept, packets[i].Dst, packets[i].Src)
	}
	done := make(chan bool)
	go func() { work(); close(done) }()
	<-done
}

func (f *foreignBatch) SealBatch(packets []registry.Packet, tag int) {
	f.elsewhere(packets, func() { registry.SealEach(f, packets, tag) })
}

func (f *foreignBatch) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	f.elsewhere(packets, func() { ok = registry.OpenEach(f, packets, tag) })
	return ok
}

// TestForeignBatch: foreign drivers, with and without batches of their own. What they keep of a batch holds no text
// afterwards.
func TestForeignBatch(t *testing.T) {
	r, err := kcrypto.NewRegistry("")
	if err != nil {
		t.Fatal(err)
	}
	batches := 0
	var kept [][]byte
	many := foreignGCMDriver("gcm-aes-many", 900, noFlaw)
	many.NewAEAD = func(registry.Config) registry.AEAD { return &foreignBatch{batches: &batches, kept: &kept} }
	if err := r.Register([]registry.Driver{many, foreignGCMDriver("gcm-aes-single", 901, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	for _, algorithm := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))"} {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		for _, inner := range []string{"gcm-aes-many", "gcm-aes-single"} {
			driver := inner
			if algorithm != "gcm(aes)" {
				driver = algorithm[:8] + inner + ")"
			}
			a, err := kcrypto.NewAEAD(driver, all[0].key, kcrypto.WithRegistry(r), kcrypto.WithAuthSize(all[0].tagSize))
			if err != nil {
				t.Fatal(err)
			}
			rng := newRandom(t.Name() + driver)
			runBatch(t, rng, a, &all[0], 50, false)
			runBatch(t, rng, a, &all[0], 50, true)
			stackBatch(a, a.NonceSize())
			a.Close()
		}
		if algorithm == "gcm(aes)" && slices.ContainsFunc(kept, func(b []byte) bool {
			return len(bytes.Trim(b, "\x00")) > 0
		}) {
			t.Error("a copy that the driver has kept holds text after the call")
		}
	}
	if batches == 0 {
		t.Error("the driver that has batches got none")
	}
}

// unnamedFailureBatch is a foreign driver that says that packets are not authentic, but not which, once it has got
// through the self-test.
type unnamedFailureBatch struct {
	foreignGCM
	tested *bool
}

func (v *unnamedFailureBatch) SealBatch(packets []registry.Packet, tag int) {
	registry.SealEach(v, packets, tag)
}

func (v *unnamedFailureBatch) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	ok = registry.OpenEach(v, packets, tag)
	for i := range packets {
		if *v.tested {
			packets[i].Err = nil
		}
	}
	return ok
}

// TestBatchFailureNotNamed: where a driver does not say which packets have failed, all have.
func TestBatchFailureNotNamed(t *testing.T) {
	r, err := kcrypto.NewRegistry("")
	if err != nil {
		t.Fatal(err)
	}
	tested := false
	vague := foreignGCMDriver("gcm-aes-vague", 900, noFlaw)
	vague.NewAEAD = func(registry.Config) registry.AEAD { return &unnamedFailureBatch{tested: &tested} }
	if err := r.Register([]registry.Driver{vague}); err != nil {
		t.Fatal(err)
	}
	a, err := kcrypto.NewAEAD("gcm-aes-vague", make([]byte, 16), kcrypto.WithRegistry(r))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tested = true
	nonce, text := make([]byte, 12), bytes.Repeat([]byte("text"), 10)
	sealed := a.Seal(nil, nonce, text, nil)
	forged := bytes.Clone(sealed)
	forged[0] ^= 1
	packets := []kcrypto.Packet{{Nonce: nonce, Src: sealed}, {Nonce: nonce, Src: forged}}
	for i := range packets {
		packets[i].Dst = make([]byte, 0, len(text))
	}
	if failed := a.OpenBatch(packets); failed != 2 {
		t.Errorf("%d packets failed, want both", failed)
	}
	for i, p := range packets {
		wantError(t, fmt.Sprint("packet ", i), p.Err, registry.ErrAuth)
		if left := p.Dst[:cap(p.Dst)]; len(p.Dst) != 0 || !bytes.Equal(left, make([]byte, len(text))) {
			t.Errorf("packet %d: plaintext is left: % x", i, left)
		}
	}
}

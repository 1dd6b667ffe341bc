package measure

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/internal/limits"
	"kcrypto/tools/tcrypt/internal/result"
	"kcrypto/tools/tcrypt/internal/text"
)

// seriesOf is an algorithm's usual series without additional data.
func seriesOf(name string, keySize int, drivers ...string) *Series {
	info := kcrypto.Drivers(name)[0]
	s := NewSeries(info, drivers...)
	s.KeyBits, s.AAD = 8*keySize, 0
	return s
}

func contender(t *testing.T, s *Series, driver string) *Contender {
	t.Helper()
	c, err := s.contend(driver, Key(s.keySize()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func reference(t *testing.T, s *Series) *Contender {
	t.Helper()
	c, err := s.reference(Key(s.keySize()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// What Go's own code does with a job must be what the generic driver does with it: only then is it a comparison.
func TestGoPeers(t *testing.T) {
	for name := range goPeers {
		for _, keySize := range kcrypto.Drivers(name)[0].KeySizes {
			for _, decrypt := range []bool{false, true} {
				s := seriesOf(name, keySize, result.Go)
				s.Direction = result.Direction(decrypt)
				peer, generic := contender(t, s, result.Go), reference(t, s)
				for _, size := range []int{16, 64, 1424, 4096} {
					j, err := s.newJob(size, generic)
					if err != nil {
						t.Fatal(err)
					}
					if err := j.check(peer, generic.Driver); err != nil {
						t.Errorf("%s, key %d, %d bytes, decrypt %v: %v", name, keySize, size, decrypt, err)
					}
				}
			}
		}
	}
}

// Tags that Go has too must be the same, and others refused.
func TestGoTags(t *testing.T) {
	for tag, want := range map[int]bool{4: false, 12: true, 13: true, 16: true} {
		s := seriesOf("gcm(aes)", 16)
		s.Tag = tag
		if HasGo(s.Info, tag) != want {
			t.Errorf("a tag of %d bytes: HasGo gives %v", tag, !want)
		} else if want {
			generic := reference(t, s)
			j, err := s.newJob(100, generic)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.check(contender(t, s, result.Go), generic.Driver); err != nil || len(j.dst) != 100+tag {
				t.Errorf("a tag of %d bytes: %d bytes come out, %v", tag, len(j.dst), err)
			}
		}
	}
	if chacha := seriesOf("rfc7539(chacha20,poly1305)", 32); HasGo(chacha.Info, 12) {
		t.Error("x/crypto has no tag of 12 bytes")
	}
}

// Sectors that Go cannot do are refused like messages that it cannot do.
func TestGoTakes(t *testing.T) {
	s := seriesOf("xts(aes)", 64, result.Go)
	for _, c := range []struct {
		sector, size int
		want         bool
	}{{0, 16, true}, {0, 17, false}, {512, 4096, true}, {520, 5200, false}, {520, 4160, false}} {
		s.Sector = c.sector
		j, err := s.newJob(c.size, reference(t, s))
		if err != nil {
			t.Fatal(err)
		}
		err = j.check(contender(t, s, result.Go), "generic")
		if (err == nil) != c.want || (s.GoTakes(c.size) == nil) != c.want {
			t.Errorf("%+v: %v, %v", c, err, s.GoTakes(c.size))
		}
	}
	if s := seriesOf("ctr(aes)", 32); s.GoTakes(17) != nil {
		t.Error(s.GoTakes(17))
	}
}

// A call for many sectors must give what Go's code gives sector by sector.
func TestGoSectors(t *testing.T) {
	for i := range 4 {
		s, decrypt := seriesOf("xts(aes)", 64), i%2 == 1
		if i > 1 {
			s = seriesOf("cbc(aes)", 32)
		}
		s.Sector, s.Direction = 512, result.Direction(decrypt)
		ours, peer := contender(t, s, s.Info.Driver), contender(t, s, result.Go)
		j, err := s.newJob(8*512, ours)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.check(peer, ours.Driver); err != nil {
			t.Errorf("decrypt %v: %v", decrypt, err)
		}
		clear(j.dst)
		if j.op(peer.transform)(1); !bytes.Equal(j.dst, j.want) {
			t.Errorf("decrypt %v: what is timed is not what was compared", decrypt)
		}
	}
}

// Wherever a message moves to, what is timed is the message that was checked.
func TestMove(t *testing.T) {
	s := seriesOf("gcm(aes)", 32)
	generic := reference(t, s)
	j, err := s.newJob(1420, generic)
	if err != nil {
		t.Fatal(err)
	}
	at := map[*byte]bool{}
	for range 10 {
		j.move()
		at[&j.src[0]] = true
		if j.op(generic.transform)(1); !bytes.Equal(j.dst, j.want) {
			t.Fatal("another result after a move")
		}
	}
	if len(at) < 2 {
		t.Error("the message was always at the same place")
	}
}

// Several messages in a run are all done, each in its place, in one call. The time is that of one.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name    string
		decrypt bool
	}{{"gcm(aes)", false}, {"gcm(aes)", true}, {"cbc(aes)", false}, {"cbc(aes)", true}} {
		s := seriesOf(c.name, 16)
		s.Batch, s.Direction = 40, result.Direction(c.decrypt)
		generic := reference(t, s)
		j, err := s.newJob(512, generic)
		if err != nil {
			t.Fatal(err)
		}
		_, packets := generic.transform.(batcher)
		_, requests := generic.transform.(requester)
		if packets != (c.name == "gcm(aes)") || requests == packets {
			t.Errorf("%s takes packets %v, requests %v", c.name, packets, requests)
		}
		op := j.op(generic.transform)
		op(2)
		at := map[*byte]bool{}
		for _, one := range append(j.beside, j) {
			at[&one.dst[0]] = true
			if !bytes.Equal(one.dst, j.want) || one != j && one.beside != nil {
				t.Errorf("%s: a message was not done, or has others beside it", c.name)
			}
		}
		if len(at) != 40 || j.messages() != 40 {
			t.Errorf("%d messages at %d places", j.messages(), len(at))
		}
	}
	s := seriesOf("gcm(aes)", 16)
	generic := reference(t, s)
	s.Sizes = []int{512}
	cells := map[int]float64{}
	for _, s.Batch = range []int{1, 8} {
		s.Drivers = []string{generic.Driver}
		b := Bench{Time: 12 * time.Millisecond, Count: 6}
		cs, err := b.Series(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		cells[s.Batch] = cs[0].NS
	}
	if r := cells[8] / cells[1]; r < 0.3 || r > 3 {
		t.Errorf("a message of 8 takes %.2f times what it takes alone", r)
	}
}

// wrong is a cipher that gets one bit wrong.
type wrong struct{ skcipher }

func (w wrong) Encrypt(dst, src, iv []byte) error {
	err := w.skcipher.Encrypt(dst, src, iv)
	dst[len(dst)-1] ^= 1
	return err
}

func TestWrongResult(t *testing.T) {
	s := seriesOf("ctr(aes)", 16)
	s.Sizes = []int{64}
	generic := reference(t, s)
	broken := *generic
	broken.Driver, broken.transform = "ctr-aes-broken", wrong{generic.transform.(skcipher)}
	_, err := s.courses(t.Context(), Key(16), []*Contender{generic, &broken})
	const want = "ctr(aes), 64 bytes, 128-bit key: ctr-aes-broken and ctr-aes-generic disagree: nothing was timed"
	if err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}

// lax is an AEAD that does not do the last message of a batch.
type lax struct{ *kcrypto.AEAD }

func (l lax) SealBatch(p []kcrypto.Packet) { l.AEAD.SealBatch(p[:len(p)-1]) }

// A batch's results are looked at, too.
func TestWrongBatch(t *testing.T) {
	s := seriesOf("gcm(aes)", 16)
	s.Sizes, s.Batch = []int{64}, 3
	generic := reference(t, s)
	broken := *generic
	broken.Driver, broken.transform = "gcm-aes-broken", lax{generic.transform.(*kcrypto.AEAD)}
	_, err := s.courses(t.Context(), Key(16), []*Contender{generic, &broken})
	if err == nil || !strings.Contains(err.Error(), "gcm-aes-broken computes another result for message 3 of 3") {
		t.Errorf("error %v", err)
	}
	s.Batch = 0
	if _, err := s.courses(t.Context(), Key(16), []*Contender{generic, &broken}); err != nil {
		t.Errorf("single messages: %v", err)
	}
}

// Go's XTS has no ciphertext stealing: it is left out of sizes that need it, and of those only.
func TestLeftOut(t *testing.T) {
	s := seriesOf("xts(aes)", 32, "xts-aes-generic", result.Go)
	s.Sizes = []int{16, 17, 32}
	steps := 0
	b := Bench{Time: time.Millisecond, Count: 6, Step: func(string) { steps++ }}
	cells, err := b.Series(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cells {
		got = append(got, c.Driver+" "+text.Number(float64(c.Size)))
		if len(c.Samples) != 6 || c.Wanted != 0 || c.Rounds < 6*minRounds || c.Low > c.NS || c.NS > c.High ||
			(c.TimesGo > 0) != (c.Driver != result.Go && c.Size != 17) {
			t.Errorf("%+v", c)
		}
	}
	const want = "xts-aes-generic 16.0, go 16.0, xts-aes-generic 17.0, xts-aes-generic 32.0, go 32.0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if steps != b.Steps(s) {
		t.Errorf("%d steps, %d were planned", steps, b.Steps(s))
	}
}

// An end before the first block leaves nothing, a later one leaves the blocks until then.
func TestSeriesCancelled(t *testing.T) {
	s := seriesOf("chacha20", 32, "chacha20-generic")
	s.Sizes = []int{64, 128}
	for _, c := range []struct{ at, cells, samples int }{
		{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 1, 1}, {4, 2, 1}, {5, 2, 1}, {7, 2, 2},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		b := Bench{Time: 6 * time.Millisecond, Count: 6, Step: func(string) {
			if steps++; steps > c.at {
				cancel()
			}
		}}
		cells, err := b.Series(ctx, s)
		if len(cells) != c.cells || err != context.Canceled {
			t.Errorf("end at step %d: %d cells, %v; want %d", c.at, len(cells), err, c.cells)
		} else if c.cells > 0 && (len(cells[0].Samples) != c.samples || cells[0].Wanted != 6 || cells[0].SetKeyNS <= 0) {
			t.Errorf("end at step %d: %+v, want %d samples and a key set-up", c.at, cells[0], c.samples)
		}
	}
}

func TestCount(t *testing.T) {
	const d = 20 * time.Millisecond
	s := seriesOf("gcm(aes)", 16)
	n, took, err := Count(t.Context(), s, "gcm-aes-generic", 1024, d)
	if err != nil || n < 1 || took < d || took > 100*d {
		t.Errorf("%d messages in %v, %v", n, took, err)
	}
	if _, _, err := Count(t.Context(), s, "gcm-aes-nobody", 1024, d); err == nil {
		t.Error("a driver that does not exist was timed")
	}
}

// Threads have messages of their own, and the speed is that of all of them.
func TestThreads(t *testing.T) {
	s := seriesOf("gcm(aes)", 32, "gcm-aes-generic", result.Go)
	s.Sizes, s.Threads = []int{1024}, 2
	b := Bench{Time: 12 * time.Millisecond, Count: 6}
	cells, err := b.Series(t.Context(), s)
	if err != nil || len(cells) != 2 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	for _, c := range cells {
		if c.Threads != 2 || len(c.Samples) != 6 || c.Samples[0].N < 1 || c.GBps != 2*1024/c.NS || CyclesKnown && c.GHz == 0 {
			t.Errorf("%+v", c)
		}
	}
	key := Key(32)
	generic := contender(t, s, "gcm-aes-generic")
	courses, err := s.courses(t.Context(), key, []*Contender{generic})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range courses[0].ops(generic.transform) {
		op(1)
	}
	for i, j := range courses[0].jobs {
		if &j.dst[0] == &courses[0].jobs[1-i].dst[0] || !bytes.Equal(j.dst, j.want) {
			t.Errorf("job %d shares its buffers, or comes to another result", i)
		}
	}
}

// Ops that run together meet, and none stops before its window is over.
func TestTogether(t *testing.T) {
	m := newMeter(20*time.Millisecond, 20*time.Millisecond)
	var running atomic.Int32
	both := make(chan struct{})
	op := func(n int) {
		if running.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both:
		case <-time.After(time.Minute):
			t.Error("the ops run one after the other")
		}
		time.Sleep(time.Duration(n) * time.Millisecond)
	}
	ns, runs := m.together([]Op{op, op})(8)
	if ns < 1e6 || runs < 1 || float64(runs)*ns < 15e6 {
		t.Errorf("%v ns a run, %d runs", ns, runs)
	}
}

// TestChainLimit: the latency of a chain is a limit for long messages only, and for one at a time that is encrypted.
func TestChainLimit(t *testing.T) {
	xmm := limits.Width{Name: "xmm", Bytes: 16}
	rates := limits.Rates{List: []limits.Rate{
		{Kind: "aes", Width: xmm, Cycles: 0.5}, {Kind: "aes chain", Width: xmm, Cycles: 4}}}
	const chain, ports = 2.5, 0.3125 // cycles a byte of ten rounds
	for _, c := range []struct {
		algorithm   string
		direction   string
		batch, size int
		want        float64 // 0 is none
	}{
		{"cbc(aes)", result.Encrypt, 1, chainFrom, chain},
		{"cbc(aes)", result.Encrypt, 1, 64, 0},
		{"cbc(aes)", result.Encrypt, 8, 64, ports},
		{"cbc(aes)", result.Decrypt, 1, 64, ports},
		{"cbc(aes)", result.Decrypt, 1, chainFrom, ports},
		{"ccm(aes)", result.Encrypt, 1, chainFrom, chain},
		{"ccm(aes)", result.Decrypt, 1, chainFrom, chain},
		{"ccm(aes)", result.Decrypt, 1, 64, 0},
		{"ccm(aes)", result.Decrypt, 8, 64, 2 * ports},
	} {
		s := seriesOf(c.algorithm, 16)
		s.Direction, s.Batch = c.direction, c.batch
		l, ok := s.limit(rates, c.size)
		if ok != (c.want > 0) || ok && l.CyclesPerByte != c.want {
			t.Errorf("%s, %sion, batch of %d, %d bytes: %v, %v; want %v",
				c.algorithm, c.direction, c.batch, c.size, l, ok, c.want)
		}
	}
}

package chacha

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// planned are the implementations that have plans, each in its forms.
var planned = []struct {
	name     string
	impl     impl
	sixteens bool
}{
	{"ssse3", ssse3, false}, {"avx2", avx2, false}, {"avx512", avx512, false},
	{"avx512_ifma", avx512IFMA, false}, {"avx512_ifma, passes of 16", avx512IFMA, true},
}

// TestPlans goes through plans without the code that they are for: every byte is encrypted once and added once, in
// order, and none is added after it has been overwritten, or before it has been written.
func TestPlans(t *testing.T) {
	rng := rand.New(newRand(t))
	lengths := []int{65535, 65536, 65537, 66000, 131071, 200000}
	for n := range 5000 {
		if !testing.Short() || n < 80 || n%64 < 2 || n%23 == 0 {
			lengths = append(lengths, n)
		}
	}
	for _, v := range planned {
		t.Run(v.name, func(t *testing.T) {
			for _, chunk := range []int{64, 128, 1024, 2048, 4096, 65536, maxChunk} {
				c := core{chunk: chunk, impl: v.impl, sixteens: v.sixteens}
				for _, n := range lengths {
					for _, lag := range []int{noLag, lagDst, lagSrc} {
						for _, aad := range []int{0, 13, rng.IntN(400), rng.IntN(5000), rng.IntN(70000)} {
							w := walk{core: &c, rng: rng, text: n, aad: aad, lag: lag}
							if err := w.all(); err != "" {
								t.Fatalf("chunk %d, text %d, additional data %d, lag %d: %s", chunk, n, aad, lag, err)
							}
						}
					}
				}
			}
		})
	}
}

// A walk is a message on its way through a plan.
type walk struct {
	core                   *core
	rng                    *rand.Rand
	text, aad, lag         int
	limit, head            int
	crypted, summed, added int // how far the text, its sum, and that of the additional data are
}

// all goes through a message's plan, and says what is wrong with it.
func (w *walk) all() string {
	r := &rules[w.core.impl]
	w.limit = max(w.core.chunk, r.least)
	var p plan
	p.begin(w.core, w.text, w.aad, w.lag)
	w.head, w.crypted = p.head, p.head
	switch {
	case w.head < 0 || w.head > min(w.text, w.limit, r.whole):
		return fmt.Sprintf("the first call does %d bytes", w.head)
	case w.head < w.text && w.head%BlockSize != 0:
		return fmt.Sprintf("the first call ends inside a block, after %d bytes", w.head)
	case w.lag == noLag && w.head > 16*BlockSize:
		return fmt.Sprintf("the first call overwrites %d bytes, of which there is no copy", w.head)
	}
	steps, left := 0, 0
	for most := 8 + 4*(w.text+w.aad)/w.limit; ; steps++ {
		var s step
		before := *w
		p.next(&s, left)
		err := ""
		if left, err = w.step(&s); err != "" {
			return fmt.Sprintf("step %d, %+v, after %+v: %s", steps, s, before, err)
		}
		if s.last {
			break
		}
		if steps == most {
			return fmt.Sprintf("more than %d steps", most)
		}
	}
	if w.crypted != w.text || w.summed != w.text || w.added != w.aad {
		return fmt.Sprintf("the last step leaves the text at %d, its sum at %d, additional data at %d",
			w.crypted, w.summed, w.added)
	}
	if single := w.core.single(w.text, w.aad) && w.head == w.text; single && steps > 0 {
		return fmt.Sprintf("%d steps after the first, where one is expected to do", steps)
	}
	return ""
}

// step does a step, and says what is wrong with it. left is what assembly might leave of the sum beside the text.
func (w *walk) step(s *step) (left int, err string) {
	text, sum, aad := s.text.to-s.text.from, s.sum.to-s.sum.from, s.aad.to-s.aad.from
	switch {
	case text < 0 || sum < 0 || aad < 0:
		return 0, "less than nothing"
	case text+sum+aad == 0 && !s.last:
		return 0, "nothing"
	case aad > 0 && (s.aad.from != w.added || s.aad.to > w.aad):
		return 0, "additional data is left out or added twice"
	case aad > 0 && s.aad.to < w.aad && (aad%polySize != 0 || sum > 0):
		return 0, "padded where it is not at its end"
	case sum > 0 && s.sum.from != w.summed:
		return 0, "ciphertext is left out or added twice"
	case sum > 0 && (s.sum.to > w.text || w.added+aad < w.aad):
		return 0, "the sum is out of order, or beyond the text"
	case sum%polySize != 0 && !s.last:
		return 0, "padded where the ciphertext is not at its end"
	case text > 0 && (aad > 0 || s.last || s.place != inText):
		return 0, "more than text, and the sum beside it"
	case text == 0 && sum+aad > w.limit:
		return 0, "more than a chunk is added"
	}
	if text > 0 {
		left, err = w.crypt(s)
	} else {
		err = w.alone(s)
	}
	w.added += aad
	w.summed += sum - left
	return left, err
}

// crypt is step where there is text.
func (w *walk) crypt(s *step) (left int, err string) {
	text, sum := s.text.to-s.text.from, s.sum.to-s.sum.from
	switch {
	case s.text.from != w.crypted || s.text.to > w.text:
		return 0, "text is left out or done twice"
	case text > w.limit || s.text.to < w.text && text%BlockSize != 0:
		return 0, "more than a chunk, or it ends inside a block"
	case sum > w.limit+2*rules[w.core.impl].behind:
		return 0, "more than a chunk and what is behind is added"
	case w.lag == noLag && (sum > 0 && s.sum.from < s.text.from || s.sum.to > s.text.to):
		return 0, "adds what is overwritten, or is not read"
	case w.lag == noLag && s.sum.to != s.text.to&^(polySize-1):
		return 0, "overwrites what is not added"
	case w.lag != noLag && sum > 0 && (s.sum.from > s.text.from || s.sum.to > s.text.to):
		return 0, "adds what is not there yet"
	}
	w.crypted = s.text.to
	if w.lag == noLag {
		return 0, ""
	}
	switch most := min(sum, rules[w.core.impl].behind) / polySize; w.rng.IntN(3) {
	case 0:
		left = most * polySize
	case 1:
		left = w.rng.IntN(most+1) * polySize
	}
	return left, ""
}

// alone is step where there is no text.
func (w *walk) alone(s *step) string {
	tail := w.text &^ (polySize - 1)
	switch {
	case s.sum.to == s.sum.from:
	case w.lag != noLag && s.place != inText:
		return "there is no copy"
	case w.lag == lagDst && s.sum.to > w.crypted:
		return "adds what is not written yet"
	case w.lag == noLag && s.place == inText && s.sum.from < w.crypted:
		return "adds what is overwritten"
	case s.place == inKept && s.sum.to > w.head:
		return "adds what was not kept of the beginning"
	case s.place == inTail && s.sum.from < tail:
		return "adds what was not kept of the end"
	}
	return ""
}

// TestLagGrows: a sum follows its text, and does not fall further and further behind.
func TestLagGrows(t *testing.T) {
	for _, v := range planned {
		for _, lag := range []int{lagDst, lagSrc} {
			c := core{chunk: 4096, impl: v.impl, sixteens: v.sixteens}
			var p plan
			p.begin(&c, 1<<20, 0, lag)
			for s := (step{}); !s.last; {
				p.next(&s, 0)
				if behind := p.todo - p.done; behind > c.chunk+rules[v.impl].behind {
					t.Fatalf("%s, lag %d: the sum is %d bytes behind the text at %d", v.name, lag, behind, p.todo)
				}
			}
		}
	}
}

// TestHides: what hides beside a text grows with it, and is what was counted for a pass where it is passes.
func TestHides(t *testing.T) {
	for _, sixteens := range []bool{false, true} {
		for n := 2; n < 10000; n++ {
			if got, less := hides(n, sixteens), hides(n-1, sixteens); got%polySize != 0 || got < less {
				t.Fatalf("%d bytes hide beside %d, and %d beside a byte less", got, n, less)
			}
		}
	}
	for _, c := range []struct {
		blocks     int
		in24, in16 int // blocks that hide beside passes of that many
	}{
		{8, 0, 0}, {9, hidden16, hidden16}, {16, hidden16, hidden16}, {24, hidden24, hidden24},
		{48, 2 * hidden24, 3 * hidden16}, {96, 4 * hidden24, 6 * hidden16},
	} {
		if in24, in16 := hides(c.blocks*BlockSize, false), hides(c.blocks*BlockSize, true); in24 != c.in24*polySize ||
			in16 != c.in16*polySize {
			t.Errorf("%d and %d bytes hide beside %d blocks, want %d and %d blocks", in24, in16, c.blocks, c.in24, c.in16)
		}
	}
}

func TestPlanAllocatesNothing(t *testing.T) {
	c := core{chunk: 1024, impl: avx512IFMA}
	allocs := testing.AllocsPerRun(10, func() {
		var p plan
		p.begin(&c, 100000, 13, lagSrc)
		for s := (step{}); !s.last; {
			p.next(&s, 0)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

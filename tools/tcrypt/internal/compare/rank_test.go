package compare

import (
	"maps"
	"slices"
	"testing"

	"kcrypto/tools/tcrypt/internal/result"
)

func headerOf(priorities map[string]int) *result.Header {
	h := &result.Header{}
	for _, d := range slices.Sorted(maps.Keys(priorities)) {
		h.Drivers = append(h.Drivers, result.Driver{Algorithm: "gcm(aes)", Driver: d, Priority: priorities[d]})
	}
	return h
}

func TestRank(t *testing.T) {
	h := headerOf(map[string]int{"wide": 800, "middle": 600, "old": 400, "plain": 100})
	cells := []result.Cell{
		steady("wide", 64, 30), steady("middle", 64, 20), steady("old", 64, 60), steady("plain", 64, 200),
		steady("wide", 1024, 60), steady("middle", 1024, 40), steady("old", 1024, 120), steady("plain", 1024, 400),
		steady("wide", 4096, 90), steady("middle", 4096, 90), steady("old", 4096, 180), steady("plain", 4096, 90),
	}
	r := RankOf(h, cells)
	var order []string
	for _, x := range r.Ranks {
		order = append(order, x.Driver)
	}
	if want := []string{"middle", "wide", "old", "plain"}; !slices.Equal(order, want) ||
		!slices.Equal(r.Sizes, []int{64, 1024, 4096}) {
		t.Fatalf("order %q of %v, want %q", order, r.Sizes, want)
	}
	// The cube root of 1.5 * 1.5 * 1.
	if b := r.Ranks[1].Behind; b.Median < 1.31 || b.Median > 1.3104 || b.Low > b.Median || b.High < b.Median {
		t.Errorf("wide is behind by %+v", b)
	}
	if got := r.Ranks[3].BySize; len(got) != 3 || got[0].Median < 9.99 || got[0].Median > 10.01 || got[2].Median != 1 {
		t.Errorf("plain by size: %v", got)
	}
	if len(r.Wrong) != 1 || r.Wrong[0].Slower != "wide" || r.Wrong[0].Faster != "middle" || r.Wrong[0].By.Low < 1.3 {
		t.Errorf("wrong: %+v", r.Wrong)
	}
	if got, want := r.Priorities(), map[string]int{"middle": 800, "wide": 600}; !maps.Equal(got, want) {
		t.Errorf("priorities %v, want %v", got, want)
	}
}

// Drivers that the samples cannot distinguish keep their order; the others move past them.
func TestRankUncertain(t *testing.T) {
	h := headerOf(map[string]int{"a": 800, "b": 600, "c": 400})
	noisy := func(driver string, ns ...float64) result.Cell { return cell(driver, 64, ns...) }
	r := RankOf(h, []result.Cell{
		noisy("a", 101, 99, 102, 98, 101, 100), noisy("b", 100, 100, 100, 100, 99, 99),
		noisy("c", 100, 101, 99, 100, 101, 99),
	})
	if len(r.Wrong) != 0 || len(r.Priorities()) != 0 || r.Ranks[0].Driver != "a" || r.Ranks[1].Driver != "b" {
		t.Errorf("%+v", r)
	}
	r = RankOf(h, []result.Cell{
		noisy("a", 101, 99, 102, 98, 101, 100), noisy("b", 100, 100, 100, 100, 99, 99),
		noisy("c", 50, 50.1, 50, 50.1, 50, 50),
	})
	if r.Ranks[0].Driver != "c" || r.Ranks[1].Driver != "a" || len(r.Wrong) != 2 {
		t.Errorf("%+v", r)
	}
}

// Of fewer samples than an interval takes nothing is certain: neither that the order is wrong, nor who is faster.
func TestFewSamples(t *testing.T) {
	cells := []result.Cell{cell("a", 16, 20, 20, 20, 20, 20), cell("b", 16, 10, 10, 10, 10, 10)}
	r := RankOf(headerOf(map[string]int{"a": 800, "b": 600}), cells)
	if len(r.Wrong) > 0 || r.Ranks[0].Driver != "a" || len(r.Priorities()) > 0 || r.Samples != 5 {
		t.Errorf("%+v", r)
	}
	if row := Beside(cells, "a", "b")[0].Rows[0]; row.Faster() != "" || row.Samples != 5 {
		t.Errorf("%+v", row)
	}
}

// An interruption leaves later sizes with fewer samples.
func TestRankInterrupted(t *testing.T) {
	h := headerOf(map[string]int{"a": 800, "b": 600})
	r := RankOf(h, []result.Cell{steady("a", 16, 10), steady("b", 16, 20), cell("a", 64, 10, 10, 10),
		cell("b", 64, 20, 20, 20)})
	if b := r.Ranks[1].Behind; b.Median < 1.999 || b.Low < 1.999 || b.High > 2.001 {
		t.Errorf("%+v", r)
	}
}

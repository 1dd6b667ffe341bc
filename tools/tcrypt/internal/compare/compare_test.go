package compare

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"kcrypto/tools/tcrypt/internal/result"
)

func cell(driver string, size int, ns ...float64) result.Cell {
	c := result.Cell{Conditions: result.Conditions{
		Algorithm: "gcm(aes)", KeyBits: 128, Direction: result.Encrypt, Tag: 16, Threads: 1,
	}, Driver: driver, Size: size}
	for _, x := range ns {
		c.Samples = append(c.Samples, result.Sample{NS: x})
	}
	c.Summarize()
	return c
}

// steady is a cell whose samples differ by little.
func steady(driver string, size int, ns float64) result.Cell {
	return cell(driver, size, ns, ns*1.001, ns*0.999, ns*1.002, ns*0.998, ns)
}

func TestBeside(t *testing.T) {
	cells := []result.Cell{
		steady("x", 64, 20), steady("y", 64, 10), steady("z", 64, 1),
		steady("x", 16, 20), steady("y", 16, 10),
		cell("x", 256, 40, 41, 40, 41, 40, 41), cell("y", 256, 41, 40, 41, 40, 41, 40),
		steady("x", 1024, 100), steady("y", 1024, 400),
		steady("x", 4096, 100), // nobody beside it
	}
	tables := Beside(cells, "x", "y")
	if len(tables) != 1 || len(tables[0].Rows) != 4 {
		t.Fatalf("%+v", tables)
	}
	for i, want := range []struct {
		size   int
		ratio  float64
		faster string
	}{{16, 0.5, "B"}, {64, 0.5, "B"}, {256, 1, ""}, {1024, 4, "A"}} {
		r := tables[0].Rows[i]
		if r.Size != want.size || math.Abs(r.Ratio.Median-want.ratio) > 0.01 || r.Faster() != want.faster {
			t.Errorf("row %d: %+v, want %+v", i, r, want)
		}
	}
	if got := tables[0].Crossings; len(got) != 1 || got[0].Below != 64 || got[0].Above != 1024 || got[0].Faster != "A" ||
		got[0].At < 240 || got[0].At > 260 {
		t.Errorf("crossings %+v", got)
	}
}

func TestRuns(t *testing.T) {
	older := []result.Cell{steady("x", 16, 20), steady("y", 16, 30), steady("x", 64, 40)}
	newer := []result.Cell{steady("y", 16, 15), steady("x", 16, 20), steady("w", 16, 1)}
	other := steady("x", 16, 20)
	other.KeyBits = 256
	tables := Runs(append(older, other), newer)
	var got []string
	for _, t := range tables {
		for _, r := range t.Rows {
			got = append(got, t.A+t.B+r.Faster())
		}
	}
	if want := []string{"xx", "yyB"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	tables = Runs([]result.Cell{steady("x", 16, 20)}, []result.Cell{steady("w", 16, 10)})
	if len(tables) != 1 || tables[0].A != "x" || tables[0].B != "w" {
		t.Errorf("the only drivers of two runs: %+v", tables)
	}
}

// The interval of two runs must agree with the tables of the statistic: with samples of 6 and of 10, 5 and 23 of the
// pairs may be on the wrong side at most (two-sided, 5 %).
func TestApart(t *testing.T) {
	for _, c := range []struct{ n, critical int }{{6, 5}, {9, 17}, {10, 23}, {12, 37}, {20, 127}} {
		var x, y result.Cell
		for i := range c.n {
			place := i / 2
			if i%2 == 1 {
				place = c.n - 1 - place // never like the one before
			}
			x.Samples = append(x.Samples, result.Sample{NS: 1})
			y.Samples = append(y.Samples, result.Sample{NS: math.Exp(float64(place))})
		}
		got := apart(&x, &y)
		if want := math.Exp(float64(c.critical / c.n)); got.Low != want {
			t.Errorf("%d samples: from %v, want %v", c.n, got.Low, want)
		}
	}
}

// Of samples from one distribution, the interval has the true ratio in it in 95 % of cases.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() result.Cell {
		var ns []float64
		for range 10 {
			ns = append(ns, 100+10*r.ExpFloat64()) // mostly fast, slow at times
		}
		return cell("x", 16, ns...)
	}
	const n = 2000
	beside, both := 0, 0
	for range n {
		x, y := draw(), draw()
		if e := apart(&x, &y); e.Low <= 1 && 1 <= e.High {
			both++
		}
		if e := result.Ratio(&x, &y); e.Low <= 1 && 1 <= e.High {
			beside++
		}
	}
	for name, k := range map[string]int{"apart": both, "beside": beside} {
		if share := float64(k) / n; share < 0.94 || share > 0.99 {
			t.Errorf("%s: %.1f %% of the intervals hold the truth", name, 100*share)
		}
	}
}

func TestCrossings(t *testing.T) {
	rows := func(ratios ...float64) []Row {
		var list []Row
		for i, x := range ratios {
			ratio := result.Estimate{Median: x, Low: x * 0.99, High: x * 1.01}
			list = append(list, Row{Samples: 20, Size: 16 << (2 * i), Ratio: ratio})
		}
		return list
	}
	for _, c := range []struct {
		rows []Row
		want []Crossing
	}{
		{rows(2, 2, 2), nil},
		{rows(1, 1, 1), nil},
		{rows(1, 1.001, 2), nil},
		{rows(0.5, 2), []Crossing{{16, 64, 32, "A"}}},
		{rows(0.5, 1, 1, 1.001, 2), []Crossing{{16, 4096, 64, "A"}}},
		{rows(2, 0.5, 2), []Crossing{{16, 64, 32, "B"}, {64, 256, 128, "A"}}},
	} {
		if got := crossings(c.rows); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.rows, got, c.want)
		}
	}
}

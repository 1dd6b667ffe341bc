package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"kcrypto/tools/tcrypt/internal/compare"
	"kcrypto/tools/tcrypt/internal/result"
)

// impls are those of the algorithm that has most, and a driver that registered from elsewhere.
var impls = []string{"vaes_avx512", "vaes_avx2", "aesni_avx", "aesni", "stdlib", "go", "generic", "else<where&"}

// sample is a run with curves that come near each other, and one series each of other kinds: few sizes, no cycles, one
// driver, two drivers of one implementation.
func sample() *result.Run {
	cell := func(algorithm, impl string, size int, gbps float64) result.Cell {
		c := result.Cell{
			Conditions: result.Conditions{Algorithm: algorithm, KeyBits: 256, Direction: result.Encrypt, Threads: 1},
			Driver:     algorithm + "-" + impl, Impl: impl, Size: size,
			Samples: []result.Sample{{NS: float64(size) / gbps, GHz: 3}}, SetKeyNS: 100,
		}
		c.Summarize()
		return c
	}
	run := &result.Run{Header: result.Header{
		Date: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Command: []string{"speed", "<&>"},
		Machine: result.Machine{CPU: "A <CPU> & more", Go: "go1.26", Platform: "linux/amd64"},
	}}
	for size := 16; size <= 1<<20; size *= 4 {
		for i, impl := range impls {
			top := []float64{12, 9, 5.1, 5, 4.95, 4.9, 0.2, 4.93}[i]
			c := cell("gcm(aes)", impl, size, top*float64(size)/float64(size+300))
			c.Limit, c.Share = 0.22, 0.22/c.CyclesPerByte
			run.Cells = append(run.Cells, c)
		}
	}
	run.Cells = append(run.Cells, cell("one", "generic", 100, 1))
	other := cell("two", "generic", 64, 1)
	other.Driver = "two-other"
	run.Cells = append(run.Cells, cell("two", "generic", 64, 2), other)
	bare := cell("bare", "stdlib", 4096, 3)
	bare.CyclesPerByte, bare.GHz = 0, 0
	run.Cells = append(run.Cells, bare)
	return run
}

func svgOf(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := OfRun(run).SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func htmlOf(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := OfRun(run).HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Pictures are whole XML, name every driver, and reach for nothing outside of themselves.
func TestSelfContained(t *testing.T) {
	svg, page := svgOf(t, sample()), htmlOf(t, sample())
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
	outside := regexp.MustCompile(`(?i)<script|<img|<iframe|<object|<embed|` +
		`url\(|@import|\bon[a-z]+=|(src|href)="?[^"#]*//`)
	for name, text := range map[string]string{"picture": svg, "page": page} {
		if bad := outside.FindString(text); bad != "" {
			t.Errorf("the %s has %q in it", name, bad)
		}
		for _, impl := range impls {
			if !strings.Contains(text, ">"+html.EscapeString(impl)+"</text>") {
				t.Errorf("the %s does not name %s", name, impl)
			}
		}
		for _, want := range []string{"hardware limit 13.6", "A &lt;CPU&gt; &amp; more", ">two-other<"} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q", name, want)
			}
		}
	}
	if n := strings.Count(page, "<svg "); n != 2*(2+2+2+1) {
		t.Errorf("the page has %d drawings; want a wide and a narrow one of throughput and cycles, where there are any", n)
	}
}

// Colours must differ from their background: text needs 4.5 to 1, and the curves' names are text in their colours.
func TestContrast(t *testing.T) {
	all := map[string]tint{"ink": ink, "faint": faint, "limit": limit}
	for name, l := range looks {
		all[name] = l.tint
	}
	for name, c := range all {
		if r := contrast(c.light, background.light); r < 4.5 {
			t.Errorf("%s on light has a contrast of %.2f", name, r)
		}
		if r := contrast(c.dark, background.dark); r < 4.5 {
			t.Errorf("%s on dark has a contrast of %.2f", name, r)
		}
	}
}

// contrast is the ratio that WCAG 2.1 defines.
func contrast(a, b string) float64 {
	luminance := func(s string) float64 {
		var c [3]uint8
		if _, err := fmt.Sscanf(s, "#%02X%02X%02X", &c[0], &c[1], &c[2]); err != nil {
			panic(err)
		}
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v := float64(c[i]) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// No two drivers of one algorithm look alike, even without colour.
func TestLooks(t *testing.T) {
	for a, x := range looks {
		for b, y := range looks {
			if a != b && (x.tint == y.tint || slices.Equal(x.dashes, y.dashes) || x.marker == y.marker) {
				t.Errorf("%s and %s look alike", a, b)
			}
			if a != b && signOf(a).sign == signOf(b).sign {
				t.Errorf("%s and %s have the same sign on a terminal", a, b)
			}
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct{ places, want []vg.Length }{
		{[]vg.Length{10, 30, 50}, []vg.Length{10, 30, 50}},
		{[]vg.Length{50, 50}, []vg.Length{45, 55}},
		{[]vg.Length{50, 52, 61}, []vg.Length{44.333, 54.333, 64.333}},
		{[]vg.Length{1, 2}, []vg.Length{0, 10}},
		{[]vg.Length{-5, 99, 99.5}, []vg.Length{0, 90, 100}},
		{[]vg.Length{20, 21, 35, 36}, []vg.Length{13, 23, 33, 43}},
	} {
		got := spread(c.places, 10, 0, 100)
		for i := range got {
			if math.Abs(float64(got[i]-c.want[i])) > 0.01 {
				t.Errorf("spread(%v) = %v, want %v", c.places, got, c.want)
				break
			}
		}
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []plot.Tick) string {
		var all []string
		for _, tick := range ticks {
			if tick.Label != "" {
				all = append(all, tick.Label)
			}
		}
		return strings.Join(all, " ")
	}
	for got, want := range map[string]string{
		labels(sizeTicks{10}.Ticks(16, 1<<20)):   "16 64 256 1 KiB 4 KiB 16 KiB 64 KiB 256 KiB 1 MiB",
		labels(sizeTicks{5}.Ticks(16, 1<<20)):    "16 256 4 KiB 64 KiB 1 MiB",
		labels(sizeTicks{5}.Ticks(512, 8192)):    "1 KiB 4 KiB",
		labels(evenTicks{}.Ticks(0, 14.6)):       "0 2 4 6 8 10 12 14",
		labels(evenTicks{}.Ticks(0, 0.31)):       "0 0.05 0.1 0.15 0.2 0.25 0.3",
		labels(logTicks{}.Ticks(0.2, 11)):        "0.2 0.5 1 2 5 10",
		labels(logTicks{}.Ticks(0.9, 9_000_000)): "1 10 100 1000 10000 100000 1000000",
	} {
		if got != want {
			t.Errorf("ticks %q, want %q", got, want)
		}
	}
}

func TestExponents(t *testing.T) {
	for _, c := range []struct {
		low, high int
		from, to  float64
		parts     int
	}{
		{16, 1 << 20, 4, 20, 4}, {64, 65536, 6, 16, 5}, {1024, 8192, 10, 13, 3}, {100, 100, 6, 10, 4}, {64, 64, 6, 10, 4},
		{1, 100, 0, 8, 4},
	} {
		one := chart{curves: []curve{{name: "go", points: []point{{size: c.low, value: 1}, {size: c.high, value: 1}}}}}
		if from, to, parts := one.exponents(); from != c.from || to != c.to || parts != c.parts {
			t.Errorf("%d to %d bytes: 2^%v to 2^%v in %d parts", c.low, c.high, from, to, parts)
		}
	}
}

// On a terminal the curves keep to its width, and each has its sign and its name.
func TestTerminal(t *testing.T) {
	for _, cells := range result.Series(sample().Cells) {
		for _, width := range []int{40, 80, 200} {
			var b bytes.Buffer
			Terminal(&b, cells, width, false)
			p := &series{cells: cells}
			for _, name := range p.names() {
				if !strings.Contains(b.String(), signOf(name).sign+" "+name) {
					t.Errorf("%s is not named:\n%s", name, &b)
				}
			}
			for line := range strings.Lines(b.String()) {
				if n := len([]rune(line)) - 1; n > width && !strings.Contains(line, p.title()) {
					t.Errorf("a line of %d characters, not %d: %s", n, width, line)
				}
			}
			if strings.Contains(b.String(), "\x1b") {
				t.Error("there is colour where none was wanted")
			}
		}
	}
}

// known gives a cell samples enough for an interval from low to high ns.
func known(c result.Cell, low, high float64) result.Cell {
	c.Samples = make([]result.Sample, result.MinSamples)
	c.Low, c.High = low, high
	return c
}

// Both directions are in one picture, as curves of one colour that are not alike, and in its tables.
func TestBothWays(t *testing.T) {
	run := sample()
	c := run.Cells[0]
	d := c
	d.Direction, d.GBps = result.Decrypt, 2*c.GBps
	other := c
	other.Algorithm, other.Direction = "other", result.Decrypt
	run.Cells = []result.Cell{c, d, other, c}
	a := OfRun(run)
	if len(a.panels) != 3 {
		t.Fatalf("%d panels, want one of both directions and two of one", len(a.panels))
	}
	p := a.panels[0]
	curves := p.charts[0].curves
	if len(curves) != 2 || curves[0].name != "vaes_avx512" || curves[1].name != "vaes_avx512 decrypt" ||
		curves[0].look().tint != curves[1].look().tint || curves[0].decrypt || !curves[1].decrypt {
		t.Errorf("curves %+v", curves)
	}
	if want := "gcm(aes), 256-bit key, encryption and decryption"; p.title != want {
		t.Errorf("title %q, want %q", p.title, want)
	}
	row := p.short.rows[0]
	if len(row) != 3 || row[1].Best || !row[2].Best || len(p.all.rows) != 2 ||
		p.all.rows[1][1].Text != "gcm(aes)-vaes_avx512 decrypt" {
		t.Errorf("tables %+v, %+v", row, p.all.rows)
	}
	one, both := svgOf(t, &result.Run{Header: run.Header, Cells: run.Cells[:1]}),
		svgOf(t, &result.Run{Header: run.Header, Cells: run.Cells[:2]})
	if strings.Count(both, "#0065A8") <= strings.Count(one, "#0065A8") {
		t.Error("the second curve is not drawn")
	}
}

// A point has a bar as long as its interval, upside down where more time is less speed, and none where none is known.
func TestBars(t *testing.T) {
	run := sample()
	c := known(run.Cells[0], run.Cells[0].NS*0.8, run.Cells[0].NS*2)
	s := &series{cells: []result.Cell{c}}
	p := s.panel()
	speed, cycles := p.charts[0].curves[0].points[0], p.charts[1].curves[0].points[0]
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*b }
	if !near(speed.low, speed.value/2) || !near(speed.high, speed.value/0.8) {
		t.Errorf("speed %+v", speed)
	}
	if !near(cycles.low, cycles.value*0.8) || !near(cycles.high, cycles.value*2) {
		t.Errorf("cycles %+v", cycles)
	}
	s.cells[0].Samples = s.cells[0].Samples[1:]
	p = s.panel()
	if p := p.charts[0].curves[0].points[0]; p.low != p.value || p.high != p.value {
		t.Errorf("too few samples: %+v", p)
	}
	without, err := p.charts[0].inner(wide)
	if err != nil {
		t.Fatal(err)
	}
	with, err := (&series{cells: []result.Cell{c}}).panel().charts[0].inner(wide)
	if err != nil || bytes.Equal(with, without) {
		t.Errorf("the bar is not drawn: %v", err)
	}
}

// A page of several panels begins with a row a panel: the fastest at the largest size, and a link.
func TestSummary(t *testing.T) {
	page := htmlOf(t, sample())
	row := `<tr><th scope="row"><a href="#series-1">gcm\(aes\), 256-bit key, encryption</a></th>` +
		`<td>vaes_avx512</td><td>1048576</td><td>12.0</td><td></td></tr>`
	if !regexp.MustCompile(row).MatchString(page) {
		t.Errorf("no %s in the page", row)
	}
	for i := range 4 {
		link, section := fmt.Sprintf(`href="#series-%d"`, i+1), fmt.Sprintf(`<section id="series-%d">`, i+1)
		if strings.Count(page, link) != 1 || strings.Count(page, section) != 1 {
			t.Errorf("link %d goes nowhere, or twice", i+1)
		}
	}
	one := sample()
	one.Cells = one.Cells[:1]
	if strings.Contains(htmlOf(t, one), "<nav") {
		t.Error("a page of one panel has a summary")
	}
}

// Comparisons and rankings are drawn too, with what is drawn said in words.
func TestVersus(t *testing.T) {
	h := &sample().Header
	h.Drivers = []result.Driver{{Algorithm: "gcm(aes)", Driver: "fast", Impl: "vaes_avx512"},
		{Algorithm: "gcm(aes)", Driver: "slow", Impl: "generic"}}
	estimate := result.Estimate{Median: 2, Low: 1.5, High: 3}
	cmp := OfComparison(h, []compare.Table{{
		Conditions: sample().Cells[0].Conditions, A: "fast", B: "slow",
		Rows: []compare.Row{{Size: 64, ANS: 10, BNS: 20, Ratio: estimate, Samples: 20, Wanted: 30}, {Size: 16, ANS: 1, BNS: 2,
			Ratio: estimate, Samples: 1}},
	}}, []string{"A note."})
	one := result.Estimate{Median: 1, Low: 1, High: 1}
	rank := OfRankings(h, []Ranked{{"a title", compare.Ranking{Sizes: []int{64, 16}, Samples: 7, Wanted: 30,
		Ranks: []compare.Rank{
			{Driver: "fast", Priority: 9, Behind: one, BySize: []result.Estimate{one, one}},
			{Driver: "slow", Priority: 1, Behind: estimate, BySize: []result.Estimate{estimate, estimate}}}}}}, nil)
	for name, c := range map[string]struct {
		album *Album
		want  []string
	}{
		"comparison": {cmp, []string{"fast (A) and slow (B)", "alike", "B&#39;s time over A&#39;s", "A note", ">B/A<",
			"interrupted: 20 of 30 samples"}},
		"ranking": {rank, []string{"a title, interrupted: 7 of 30 samples", "fastest", ">vaes_avx512<", ">generic<"}},
	} {
		var svg, page, plot bytes.Buffer
		if err := errors.Join(c.album.SVG(&svg), c.album.HTML(&page)); err != nil {
			t.Fatal(err)
		}
		c.album.Terminal(&plot, 80, false)
		for _, want := range c.want {
			if !strings.Contains(page.String(), want) || !strings.Contains(svg.String(), want) {
				t.Errorf("the %s has no %q", name, want)
			}
		}
		if !strings.Contains(plot.String(), "●") {
			t.Errorf("nothing is drawn of the %s:\n%s", name, &plot)
		}
	}
	points := cmp.panels[0].charts[0].curves[0].points
	if points[0].low != 1.5 || points[0].high != 3 || points[1].low != 2 {
		t.Errorf("intervals %+v", points)
	}
}

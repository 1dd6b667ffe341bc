package limits

import (
	"math"
	"testing"

	"kcrypto/internal/cpu"
)

// TestDerive derives bounds from rates like those of an Emerald Rapids Xeon.
func TestDerive(t *testing.T) {
	xeon := Rates{GHz: 3, List: []Rate{
		{"add", ymm, 0.5}, {"add", zmm, 0.5},
		{"aes", ymm, 0.5}, {"aes", zmm, 1},
		{"schoolbook10", zmm, 10.5}, {"karatsuba10", zmm, 11}, {"schoolbook0", zmm, 5.5},
		{"chacha", zmm, 6},
	}}
	for _, c := range []struct {
		algorithm string
		key       int
		want      float64 // cycles a byte
	}{
		{"ctr(aes)", 16, 10. / 64}, {"ctr(aes)", 24, 12. / 64}, {"ecb(aes)", 32, 14. / 64},
		{"cbc(aes)", 32, 14. / 64}, {"cts(cbc(aes))", 16, 10. / 64},
		{"essiv(cbc(aes),sha256)", 32, 14. / 64},
		{"rfc3686(ctr(aes))", 36, 14. / 64},
		{"xts(aes)", 64, 14. / 64}, {"xts(aes)", 32, 10. / 64},
		{"gcm(aes)", 16, 10.5 / 64}, {"rfc4106(gcm(aes))", 20, 10.5 / 64}, {"rfc4543(gcm(aes))", 36, 5.5 / 64},
		{"ccm(aes)", 16, 20. / 64}, {"rfc4309(ccm(aes))", 35, 28. / 64},
		{"chacha20", 32, 480. / 1024}, {"xchacha12", 32, 288. / 1024}, {"rfc7539(chacha20,poly1305)", 32, 480. / 1024},
	} {
		l, ok := xeon.Of(c.algorithm, c.key)
		if !ok || math.Abs(l.CyclesPerByte-c.want) > 1e-9 {
			t.Errorf("%s, key of %d bytes: %v %v, want %v", c.algorithm, c.key, l, ok, c.want)
		}
	}
	if l, ok := xeon.Of("gcm(aes)", 32); ok {
		t.Errorf("gcm with 14 rounds was not measured, yet its limit is %v", l)
	}
	if l, ok := xeon.Chain("cbc(aes)", 16); ok {
		t.Errorf("a chain that was not measured has the limit %v", l)
	}
	xeon.List = append(xeon.List, Rate{"aes chain", xmm, 3}, Rate{"aes chain", sse, 3.5})
	for name, want := range map[string]float64{"cbc(aes)": 14 * 3. / 16, "cts(cbc(aes))": 14 * 3. / 16, "ctr(aes)": 0,
		"ccm(aes)": 14 * 3. / 16} {
		if l, ok := xeon.Chain(name, 32); ok != (want > 0) || math.Abs(l.CyclesPerByte-want) > 1e-9 {
			t.Errorf("a message of %s has the limit %v, want %v", name, l, want)
		}
	}
	if l, ok := xeon.Of("des", 8); ok {
		t.Errorf("des has the limit %v", l)
	}
	if w := xeon.Widths(); len(w) != 2 || w[0] != ymm {
		t.Errorf("widths %v", w)
	}
}

// TestMeasure looks at what holds on every CPU, not at how fast this one is.
func TestMeasure(t *testing.T) {
	host := cpu.Host()
	r := Measure(host)
	if !host.Has("ssse3") {
		if r.List != nil {
			t.Fatalf("measured without assembly: %v", r.List)
		}
		return
	}
	usable := 0
	for _, l := range loops {
		if len(host.Missing(l.needs)) == 0 {
			usable++
		}
	}
	if len(r.List) != usable || r.GHz <= 0 {
		t.Fatalf("%d rates of %d loops, clock %v GHz", len(r.List), usable, r.GHz)
	}
	for _, x := range r.List {
		if !(x.Cycles > 0) {
			t.Errorf("%s at %s takes %v cycles", x.Kind, x.Width.Name, x.Cycles)
		}
	}
}

// TestMasked measures nothing that a mask took away.
func TestMasked(t *testing.T) {
	f, err := cpu.Host().Mask("avx")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range Measure(f).List {
		if x.Width != sse {
			t.Errorf("measured %s at %s without AVX", x.Kind, x.Width.Name)
		}
	}
}

package main

import (
	"fmt"
	"io"
	"slices"

	"kcrypto/internal/limits"
)

// result is the speed of one driver with one key and message size.
type result struct {
	Algorithm     string  `json:"algorithm"`
	Driver        string  `json:"driver"`
	Impl          string  `json:"impl"`
	KeyBits       int     `json:"key_bits"`
	Direction     string  `json:"direction"` // encrypt or decrypt
	AAD           int     `json:"aad_bytes"`
	Size          int     `json:"size"`                            // bytes of plaintext
	Sector        int     `json:"sector_bytes,omitempty"`          // size is that of one call for sectors of this size
	NS            float64 `json:"ns"`                              // median for a message
	Spread        float64 `json:"spread"`                          // half the distance of the quartiles, over the median
	Rounds        int     `json:"rounds"`                          // that the median is of
	GBps          float64 `json:"gb_per_s"`                        // 10^9 bytes of plaintext
	CyclesPerByte float64 `json:"cycles_per_byte,omitempty"`       // of the core's clock, where it can be measured
	GHz           float64 `json:"core_ghz,omitempty"`              // that clock, while this was measured
	Limit         float64 `json:"limit_cycles_per_byte,omitempty"` // what the hardware allows at best (tcrypt limits)
	Share         float64 `json:"share_of_limit,omitempty"`        // 1 is the limit
	SetKeyNS      float64 `json:"setkey_ns"`
	TimesGo       float64 `json:"times_go,omitempty"` // how much faster than Go's own code, measured beside it
}

// speedReport is the JSON form of the speed command.
type speedReport struct {
	Machine machine  `json:"machine"`
	Results []result `json:"results"`
}

// summarize makes results of samples, the last of which are those of chain.
func summarize(s series, j job, size int, cs []contender, samples [][]float64) []result {
	link, _ := median(samples[len(cs)])
	goIndex := slices.IndexFunc(cs, func(c contender) bool { return c.driver == goName })
	var rs []result
	for i, c := range cs {
		ns, spread := median(samples[i])
		r := result{
			Algorithm: s.info.Algorithm, Driver: c.driver, Impl: c.impl, KeyBits: 8 * s.keySize,
			Direction: "encrypt", AAD: len(j.aad), Size: size, Sector: s.sector,
			NS: ns, Spread: spread, Rounds: len(samples[i]), GBps: float64(size) / ns,
		}
		if s.decrypt {
			r.Direction = "decrypt"
		}
		if cyclesKnown {
			r.GHz = chainCycles / link
			r.CyclesPerByte = ns * r.GHz / float64(size)
		}
		if goIndex >= 0 && i != goIndex {
			r.TimesGo = ratio(samples[goIndex], samples[i])
		}
		rs = append(rs, r)
	}
	return rs
}

// compare holds r against what the machine allows.
func (r *result) compare(rates limits.Rates, s series) {
	if l, ok := rates.Of(s.info.Algorithm, s.keySize); ok && r.CyclesPerByte > 0 {
		r.Limit, r.Share = l.CyclesPerByte, l.CyclesPerByte/r.CyclesPerByte
	}
}

func writeSpeedHead(w io.Writer, m machine) {
	fmt.Fprintln(w, m.headline())
	fmt.Fprintln(w, "One goroutine, buffers in cache. ± is half the distance between the quartiles.")
	if cyclesKnown {
		fmt.Fprintln(w, "Cycles are the core's, by a chain of dependent multiplications timed in between; the limit is")
		fmt.Fprintln(w, "what its ports allow the algorithm at best (tcrypt limits).")
	}
}

// writeResults prints the results of one series as a table.
func writeResults(w io.Writer, rs []result) {
	if len(rs) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s, %d-bit key, %sion", rs[0].Algorithm, rs[0].KeyBits, rs[0].Direction)
	if rs[0].AAD > 0 {
		fmt.Fprintf(w, ", %d bytes of additional data", rs[0].AAD)
	}
	if rs[0].Sector > 0 {
		fmt.Fprintf(w, ", calls for sectors of %d bytes", rs[0].Sector)
	}
	fmt.Fprintln(w)
	hasGo := slices.ContainsFunc(rs, func(r result) bool { return r.TimesGo > 0 })
	heads := []string{">bytes", "driver", ">ns", ">±", ">GB/s", ">cycles/B", ">of limit", ">SetKey ns"}
	if hasGo {
		heads = append(heads, ">x go")
	}
	t := newTable(heads...)
	last := 0
	for _, r := range rs {
		size, setKey, cycles, share := "", "", "-", "-"
		if r.Size != last {
			size, last = fmt.Sprint(r.Size), r.Size
		}
		if r.Size == rs[0].Size { // the key set-up knows no message size
			setKey = number(r.SetKeyNS)
		}
		if r.CyclesPerByte > 0 {
			cycles = number(r.CyclesPerByte)
		}
		if r.Share > 0 {
			share = fmt.Sprintf("%.0f%%", 100*r.Share)
		}
		row := []string{size, r.Driver, number(r.NS), fmt.Sprintf("%.1f%%", 100*r.Spread), number(r.GBps), cycles, share, setKey}
		if hasGo {
			row = append(row, times(r.TimesGo))
		}
		t.add(row...)
	}
	t.write(w)
}

// times prints a ratio, or nothing if there is none.
func times(x float64) string {
	if x == 0 {
		return ""
	}
	return number(x)
}

package main

import (
	"encoding/json"
	"os"
	"runtime"
	"time"

	"kcrypto/internal/cpu"
)

// A results file is what tcrypt speed -o json writes, as far as tcrypt draw reads it: docs/tcrypt.md has the fields.
type results struct {
	Date    time.Time `json:"date"`
	Command []string  `json:"command"`
	Machine machine   `json:"machine"`
	Cells   []cell    `json:"results"`
}

type machine struct {
	CPU      string `json:"cpu"`
	Vendor   string `json:"vendor"`
	Family   int    `json:"family"`
	Model    int    `json:"model"`
	Stepping int    `json:"stepping"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

type cell struct {
	Algorithm string   `json:"algorithm"`
	KeyBits   int      `json:"key_bits"`
	Direction string   `json:"direction"`
	AAD       int      `json:"aad_bytes"`
	Tag       int      `json:"tag_bytes"`
	Threads   int      `json:"threads"`
	Driver    string   `json:"driver"`
	Impl      string   `json:"impl"`
	Size      int      `json:"size"`
	NS        float64  `json:"ns"`
	Low       float64  `json:"ns_low"`
	High      float64  `json:"ns_high"`
	GBps      float64  `json:"gb_per_s"`
	Samples   []sample `json:"samples"` // one, the median: too few for an interval
}

type sample struct {
	NS float64 `json:"ns"`
	N  int     `json:"n"`
}

// cells returns what rows say of each contender.
func (c test) cells(rows []row, impls map[string]string) []cell {
	one := cell{Algorithm: c.alg, KeyBits: 8 * len(c.key), Direction: "encrypt", Threads: 1}
	if c.decrypt {
		one.Direction = "decrypt"
	}
	if c.aead() {
		one.AAD, one.Tag = 16, 16
	}
	var all []cell
	for _, r := range rows {
		for _, name := range order(r) {
			x, ns := one, r.NS[name]
			x.Driver, x.Impl, x.Size = name, name, r.Size
			if impl := impls[name]; impl != "" {
				x.Impl = impl
			}
			x.NS, x.Low, x.High, x.GBps = ns, ns, ns, float64(r.Size)/ns
			x.Samples = []sample{{ns, *rounds}}
			all = append(all, x)
		}
	}
	return all
}

// writeResults writes cells for tcrypt draw.
func writeResults(name string, cells []cell) error {
	f := cpu.InEffect()
	text, err := json.MarshalIndent(results{
		Date: time.Now().UTC().Truncate(time.Second), Command: append([]string{"bench/peers"}, os.Args[1:]...),
		Machine: machine{f.Brand, f.Vendor, f.Family, f.Model, f.Stepping, runtime.Version(),
			runtime.GOOS + "/" + runtime.GOARCH},
		Cells: cells,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}

// Peers measures kcrypto side by side with Go's own crypto and with the C libraries of Debian: intel-ipsec-mb,
// OpenSSL and libgcrypt, in one process, windows of about 50 us in turn. README.md says what to install.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kcrypto"
)

var (
	only    = flag.String("alg", "", "rows, comma-separated, e.g. gcm-128,ctr-256 (all)")
	sizes   = flag.String("sizes", "16,64,256,512,1024,1420,4096,8192,16384,65536,1048576", "message sizes in bytes")
	rounds  = flag.Int("rounds", 60, "windows a contender and size")
	decrypt = flag.Bool("decrypt", false, "time Open and Decrypt")
	ladder  = flag.Bool("ladder", false, "all our drivers, not only the best")
	asJSON  = flag.Bool("json", false, "write JSON")
	save    = flag.String("results", "", "write what tcrypt draw reads to this file, too")
)

// row is the result of one test and size.
type row struct {
	Test   string             `json:"test"`
	Size   int                `json:"size"`
	Driver string             `json:"driver"`
	NS     map[string]float64 `json:"ns"` // a message, by contender
	Best   string             `json:"best_peer"`
	Ratio  float64            `json:"ratio"` // best peer's ns / ours: over 1 means we are faster
}

func tests() []test {
	key := make([]byte, 64)
	for i := range key {
		key[i] = byte(i*7 + 1)
	}
	return []test{
		{"gcm-128", "gcm(aes)", key[:16], *decrypt}, {"gcm-256", "gcm(aes)", key[:32], *decrypt},
		{"ctr-128", "ctr(aes)", key[:16], *decrypt}, {"ctr-256", "ctr(aes)", key[:32], *decrypt},
		{"xts-128", "xts(aes)", key[:32], *decrypt}, {"xts-256", "xts(aes)", key[:64], *decrypt},
		{"cbc-128", "cbc(aes)", key[:16], *decrypt}, {"cbc-256", "cbc(aes)", key[:32], *decrypt},
		{"cts-128", "cts(cbc(aes))", key[:16], *decrypt}, {"cts-256", "cts(cbc(aes))", key[:32], *decrypt},
		{"chacha20", "chacha20", key[:32], *decrypt},
		{"chacha20poly1305", "rfc7539(chacha20,poly1305)", key[:32], *decrypt},
	}
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(2)
	}
}

func run() error {
	var ns []int
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 16 || n > 1<<30 {
			return fmt.Errorf("size %q: want a number of bytes from 16 to 2^30", s)
		}
		ns = append(ns, n)
	}
	var all []row
	var cells []cell
	impls := map[string]string{}
	for _, d := range kcrypto.Drivers() {
		impls[d.Driver] = d.Impl
	}
	for _, c := range tests() {
		if *only != "" && !strings.Contains(","+*only+",", ","+c.name+",") {
			continue
		}
		rows, err := measure(c, ns)
		if err != nil {
			return err
		}
		all = append(all, rows...)
		cells = append(cells, c.cells(rows, impls)...)
		if !*asJSON {
			print(c, rows)
		}
	}
	if len(all) == 0 {
		var names []string
		for _, c := range tests() {
			names = append(names, c.name)
		}
		return fmt.Errorf("no row is named %q; want some of %s", *only, strings.Join(names, ", "))
	}
	if *save != "" {
		if err := writeResults(*save, cells); err != nil {
			return err
		}
	}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(map[string]any{"libraries": versions(), "decrypt": *decrypt, "rows": all})
	}
	fmt.Println(versions())
	return nil
}

// field gathers everybody who has the algorithm, our best driver first.
func field(c test) ([]contender, error) {
	var all []contender
	for _, d := range kcrypto.Drivers(c.alg) {
		if d.SelfTest == "unavailable" || (len(all) > 0 && !*ladder) {
			continue
		}
		x, err := ours(c, d.Driver)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	g, err := goPeer(c)
	if err != nil {
		return nil, err
	}
	if g.run != nil {
		all = append(all, g)
	}
	return append(all, cPeers(c)...), nil
}

func measure(c test, sizes []int) ([]row, error) {
	all, err := field(c)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, n := range sizes {
		all := slices.DeleteFunc(slices.Clone(all), func(x contender) bool { return x.most > 0 && n > x.most })
		m, err := newMessage(c, n, all[0])
		if err != nil {
			return nil, err
		}
		if err := agree(c, m, all); err != nil {
			return nil, err
		}
		ns, err := race(m, all, *rounds)
		if err != nil {
			return nil, err
		}
		rows = append(rows, judge(c, n, all, ns))
	}
	return rows, nil
}

func judge(c test, n int, all []contender, ns []float64) row {
	r := row{Test: c.name, Size: n, Driver: all[0].name, NS: map[string]float64{}}
	best := 0.0
	for i, x := range all {
		r.NS[x.name] = ns[i]
		if !x.ours && (best == 0 || ns[i] < best) {
			best, r.Best = ns[i], x.name
		}
	}
	r.Ratio = best / ns[0]
	return r
}

func print(c test, rows []row) {
	what := "encryption"
	if c.decrypt {
		what = "decryption"
	}
	fmt.Printf("%s %s, ns a message, medians; ours is %s\n", c.name, what, rows[0].Driver)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, cell func(r row) string) {
		fmt.Fprintf(w, "%s\t", name)
		for _, r := range rows {
			fmt.Fprintf(w, "%s\t", cell(r))
		}
		fmt.Fprintln(w)
	}
	line("bytes", func(r row) string { return strconv.Itoa(r.Size) })
	for _, name := range order(rows[0]) {
		line(name, func(r row) string {
			if r.NS[name] == 0 {
				return "-"
			}
			return fmt.Sprintf("%.1f", r.NS[name])
		})
	}
	line("best peer", func(r row) string { return r.Best })
	line("best peer/ours", func(r row) string { return fmt.Sprintf("%.2f", r.Ratio) })
	w.Flush()
	fmt.Println()
}

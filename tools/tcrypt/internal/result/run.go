// Package result is what tcrypt measures, as data: a Run has what every form of output shows, and what a saved run
// is read back into.
package result

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// A Run is one set of measurements on one machine.
type Run struct {
	Header
	Cells []Cell `json:"results"`
}

// Header says where results come from: what they depend on besides the code.
type Header struct {
	Date    time.Time `json:"date"`
	Command []string  `json:"command"` // the arguments that tcrypt was called with
	Machine Machine   `json:"machine"`
	Drivers []Driver  `json:"drivers"` // all of those algorithms that were measured, best first

	Interrupted bool `json:"interrupted,omitempty"` // not all that was asked for was measured
}

// Machine is the hardware, the system and the build.
type Machine struct {
	CPU            string            `json:"cpu"`
	Vendor         string            `json:"vendor,omitempty"`
	Family         int               `json:"family,omitempty"`
	Model          int               `json:"model,omitempty"`
	Stepping       int               `json:"stepping,omitempty"`
	CPUs           int               `json:"logical_cpus"`
	Usable         int               `json:"usable_cpus"` // by this process
	GOMAXPROCS     int               `json:"gomaxprocs"`
	Features       []string          `json:"features"`               // in effect
	FeaturesOff    map[string]string `json:"features_off,omitempty"` // why the others are not
	Virtualisation string            `json:"virtualisation,omitempty"`
	Governor       string            `json:"governor,omitempty"`
	Go             string            `json:"go"`
	Platform       string            `json:"platform"` // GOOS/GOARCH
	Build          []string          `json:"build,omitempty"`
	Commit         string            `json:"commit"` // of kcrypto
	KCRYPTO        string            `json:"kcrypto"`
	GODEBUG        string            `json:"godebug"`
}

// Driver is how a driver stood when the run began.
type Driver struct {
	Algorithm string `json:"algorithm"`
	Driver    string `json:"driver"`
	Impl      string `json:"impl"`
	Priority  int    `json:"priority"`
	SelfTest  string `json:"selftest"`
	Reason    string `json:"reason,omitempty"` // why it failed or is unavailable
}

// Go stands for Go's own code where the name of a driver or an implementation stands otherwise.
const Go = "go"

// A Cell is the speed of one driver under some conditions at one message size.
type Cell struct {
	Conditions
	Driver string `json:"driver"` // or Go
	Impl   string `json:"impl"`
	Size   int    `json:"size"` // bytes of plaintext; with sectors those of the whole call

	NS      float64  `json:"ns"`      // median of the samples: a message's time on one thread
	Low     float64  `json:"ns_low"`  // the median's confidence interval
	High    float64  `json:"ns_high"` // (Confidence)
	Spread  float64  `json:"spread"`  // half the distance of the rounds' quartiles, over their median
	Rounds  int      `json:"rounds"`  // that the samples are medians of, in all
	Samples []Sample `json:"samples"` // the i-th of all cells of one series were taken in the same rounds

	Wanted int `json:"samples_wanted,omitempty"` // how many samples there would be; 0 if these are all

	GBps          float64 `json:"gb_per_s"`                        // 10^9 bytes of plaintext, by all threads
	CyclesPerByte float64 `json:"cycles_per_byte,omitempty"`       // of the core's clock, where it can be measured
	GHz           float64 `json:"core_ghz,omitempty"`              // that clock, while this was measured
	Limit         float64 `json:"limit_cycles_per_byte,omitempty"` // what the hardware allows at best (tcrypt limits)
	Share         float64 `json:"share_of_limit,omitempty"`        // 1 is the limit
	SetKeyNS      float64 `json:"setkey_ns,omitempty"`             // median for a key set-up
	TimesGo       float64 `json:"times_go,omitempty"`              // how much faster than Go's own code, beside it
}

// A Sample is the median of rounds that followed on each other: a block. Rounds of one block are correlated, blocks are
// apart in time and have their messages at other addresses.
type Sample struct {
	NS  float64 `json:"ns"`            // a message's time on one thread
	N   int     `json:"n"`             // messages on each thread
	GHz float64 `json:"ghz,omitempty"` // the core's clock meanwhile, where it can be measured
}

// Series cuts cells, which are in the order in which they were measured, into series.
func Series(cells []Cell) [][]Cell {
	var all [][]Cell
	for i := range cells {
		if i == 0 || cells[i].Conditions != cells[i-1].Conditions {
			all = append(all, nil)
		}
		last := &all[len(all)-1]
		*last = append(*last, cells[i])
	}
	return all
}

// SamplesOf is n, beside how many there would be if that is not 0.
func SamplesOf(n, wanted int) string {
	if wanted == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d of %d", n, wanted)
}

// Partial says how many samples cells, a series, have of those that were wanted, or "" if they have all.
func Partial(cells []Cell) string {
	least, most, wanted := math.MaxInt, 0, 0
	for i := range cells {
		n := len(cells[i].Samples)
		least, most, wanted = min(least, n), max(most, n), max(wanted, cells[i].Wanted)
	}
	switch {
	case wanted == 0:
		return ""
	case least == most:
		return fmt.Sprintf("%d of %d samples", most, wanted)
	}
	return fmt.Sprintf("%d to %d of %d samples", least, most, wanted)
}

// InterruptedNote stands below results that are not all that was asked for.
const InterruptedNote = "Interrupted: not all that was asked for was measured."

// noisyFrom is how wide an interval may be, as a share of what it is around, before figures are called noisy.
const noisyFrom = 0.03

// Notes are what is to be said below results: that some are missing, and that the machine is too noisy for figures that
// are known within these shares of themselves.
func Notes(interrupted bool, within []float64) []string {
	var notes []string
	if interrupted {
		notes = append(notes, InterruptedNote)
	}
	if len(within) == 0 {
		return notes
	}
	if middle := slices.Sorted(slices.Values(within))[len(within)/2]; middle > noisyFrom {
		notes = append(notes, fmt.Sprintf("Noisy: of these figures, half are known to ±%.0f %% at best. End other "+
			"programs, keep to one CPU with --cpu, or give more --time.", 100*middle))
	}
	return notes
}

// Notes are what is to be said below r's results.
func (r *Run) Notes() []string {
	var within []float64
	for i := range r.Cells {
		if r.Cells[i].Known() {
			within = append(within, r.Cells[i].Estimate().Within())
		}
	}
	return Notes(r.Interrupted, within)
}

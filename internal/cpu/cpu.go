// Package cpu knows which instructions this machine can run: single features, and the levels that drivers ask for.
// A level stands for everything under it, and for the operating system's support. Nothing absent can be forced on.
//
// The names, all lower case:
//
//	name         | is there when
//	-------------|----------------------------------------------------------------------------------------------
//	tsc, invtsc  | the time-stamp counter exists; it runs at one rate in every power state
//	sse2 ssse3 sse41 aes pclmulqdq movbe bmi2 adx gfni | the CPU has the instructions
//	avx avx2 vaes vpclmulqdq | the CPU has them and the operating system saves the YMM registers
//	avx512f avx512bw avx512vl avx512dq ifma vbmi | the CPU has them and the system saves ZMM registers and opmasks
//	-------------|----------------------------------------------------------------------------------------------
//	avx512       | avx512f, avx512bw, avx512vl, avx512dq
//	avx512_ifma  | avx512, bmi2, ifma
//	aesni        | aes, ssse3, sse41
//	aesni_avx    | aesni, avx
//	vaes_avx2    | aesni_avx, pclmulqdq, avx2, vaes, vpclmulqdq
//	vaes_avx512  | vaes_avx2, avx512, bmi2
//
// A driver lists several names where one level does not say it all: GCM with AVX needs aesni_avx and pclmulqdq,
// ChaCha20 needs ssse3, avx2 or avx512. Everything else in the table also needs what lies below it: masking ssse3
// takes sse41 and avx with it, masking avx takes avx2, vaes, vpclmulqdq and avx512, and so on upwards.
//
// On architectures other than amd64, and with the build tag purego, the set is empty.
package cpu

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Features is the set of features and levels in effect. It is a value: Mask returns a changed copy.
// The zero value is the empty set of a machine that this package cannot look at.
type Features struct {
	Vendor, Brand           string // "GenuineIntel"; "Intel(R) Xeon(R) Platinum 8581C CPU @ 2.10GHz"
	Family, Model, Stepping int    // with the extended fields added in
	Hypervisor              bool   // this is a guest of a virtual machine

	probed bool         // CPUID was read
	off    [count]cause // why each feature is off for a reason of its own; not set for what only lacks its needs
	has    uint32       // bit i: feature i is in effect; made from off and table by settle
}

// A cause says why a feature is off.
type cause uint8

const (
	present cause = iota
	lacking
	noYMM
	noZMM
	darwin
	byGODEBUG
	byKCRYPTO
)

var causes = [...]string{
	lacking:   "the CPU lacks it",
	noYMM:     "the operating system does not save YMM state",
	noZMM:     "the operating system does not save ZMM state",
	darwin:    "AVX-512 is left off on darwin, where signals do not preserve its state",
	byGODEBUG: "masked by GODEBUG",
	byKCRYPTO: "masked by KCRYPTO",
}

// Host returns the features of this machine, without those that GODEBUG=cpu.NAME=off (or whoever wrote to
// golang.org/x/sys/cpu's variables before the first call) switched off. It is worked out at the first call.
var Host = sync.OnceValue(host)

// settle works out which features are in effect.
func (f *Features) settle() {
	f.probed = true
	f.has = 0
	for i := range count {
		if f.off[i] == present && f.lacks(i) == count {
			f.has |= 1 << i
		}
	}
}

// lacks returns the first of i's needs that is off, or count if none is. All of i's needs have been settled.
func (f *Features) lacks(i feature) feature {
	for _, n := range table[i].needs {
		if f.has>>n&1 == 0 {
			return n
		}
	}
	return count
}

// Has reports whether the feature or level is in effect. An unknown name is not.
func (f Features) Has(name string) bool {
	i, known := byName[name]
	return known && f.has>>i&1 == 1
}

// Missing returns which of needs are not in effect, a level as the single features that it lacks. A name that is
// unknown is returned as it is. Nil means that all are there.
func (f Features) Missing(needs []string) []string {
	var missing []string
	add := func(name string) {
		if !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	var walk func(i feature)
	walk = func(i feature) {
		if f.has>>i&1 == 1 {
			return
		}
		if i < firstLevel {
			add(table[i].name)
			return
		}
		for _, n := range table[i].needs {
			walk(n)
		}
	}
	for _, name := range needs {
		if i, known := byName[name]; known {
			walk(i)
		} else {
			add(name)
		}
	}
	return missing
}

// List returns the names of the features and then the levels in effect, in the order of the package's table.
func (f Features) List() []string {
	var names []string
	for i := range count {
		if f.has>>i&1 == 1 {
			names = append(names, table[i].name)
		}
	}
	return names
}

// Names returns the names of all features and then all levels that this package knows.
func Names() []string {
	names := make([]string, count)
	for i := range count {
		names[i] = table[i].name
	}
	return names
}

// Closure returns the single features that the feature or level needs, all the way down and with itself if it is one.
// An unknown name gives nil.
func Closure(name string) []string {
	i, known := byName[name]
	if !known {
		return nil
	}
	var below [count]bool
	for below[i] = true; ; i-- { // needs stand before what needs them
		for _, n := range table[i].needs {
			below[n] = below[n] || below[i]
		}
		if i == 0 {
			break
		}
	}
	var names []string
	for i := range firstLevel {
		if below[i] {
			names = append(names, table[i].name)
		}
	}
	return names
}

// Why says in a few words why a feature or level is off, or "" if it is in effect.
func (f Features) Why(name string) string {
	i, known := byName[name]
	switch {
	case !known:
		return "there is no such feature"
	case f.has>>i&1 == 1:
		return ""
	case !f.probed:
		return notProbed
	case f.off[i] != present:
		return causes[f.off[i]]
	}
	n := f.lacks(i)
	for f.off[n] == present {
		n = f.lacks(n)
	}
	return "needs " + table[n].name + ": " + causes[f.off[n]]
}

// Reason is a sentence on features that are missing: their names and, if it is not the CPU that lacks them, why they
// are off.
func (f Features) Reason(missing []string) string {
	if !f.probed {
		return notProbed
	}
	var why []string
	names := map[string][]string{}
	for _, name := range missing {
		cause := ""
		if i, known := byName[name]; known {
			cause = f.cause(i)
		}
		if names[cause] == nil {
			why = append(why, cause)
		}
		names[cause] = append(names[cause], name)
	}
	for i, cause := range why {
		why[i] = "lacks " + strings.Join(names[cause], ", ")
		if cause != "" {
			why[i] += ": " + cause
		}
	}
	return strings.Join(why, "; ")
}

// cause says why a feature that is off is not to be had although the CPU may have it: its own cause, or that of the
// feature at the bottom of its needs. It is "" where the CPU is to blame.
func (f *Features) cause(i feature) string {
	for f.off[i] == present && f.lacks(i) != count {
		i = f.lacks(i)
	}
	if f.off[i] == lacking {
		return ""
	}
	return causes[f.off[i]]
}

// maskable is what Mask accepts, and which feature it switches off.
var maskable = []struct {
	name string
	f    feature
}{
	{"aes", aes}, {"pclmulqdq", pclmulqdq}, {"avx", avx}, {"avx2", avx2}, {"vaes", vaes}, {"vpclmulqdq", vpclmulqdq},
	{"avx512", avx512f}, {"bmi2", bmi2}, {"movbe", movbe}, {"ifma", ifma}, {"ssse3", ssse3},
}

// Maskable returns the names that [Features.Mask] accepts.
func Maskable() []string {
	var names []string
	for _, m := range maskable {
		names = append(names, m.name)
	}
	return append(names, "all")
}

// Mask returns f without the named feature and everything that needs it; "all" leaves no instruction beyond what
// the compiler uses. Masking what is not there changes nothing. It is what KCRYPTO=cpu.NAME=off does.
func (f Features) Mask(name string) (Features, error) {
	if name == "all" {
		for i := sse2; i < firstLevel; i++ {
			f.switchOff(i, byKCRYPTO)
		}
		return f, nil
	}
	for _, m := range maskable {
		if m.name == name {
			f.switchOff(m.f, byKCRYPTO)
			return f, nil
		}
	}
	return f, fmt.Errorf("cpu: no feature %q can be masked; the names are %s", name, strings.Join(Maskable(), ", "))
}

// switchOff takes i out of the set; where it was off already, the earlier reason stays.
func (f *Features) switchOff(i feature, why cause) {
	if f.off[i] == present && f.probed {
		f.off[i] = why
		f.settle()
	}
}

// slowZMM lists the Intel family 6 models that lower their clock while 512-bit registers are in use: Skylake-X (with
// Cascade and Cooper Lake), Ice Lake and Tiger Lake in all forms. It is the list behind Linux's PREFER_YMM flag.
var slowZMM = []int{0x55, 0x6a, 0x6c, 0x7d, 0x7e, 0x9d, 0x8c, 0x8d}

// PreferYMM reports whether this CPU is one that slows down under 512-bit registers, so that 256-bit code may be the
// better choice for the program as a whole.
func (f Features) PreferYMM() bool {
	return f.Vendor == "GenuineIntel" && f.Family == 6 && slices.Contains(slowZMM, f.Model)
}

package kcrypto

import (
	"slices"
	"strings"

	"kcrypto/internal/cpu"
)

// This file is the one place that says which form of a driver's code serves on which CPU, where the fastest form
// depends on the CPU's model.

// A tuning has a row for each value that registry.Tuning has under its name: the first that fits the CPU is chosen.
type tuning struct {
	name string
	rows []tuningRow
}

type tuningRow struct {
	value string
	cpus  func(cpu.Features) bool
	why   string
}

// tunings is the table.
var tunings = []tuning{
	{"chacha.pass", []tuningRow{
		{"16", twoVectorPorts, "counted, not measured: " +
			"a pass of 24 blocks has 16 in 512-bit registers and 8 in 256-bit ones, " +
			"and takes a third more time than passes of 16 where both go through the same two ports"},
		{"24", anyCPU, "measured on AMD's Zen 4: the 256-bit work finds ports that the 512-bit work leaves empty"},
	}},
	{"chacha.block", []tuningRow{
		{"scalar", zen5, "measured on Zen 5: a chain of vector instructions takes two cycles each there, " +
			"one of additions, XORs and rotations in general registers one"},
		{"vector", anyCPU, "measured on AMD's Zen 4: rows of four words take 12 cycles a round, general registers 15"},
	}},
}

func anyCPU(cpu.Features) bool { return true }

// twoVectorPorts: on all of Intel's CPUs, only two ports take vector instructions, of any width, while 512-bit
// registers are in use.
func twoVectorPorts(f cpu.Features) bool { return f.Vendor == "GenuineIntel" }

// zen5: AMD's family 26.
func zen5(f cpu.Features) bool { return f.Vendor == "AuthenticAMD" && f.Family == 26 }

// tuned is what is chosen for a machine with the features f: what the user forces, else what the table says.
func tuned(f cpu.Features, forced map[string]string) map[string]string {
	chosen := map[string]string{}
	for _, t := range tunings {
		i := slices.IndexFunc(t.rows, func(r tuningRow) bool { return r.cpus(f) })
		chosen[t.name] = t.rows[i].value
		if v := forced[t.name]; v != "" {
			chosen[t.name] = v
		}
	}
	return chosen
}

// checkTuning reports whether tune.name=value can be followed.
func checkTuning(name, value string) error {
	var names []string
	for _, t := range tunings {
		if t.name != name {
			names = append(names, t.name)
			continue
		}
		var values []string
		for _, r := range t.rows {
			values = append(values, r.value)
		}
		_, err := oneOf("tune."+name, value, values...)
		return err
	}
	return configError("tune.%s: nothing of that name is tuned, want one of %s", name, strings.Join(names, ", "))
}

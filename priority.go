package kcrypto

import (
	"slices"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// This file is the one place that holds a priority. The numbers are the Linux kernel's (6.16 to 7.3) where it has
// such a driver: what matters is their order, and that people who know /proc/crypto find what they expect.

// priorities gives each implementation its rank; the highest one that works here serves an algorithm's name.
var priorities = map[string]int{
	"generic":     100,
	"stdlib":      200,
	"ssse3":       300,
	"aesni":       400,
	"aesni_avx":   500,
	"vaes_avx2":   600,
	"avx2":        600,
	"vaes_avx512": 800,
	"avx512":      800,
	"avx512_ifma": 850,
}

// wide lists the implementations that use 512-bit registers.
var wide = []string{"vaes_avx512", "avx512", "avx512_ifma"}

const (
	// stdlibSlow is stdlib's rank where Go's own code does not use the hardware: below generic, since a
	// table-driven AES must not be chosen over a constant-time one.
	stdlibSlow = 50
	// xtsAESNI is one above the other aesni drivers, as in the kernel, where xts(ecb-aes-aesni) ties otherwise.
	xtsAESNI = 401
	// avoidZMM keeps 512-bit drivers listed, tested and reachable by name, and below everything else.
	avoidZMM = 1
)

// priority is the rank of one of this module's drivers on this machine. preferYMM demotes the drivers that use 512-bit
// registers: some CPUs lower their clock for those.
func priority(d *registry.Driver, preferYMM bool) int {
	switch {
	case d.Algorithm == "xts(aes)" && d.Impl == "aesni":
		return xtsAESNI
	case preferYMM && slices.Contains(wide, d.Impl):
		return avoidZMM
	}
	return priorities[d.Impl]
}

// stdlibPriority is the rank of a driver that runs Go's own code, which uses the hardware or does not.
func stdlibPriority(accelerated bool) int {
	if accelerated {
		return priorities["stdlib"]
	}
	return stdlibSlow
}

// preferYMM applies the preferymm setting: on, off, or auto by the CPU's family and model.
func preferYMM(setting string, f cpu.Features) bool {
	switch setting {
	case "on":
		return true
	case "off":
		return false
	}
	return f.PreferYMM()
}

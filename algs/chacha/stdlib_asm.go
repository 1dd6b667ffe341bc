//go:build gc && !purego

package chacha

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// StdlibAccelerated reports whether the stdlib drivers run x/crypto's vector code on this machine, by the same facts
// that x/crypto itself goes by. Where they do not, they are portable Go: constant time as well, but no faster than the
// generic drivers.
func StdlibAccelerated() bool {
	switch runtime.GOARCH {
	case "amd64":
		return cpu.X86.HasSSSE3 && cpu.X86.HasAVX2 && cpu.X86.HasBMI2
	case "arm64", "ppc64", "ppc64le":
		return true
	case "loong64":
		return cpu.Loong64.HasLSX
	case "s390x":
		return cpu.S390X.HasVX
	}
	return false
}

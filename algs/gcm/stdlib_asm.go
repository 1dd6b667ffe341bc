//go:build gc && !purego

package gcm

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// StdlibAccelerated reports whether gcm-aes-stdlib runs crypto/cipher's code for AES and carry-less multiplication
// instructions on this machine, by the same facts that crypto/cipher itself goes by. Where it does not, that driver is
// slow and looks up secrets in tables.
func StdlibAccelerated() bool {
	switch runtime.GOARCH {
	case "amd64":
		return cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3
	case "arm64":
		return cpu.ARM64.HasAES && cpu.ARM64.HasPMULL
	case "ppc64", "ppc64le":
		return true
	case "s390x":
		return cpu.S390X.HasAES && cpu.S390X.HasAESCTR && cpu.S390X.HasGHASH
	}
	return false
}

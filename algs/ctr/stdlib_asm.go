//go:build gc && !purego

package ctr

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// StdlibAccelerated reports whether ctr-aes-stdlib runs crypto/cipher's code for AES instructions on this machine, by
// the facts that crypto/cipher itself goes by. Where it does not, it looks up secrets in tables.
func StdlibAccelerated() bool {
	switch runtime.GOARCH {
	case "amd64":
		return cpu.X86.HasAES && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3
	case "arm64":
		return cpu.ARM64.HasAES
	case "ppc64", "ppc64le":
		return true
	case "s390x":
		return cpu.S390X.HasAES && cpu.S390X.HasAESCBC
	}
	return false
}

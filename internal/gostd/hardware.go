//go:build gc && !purego

package gostd

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// acceleratedGCM goes by the facts of crypto/internal/fips140/aes/gcm.
func acceleratedGCM() bool {
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

// acceleratedCTR goes by the facts of crypto/internal/fips140/aes.
func acceleratedCTR() bool {
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

// acceleratedChaCha20Poly1305 goes by the facts of golang.org/x/crypto/chacha20poly1305 and what it is made of.
func acceleratedChaCha20Poly1305() bool {
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

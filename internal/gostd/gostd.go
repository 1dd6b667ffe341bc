// Package gostd is what the drivers of Go's own code, which is crypto/cipher and golang.org/x/crypto, know of it: where
// it uses the machine's instructions, where it refuses to work, and how it is called.
package gostd

import (
	"crypto/fips140"
	"runtime"

	"kcrypto/registry"
)

// Driver is a driver that runs Go's own code.
type Driver struct {
	registry.Driver

	// Accelerated reports whether the code uses instructions for its purpose on this machine, by the facts that it goes
	// by itself. Where it does not, AES and GHASH are slow and look up secrets in tables, and ChaCha20-Poly1305 is
	// portable Go.
	Accelerated bool
	// AES says that the code uses AES instructions where there are any, whatever this module's settings mask.
	AES bool
}

// GCM describes d as a driver of crypto/cipher's AES-GCM.
func GCM(d registry.Driver) Driver {
	restrict(&d, "crypto/cipher refuses GCM with a nonce of the caller's under GODEBUG=fips140=only", "aesni", "pclmulqdq")
	return Driver{d, acceleratedGCM(), true}
}

// CTR describes d as a driver of crypto/cipher's AES-CTR. That would work under GODEBUG=fips140=only, and stays out by
// the rule for all of them.
func CTR(d registry.Driver) Driver {
	restrict(&d, "the stdlib drivers stay out of GODEBUG=fips140=only, where most of what they call refuses to work",
		"aesni")
	return Driver{d, acceleratedCTR(), true}
}

// CBC describes d as a driver of crypto/cipher's AES-CBC, which goes block by block. For GODEBUG=fips140=only see CTR.
func CBC(d registry.Driver) Driver { return CTR(d) }

// ChaCha20Poly1305 describes d as a driver of golang.org/x/crypto/chacha20poly1305.
func ChaCha20Poly1305(d registry.Driver) Driver {
	restrict(&d, "golang.org/x/crypto/chacha20poly1305 refuses to work under GODEBUG=fips140=only")
	return Driver{d, acceleratedChaCha20Poly1305(), false}
}

// fipsOnly says that the process runs under GODEBUG=fips140=only. It is asked before any function of a program runs:
// within fips140.WithoutEnforcement the answer is another one, which holds there and not for the process, as a driver's
// must.
var fipsOnly = fips140.Enforced()

// restrict gives d the reason why it is unavailable under GODEBUG=fips140=only, and the levels that it needs on amd64,
// so that it does not look up secrets in tables. On other architectures internal/cpu knows no levels.
func restrict(d *registry.Driver, underFIPS string, levels ...string) {
	d.Unavailable = func() string {
		if fipsOnly {
			return underFIPS
		}
		return ""
	}
	if runtime.GOARCH == "amd64" {
		d.Needs = levels
	}
}

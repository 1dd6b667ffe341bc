//go:build !gc || purego

package chacha

// StdlibAccelerated reports whether the stdlib drivers run x/crypto's vector code, which this build leaves out. They
// are portable Go then: constant time as well, but no faster than the generic drivers.
func StdlibAccelerated() bool { return false }

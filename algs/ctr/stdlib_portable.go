//go:build !gc || purego

package ctr

// StdlibAccelerated is false under the purego tag, which crypto/cipher heeds too.
func StdlibAccelerated() bool { return false }

//go:build !gc || purego

package gcm

// StdlibAccelerated reports whether gcm-aes-stdlib runs crypto/cipher's code for AES and carry-less multiplication
// instructions, which this build leaves out. That driver is slow then and looks up secrets in tables.
func StdlibAccelerated() bool { return false }

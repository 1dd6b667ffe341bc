//go:build !amd64 || purego

package chacha

import "kcrypto/registry"

// asmDrivers is empty: this build has no assembly.
func asmDrivers() []registry.Driver { return nil }

// xor is xorPortable.
func (c *core) xor(dst, src, iv []byte, block uint64) { c.xorPortable(dst, src, iv, block) }

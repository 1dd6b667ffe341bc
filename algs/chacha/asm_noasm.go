//go:build !amd64 || purego

package chacha

import "kcrypto/registry"

// asmDrivers is empty: this build has no assembly.
func asmDrivers() []registry.Driver { return nil }

func (c *core) xorAsm(dst, src []byte, st *state) bool { return false }

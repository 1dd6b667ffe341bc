//go:build !amd64 || purego

package ccm

import "kcrypto/registry"

// asmDrivers is empty: this build has no assembly.
func asmDrivers() []registry.Driver { return nil }

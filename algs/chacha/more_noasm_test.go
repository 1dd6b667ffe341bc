//go:build !amd64 || purego

package chacha

import "kcrypto/registry"

func moreDrivers() []registry.Driver { return nil }

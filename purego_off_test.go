//go:build !purego

package kcrypto_test

// purego: all assembly, Go's own included, was left out of the build.
const purego = false

//go:build !race

package kcrypto_test

// raceEnabled: the race detector allocates, and slows everything down.
const raceEnabled = false

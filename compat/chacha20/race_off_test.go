//go:build !race

package chacha20_test

const raceEnabled = false

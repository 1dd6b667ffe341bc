//go:build race

package gcm

// raceDetector is whether sync.Pool drops what it is given at random, which the race detector makes it do.
const raceDetector = true

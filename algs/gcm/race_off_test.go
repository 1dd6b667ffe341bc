//go:build !race

package gcm

const raceDetector = false

//go:build !amd64 || purego

package limits

// Without assembly there is nothing to time, and no limit is known.
const perLoop = 0

func chain(int) {}

var loops []loop

//go:build !linux

// Package affinity says on which CPUs this process may run, and restricts it to some.
package affinity

import (
	"errors"
	"runtime"
)

// CPUs is nil: they are not known here.
func CPUs() []int { return nil }

// Pin cannot be had here.
func Pin([]int) error {
	return errors.New("cannot be done on " + runtime.GOOS + "; start tcrypt with what this system has for it")
}

// Package affinity says on which CPUs this process may run, and restricts it to some.
package affinity

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// CPUs lists the numbers of the CPUs that this process may use, or nil if they are not known.
func CPUs() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var list []int
	for i := range len(set) * strconv.IntSize {
		if set.IsSet(i) {
			list = append(list, i)
		}
	}
	return list
}

// Pin has this process run on these CPUs only.
func Pin(cpus []int) error {
	if err := allowed(cpus, CPUs()); err != nil {
		return err
	}
	var set unix.CPUSet
	for _, c := range cpus {
		set.Set(c)
	}
	// A thread that begins meanwhile has the affinity of the one that begins it: the second look finds it.
	for range 2 {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, t := range threads {
			id, err := strconv.Atoi(t.Name())
			if err != nil {
				return err
			}
			if err := unix.SchedSetaffinity(id, &set); err != nil && err != unix.ESRCH { // ESRCH: it has ended
				return fmt.Errorf("thread %d: %w", id, err)
			}
		}
	}
	runtime.GOMAXPROCS(min(runtime.GOMAXPROCS(0), len(cpus)))
	return nil
}

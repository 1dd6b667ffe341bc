package registry

import (
	"bytes"
	"runtime"
	"strconv"
	"sync/atomic"
)

// goroutineID returns the number of the calling goroutine, which no other ever has. It takes microseconds.
func goroutineID() uint64 {
	var trace [64]byte // begins "goroutine 18 [running]:"
	return numberIn(trace[:runtime.Stack(trace[:], false)])
}

var nameless atomic.Uint64

// numberIn returns the number that a stack trace begins with. Should a later Go write its traces in another way (a
// test would tell), every call gets a number of its own, and only self-tests that wait for themselves suffer.
func numberIn(trace []byte) uint64 {
	_, rest, _ := bytes.Cut(trace, []byte("goroutine "))
	number, _, _ := bytes.Cut(rest, []byte(" "))
	id, err := strconv.ParseUint(string(number), 10, 63)
	if err != nil {
		return 1<<63 | nameless.Add(1)
	}
	return id
}

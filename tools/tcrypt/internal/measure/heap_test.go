package measure

import (
	"runtime"
	"testing"
)

var garbage []byte

// Garbage of less than the ballast is collected once at most.
func TestLargeHeap(t *testing.T) {
	largeHeap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 2 * heapSize / 3 / 512 {
		garbage = make([]byte, 512)
	}
	if runtime.ReadMemStats(&after); after.NumGC-before.NumGC > 1 || len(ballast) == 0 {
		t.Errorf("%d collections of %d MB of garbage", after.NumGC-before.NumGC, 2*heapSize/3>>20)
	}
}

package measure

import (
	"os"
	"runtime"
	"sync"
)

// Go's own code allocates in places: a new object for each CTR message, for example. tcrypt's heap is next to nothing,
// so it would be collected every 4 MB, more often than in any server, and in half of the windows: what is measured
// would hang on how busy the machine is with other things. Beside 64 MB that are in use, collections come every 64 MB,
// and few windows meet one.

const heapSize = 64 << 20 // bytes

// ballast is never read or written, so it takes no memory but in the collector's accounts.
var ballast []byte

// largeHeap puts the ballast there. The memory for as much garbage is written to first, as it has been in a program
// that has run for a while: the system's part in giving it takes three times as long as Go's CTR with a short message.
var largeHeap = sync.OnceFunc(func() {
	ballast = make([]byte, heapSize)
	garbage := make([]byte, heapSize)
	for i := 0; i < len(garbage); i += os.Getpagesize() {
		garbage[i] = 1
	}
	runtime.KeepAlive(garbage)
	runtime.GC()
})

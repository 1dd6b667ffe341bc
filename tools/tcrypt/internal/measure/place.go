package measure

import "math/rand/v2"

// A process measures the same thing 1 or 2 % apart from the next one, however long it measures, and at times 20 %,
// because its messages, keys and stack are at other addresses: loads look as if they depended on earlier stores with
// the same low 12 bits, lines share sets of caches, blocks straddle lines. So each block draws other addresses for all
// of these, and intervals over blocks are as wide as processes differ.

const (
	placeUnit  = 64   // of the address of a message: they are at the beginning of lines
	places     = 1024 // so many of these, which is several pages
	neighbours = 8    // an object is one of so many that were allocated after each other
	depths     = 64   // of the stack, in frames
)

// An arena is memory in which n bytes can be at many places.
type arena struct {
	memory []byte
	n      int
}

func newArena(n int) arena { return arena{make([]byte, n+placeUnit*places), n} }

func (a arena) place() []byte {
	i := placeUnit * rand.IntN(places)
	return a.memory[i : i+a.n : i+a.n]
}

// elsewhere runs f on another goroutine, with a stack of another depth, and waits for it.
func elsewhere(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		below(rand.IntN(depths), f)
	}()
	<-done
}

// below runs f under n frames.
//
//go:noinline
func below(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	below(n-1, f)
}

package main

// window remembers which counters came: a sliding window against replay, as RFC 4303 (3.4.3) asks for and in the manner
// of RFC 6479. It has a bit for each counter, in a ring of words. As the highest counter moves on, whole words are
// cleared, and nothing is ever shifted.
type window struct {
	words [windowWords]uint64
	next  uint64 // the highest counter that came, and one; 0 before the first
}

const (
	windowWords = 32
	// windowSize is how far a counter may be behind next. One word of the ring is only partly in use.
	windowSize = (windowWords - 1) * 64
)

// fresh reports whether a packet with this counter may be new. One that is too old to tell is not.
func (w *window) fresh(counter uint64) bool {
	if counter >= w.next {
		return true
	}
	return w.next-counter <= windowSize && w.words[counter/64%windowWords]>>(counter%64)&1 == 0
}

// accept reports the same, and from then on the counter is known. It is for authentic packets only.
func (w *window) accept(counter uint64) bool {
	if !w.fresh(counter) {
		return false
	}
	if counter >= w.next {
		first := (w.next + 63) / 64 // the first word that no counter has come to
		for i := first; i <= counter/64 && i < first+windowWords; i++ {
			w.words[i%windowWords] = 0
		}
		w.next = counter + 1
	}
	w.words[counter/64%windowWords] |= 1 << (counter % 64)
	return true
}

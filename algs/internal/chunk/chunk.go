// Package chunk has the one rule on how long assembly may run without a break.
//
// Go's runtime cannot stop a goroutine inside assembly. A garbage collection that wants to stop all goroutines waits
// for the one that is there, and everybody else waits with it: 64 MiB of AES-GCM in one call are 10 ms and more. So
// drivers with assembly cut long work into chunks and come back to Go code in between, which costs nothing that could
// be measured at 64 KiB.
//
// Coming back is not enough by itself: the runtime stops a goroutine where a Go function begins (in its prologue, which
// compares the stack pointer with a limit that the runtime has moved) or by a signal that happens to arrive in Go
// code. The few instructions of a loop around an assembly function are no likely place for the signal. Therefore the
// loop calls a Go function, and that function calls the assembly:
//
//	func (k *key) xor(dst, src []byte) {
//		for len(src) > k.chunk {
//			k.run(&dst[0], &src[0], k.chunk)
//			dst, src = dst[k.chunk:], src[k.chunk:]
//		}
//		if len(src) > 0 {
//			k.run(&dst[0], &src[0], len(src))
//		}
//	}
//
//	// run has a prologue, because it calls functions. It must not be inlined, which the switch is too big for.
//	func (k *key) run(dst, src *byte, n int) {
//		switch k.impl {
//		case vaesAVX512:
//			xorVAESAVX512(k, dst, src, n)
//		…
//
// The chunk is rounded once, when the key object is made: k.chunk = chunk.Round(config.Chunk, loop). The test
// TestStopTheWorld of the root package measures every driver.
package chunk

// Round returns the largest multiple of loop that is no larger than setting, but at least loop. loop is the number of
// bytes that the widest main loop of the package's assembly handles at once, so that no chunk but a message's last
// leaves it for the slower code behind it.
func Round(setting, loop int) int { return max(setting/loop, 1) * loop }

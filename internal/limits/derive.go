package limits

import (
	"fmt"
	"math"
)

// Limit is the bound of an algorithm on this machine.
type Limit struct {
	CyclesPerByte float64 `json:"cycles_per_byte"`
	Width         Width   `json:"width"` // at which it is lowest
	Why           string  `json:"why"`
}

// bound is the least that an algorithm needs: count times a kind of instruction or mix, the fastest one of kinds. That
// is for one vector or, where lanes is set, for as many blocks of 64 bytes as a vector has 32-bit lanes.
type bound struct {
	kinds []string
	count int
	lanes bool
	chain Chain // of a message whose blocks wait for each other
	links int   // AES rounds of each block in that chain
	why   string
}

// Chain says in which directions each block of a message waits for the one before.
type Chain uint8

// The kinds of chain.
const (
	NoChain    Chain = iota
	Encrypting       // cbc
	BothWays         // ccm, for its CBC-MAC
)

const quarterRounds = 4 // of ChaCha, a round

// boundOf gives the bound of each algorithm, with the key's size in bytes.
func boundOf(algorithm string, keySize int) (bound, bool) {
	rounds := func(aesKey int) int { return aesKey/4 + 6 }
	modes := func(aesKey int) (bound, bool) {
		n := rounds(aesKey)
		return bound{kinds: []string{"aes"}, count: n, why: fmt.Sprintf("%d AES rounds", n)}, true
	}
	gcm := func(aesKey int) (bound, bool) {
		n := rounds(aesKey)
		return ghash(n, fmt.Sprintf("%d AES rounds and GHASH", n)), true
	}
	ccm := func(aesKey int) (bound, bool) {
		n := rounds(aesKey)
		why := fmt.Sprintf("2 x %d AES rounds", n)
		return bound{kinds: []string{"aes"}, count: 2 * n, chain: BothWays, links: n, why: why}, true
	}
	chacha := func(n int) (bound, bool) {
		b := bound{kinds: []string{"chacha"}, count: n * quarterRounds, lanes: true}
		b.why = fmt.Sprintf("%d ChaCha rounds", n)
		return b, true
	}
	switch algorithm {
	case "ctr(aes)", "xctr(aes)", "ecb(aes)":
		return modes(keySize)
	case "cbc(aes)", "cts(cbc(aes))", "essiv(cbc(aes),sha256)": // decryption, and encryption of many messages
		b, ok := modes(keySize)
		b.chain, b.links = Encrypting, b.count
		return b, ok
	case "ccm(aes)":
		return ccm(keySize)
	case "rfc4309(ccm(aes))":
		return ccm(keySize - 3)
	case "rfc3686(ctr(aes))":
		return modes(keySize - 4)
	case "xts(aes)":
		return modes(keySize / 2)
	case "gcm(aes)":
		return gcm(keySize)
	case "rfc4106(gcm(aes))":
		return gcm(keySize - 4)
	case "rfc4543(gcm(aes))":
		return ghash(0, "GHASH"), true
	case "chacha20", "xchacha20", "rfc7539(chacha20,poly1305)", "xchacha20poly1305", "rfc7539esp(chacha20,poly1305)":
		// Poly1305 can run on ports that ChaCha leaves free (scalar multiplications), so it adds nothing to the bound.
		return chacha(20)
	case "xchacha12":
		return chacha(12)
	}
	return bound{}, false
}

// ghash is GHASH beside AES rounds, by either way of multiplying.
func ghash(rounds int, why string) bound {
	kinds := []string{fmt.Sprintf("schoolbook%d", rounds), fmt.Sprintf("karatsuba%d", rounds)}
	return bound{kinds: kinds, count: 1, why: why}
}

// ChainOf says in which directions the blocks of one message of an algorithm wait for each other.
func ChainOf(algorithm string, keySize int) Chain {
	b, _ := boundOf(algorithm, keySize)
	return b.chain
}

// Chain returns the bound of one message of a mode whose blocks wait for each other, as CBC's do when it is encrypted:
// the latency of its rounds, at any width. It is false if algorithm has no such mode, or that was not measured.
func (r Rates) Chain(algorithm string, keySize int) (Limit, bool) {
	b, _ := boundOf(algorithm, keySize)
	if b.chain == NoChain {
		return Limit{}, false
	}
	for _, w := range []Width{xmm, sse} {
		if c, measured := r.Cycles("aes chain", w); measured {
			why := fmt.Sprintf("%d AES rounds, one after the other", b.links)
			return Limit{float64(b.links) * c / float64(w.Bytes), w, why}, true
		}
	}
	return Limit{}, false
}

// Of returns the bound of an algorithm with keys of keySize bytes, at the best width that was measured; false if none
// is known.
func (r Rates) Of(algorithm string, keySize int) (Limit, bool) {
	var best Limit
	for _, w := range []Width{sse, xmm, ymm, zmm} {
		l, ok := r.At(w, algorithm, keySize)
		if ok && (best.CyclesPerByte == 0 || l.CyclesPerByte < best.CyclesPerByte) {
			best = l
		}
	}
	return best, best.CyclesPerByte > 0
}

// At is Of at one width.
func (r Rates) At(w Width, algorithm string, keySize int) (Limit, bool) {
	b, _ := boundOf(algorithm, keySize)
	cycles := math.Inf(1)
	for _, kind := range b.kinds {
		if c, measured := r.Cycles(kind, w); measured {
			cycles = min(cycles, c)
		}
	}
	if math.IsInf(cycles, 1) {
		return Limit{}, false
	}
	bytes := w.Bytes
	if b.lanes {
		bytes = w.Bytes / 4 * 64
	}
	return Limit{float64(b.count) * cycles / float64(bytes), w, b.why}, true
}

// Widths lists the widths that were measured, narrowest first.
func (r Rates) Widths() []Width {
	var list []Width
	for _, w := range []Width{sse, xmm, ymm, zmm} {
		if _, ok := r.Cycles("add", w); ok {
			list = append(list, w)
		}
	}
	return list
}

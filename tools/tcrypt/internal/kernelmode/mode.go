// Package kernelmode knows the modes of the Linux kernel's tcrypt module, its parameters and the form of its lines. It
// measures nothing.
//
// The facts are those of crypto/tcrypt.c in Linux 6.1 to 6.12: what a mode tests or times, with which sizes, keys,
// additional data and directions, and in which order.
package kernelmode

import (
	"slices"
	"strings"
)

// A Mode is what one mode number stands for. It tests or it times.
type Mode struct {
	Number int
	Tests  []string // algorithms, or nil
	Speeds []Speed  // in the kernel's order, or nil
	Style  Style    // of Speeds
	Own    bool     // no mode of the kernel's
	About  string   // what mode 0 tests, which has no list
}

// A Speed is one algorithm in a mode that times.
type Speed struct {
	Algorithm string
	Keys      []int // bytes
	Decrypt   bool
}

// A Style is how a mode calls the transform. Its text is the word that the kernel puts before the algorithm's name.
type Style string

// The styles. All drivers of kcrypto are synchronous, so Sync and Async differ in that word only.
const (
	Plain       Style = ""            // AEADs, one message at a time
	Sync        Style = "sync"        // others, one message at a time, by synchronous drivers
	Async       Style = "async"       // the same, by any driver
	Multibuffer Style = "multibuffer" // several messages at a time
)

// AAD is how many bytes of additional data an AEAD gets with each message. The kernel counts the IV of rfc4106 and
// rfc4543 as additional data too, so it says 16 there.
const AAD = 8

// skcipherSizes and aeadSizes are the messages in bytes, before they are rounded up to whole blocks.
var (
	skcipherSizes = []int{16, 64, 128, 256, 1024, 1420, 4096}
	aeadSizes     = []int{16, 64, 256, 512, 1024, 1420, 4096, 8192}
)

// Sizes returns the message sizes in bytes for an AEAD or another cipher, in whole blocks of blockSize bytes.
func Sizes(aead bool, blockSize int) []int {
	from := skcipherSizes
	if aead {
		from = aeadSizes
	}
	sizes := slices.Clone(from)
	for i, n := range sizes {
		sizes[i] = (n + blockSize - 1) / blockSize * blockSize
	}
	return sizes
}

// AnySkcipher says whether the mode times whatever cipher alg names, if klen says with which key.
func (m Mode) AnySkcipher() bool { return m.Number == 600 }

// Algorithms returns what the mode tests or times, each once.
func (m Mode) Algorithms() []string {
	list := slices.Clone(m.Tests)
	for _, s := range m.Speeds {
		if !slices.Contains(list, s.Algorithm) {
			list = append(list, s.Algorithm)
		}
	}
	return list
}

// Does says in a few words what the mode does.
func (m Mode) Does() string {
	if m.Speeds == nil {
		return "test"
	}
	return strings.TrimSpace("speed " + string(m.Style))
}

// Lookup returns the mode of a number.
func Lookup(number int) (Mode, bool) {
	i, found := slices.BinarySearchFunc(Modes, number, func(m Mode, n int) int { return m.Number - n })
	if !found {
		return Mode{}, false
	}
	return Modes[i], true
}

//go:build !purego

package chacha

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"kcrypto/registry"
)

const (
	below = 16 << 10 // bytes of stack looked at
	own   = 64       // what residue itself has of them at most
	tries = 5        // for once, registers may be there, where the runtime has interrupted the goroutine
)

// left is what the last call of residue found.
type left [below]byte

// deepen makes the stack deeper than below, so that it does not move afterwards, and fills it.
//
//go:noinline
func deepen() byte {
	var area [below + 2048]byte
	for i := range area {
		area[i] = 0x3c
	}
	return area[len(area)-1-int(area[0])]
}

// residue calls f and copies what is then below this function's frame: what f and all it called left there. It calls
// nothing behind f, which would overwrite that.
//
//go:noinline
//go:norace
func residue(l *left, f func()) {
	here := deepen()
	f()
	for i := range l {
		l[i] = *(*byte)(unsafe.Pointer(uintptr(unsafe.Pointer(&here)) - own - below + uintptr(i)))
	}
}

// way is how a call has what it does for Poly1305.
type way struct {
	name     string
	in, sum  []byte
	lag      int
	mac, key bool
}

// TestResidueOfCalls calls assembly twice, and all that differs is secret: the key, Poly1305's key and sum. So
// nothing below may differ.
func TestResidueOfCalls(t *testing.T) {
	rng := newRand(t)
	text, other, dst := random(rng, longest), random(rng, longest), make([]byte, longest)
	ways := []way{
		{name: "stream", in: text},
		{name: "key", in: text, key: true},
		{name: "in place", in: dst, sum: dst, mac: true},
		{name: "sum of what is read", in: text, sum: text, lag: lagSrc, mac: true},
		{name: "key, sum of another text", in: text, sum: other, mac: true, key: true},
	}
	eachImpl(t, func(t *testing.T, impl impl) {
		c := newCore(registry.Config{Chunk: 65536}, impl, 20)
		for n := 1; n < longest; n += 1 + n/30 {
			for _, w := range ways {
				alike(t, w.name, n, func(l *left) {
					copy(dst, text)
					w.call(l, &c, rng, dst[:n], other)
				})
			}
		}
		c.scalar = true
		for n := 1; n <= BlockSize; n++ {
			alike(t, "block", n, func(l *left) { ways[0].call(l, &c, rng, dst[:n], other) })
		}
	})
}

// call makes one call with keys that are random, and a sum that something has been added to.
func (w way) call(l *left, c *core, rng *rand.ChaCha8, dst, before []byte) {
	var m poly1305
	var block [BlockSize]byte
	var iv [16]byte
	n, mc := len(dst), &mac{lag: w.lag}
	c.SetKey(random(rng, 32))
	m.init(random(rng, 32))
	m.blocks(before)
	if w.mac {
		mc.m, mc.text, mc.n = &m, unsafe.SliceData(w.sum), n&^15
	}
	if w.key {
		mc.key = &block
	}
	if !w.mac && !w.key {
		residue(l, func() { c.xor(dst, w.in[:n], iv[:], 0) })
		return
	}
	residue(l, func() { c.call(dst, w.in[:n], &iv[0], 0, mc) })
}

// TestResidueOfOneCall does so with what opens a message in one call, with the right tag, with sumIFMA and with
// sumAVX2. (What is sealed differs with the key, and may be left.)
func TestResidueOfOneCall(t *testing.T) {
	rng := newRand(t)
	text, dst := random(rng, packetMax), make([]byte, packetMax+tagSize)
	aad, nonce := random(rng, packetAAD), random(rng, nonceSize)
	eachImpl(t, func(t *testing.T, impl impl) {
		a := &asmAEAD{newCore(registry.Config{Chunk: 65536}, impl, 20)}
		c := &a.core
		for n := range packetMax + 1 {
			var m poly1305
			var tag [tagSize]byte
			data := aad[:n%packetAAD]
			calls := map[string]func(){}
			if c.suitsShort(n, len(data)) {
				calls["short"] = func() { a.Open(dst[:n], nonce, text[:n], tag[:], data) }
			}
			if c.suitsPacket(n, len(data)) {
				calls["packet"] = func() {
					packetIFMA(c, &dst[0], &text[0], n, &nonce[0], unsafe.SliceData(data), len(data), &tag[0], true)
				}
			}
			if impl == avx512IFMA && n > 0 {
				d, p := unsafe.SliceData(data), unsafe.SliceData(text)
				calls["sum"] = func() { sumIFMA(&m, d, len(data), p, n, nil, 0, 0) }
				calls["sum to the tag"] = func() { sumIFMA(&m, d, len(data), p, n, &tag[0], len(data), n) }
			}
			if impl == avx2 {
				calls["sum"] = func() { c.add(&m, data, text[:n], ending{}) }
				calls["sum to the tag"] = func() { c.add(&m, data, text[:n], ending{&tag[0], len(data), n}) }
			}
			for what, f := range calls {
				alike(t, what, n, func(l *left) {
					c.SetKey(random(rng, 32))
					m.init(random(rng, 32))
					m.blocks(text[:160])
					a.Open(dst[:n], nonce, text[:n], tag[:], data)
					a.Seal(dst[:n+tagSize], nonce, dst[:n], data)
					copy(tag[:], dst[n:])
					residue(l, f)
				})
			}
		}
	})
}

// alike fails if what two calls leave differs.
func alike(t *testing.T, what string, n int, call func(l *left)) {
	t.Helper()
	var a, b left
	for range tries {
		call(&a)
		call(&b)
		if a == b {
			return
		}
	}
	for i := range a {
		if a[i] != b[i] {
			to := min(i+64, below)
			t.Fatalf("%s, %d bytes: %d below, %x and %x are left", what, n, below-i, a[i:to], b[i:to])
		}
	}
}

// TestResidueOfMessages looks for keys, subkeys, keystream, what Poly1305 adds at the end, and plaintext.
func TestResidueOfMessages(t *testing.T) {
	rng := newRand(t)
	in, dst, aad, nonce := random(rng, 9000), make([]byte, 9000), random(rng, 700), random(rng, 32)
	clear(nonce[24:])
	eachImpl(t, func(t *testing.T, impl impl) {
		for _, n := range []int{0, 1, 64, 100, 192, 193, 256, 257, 512, 513, 1024, 1025, 1420, 1500, 3000, 8191} {
			for _, chunk := range []int{64, 192, 2048, 65536} {
				c := newCore(registry.Config{Chunk: chunk}, impl, 20)
				c.SetKey(random(rng, 32))
				a, x, s := &asmAEAD{c}, &asmXAEAD{c}, &xstream{c}
				text, tag := in[:n], in[n:n+tagSize]
				for what, f := range map[string]func(){
					"Seal":            func() { a.Seal(dst[:n+tagSize], nonce[:12], text, aad) },
					"Open":            func() { a.Open(dst[:n], nonce[:12], text, tag, aad[:13]) },
					"Open in place":   func() { a.Open(dst[:n], nonce[:12], dst[:n], tag, aad) },
					"X Seal":          func() { x.Seal(dst[:n+tagSize], nonce[:24], text, aad) },
					"X Open":          func() { x.Open(dst[:n], nonce[:24], text, tag, aad) },
					"X Open in place": func() { x.Open(dst[:n], nonce[:24], dst[:n], tag, aad) },
					"X stream":        func() { s.Encrypt(dst[:n], text, nonce) },
				} {
					var found string
					for range tries {
						copy(dst, text)
						if found = leaves(f, secrets(&c, nonce, text, what)); found == "" {
							break
						}
					}
					if found != "" {
						t.Fatalf("%s, %d bytes, chunk %d: %s", what, n, chunk, found)
					}
				}
			}
		}
	})
}

// leaves says which word of secrets f leaves, or nothing.
func leaves(f func(), secrets []byte) string {
	var l left
	residue(&l, f)
	for i := 0; i < len(secrets); i += 8 {
		if at := bytes.Index(l[:], secrets[i:i+8]); at >= 0 {
			return fmt.Sprintf("byte %d of the secrets is left, %d below", i, below-at)
		}
	}
	return ""
}

// secrets are key, subkey, keystream and plaintext, of a message that is refused what would be that, in whole words
// of 8 bytes. (Of the block for Poly1305's key, r is left out: Go code computes with it too, and puts words where it
// likes.)
func secrets(c *core, nonce, text []byte, what string) []byte {
	var sub core
	var iv [16]byte
	c.derive(&sub, nonce[:16])
	used := sub
	if what[0] == 'X' {
		copy(iv[8:], nonce[16:24])
	} else {
		used = *c
		copy(iv[4:], nonce)
	}
	used.impl = generic
	stream := make([]byte, BlockSize+len(text)+1600)
	used.xorPortable(stream, stream, iv[:], 0)
	plain := text
	if strings.Contains(what, "Open") {
		plain = xored(text, stream[BlockSize:BlockSize+len(text)])
	}
	return slices.Concat(wordsOf(c.key), wordsOf(sub.key), stream[16:len(stream)&^7], plain[:len(plain)&^7])
}

func wordsOf(key [8]uint32) (b []byte) {
	for _, w := range key {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

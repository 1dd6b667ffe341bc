package equiv

import (
	"crypto/cipher"
	"fmt"
	"slices"
	"testing"
)

// AEADs checks that ours behaves as original does, which has the same key.
func AEADs(t *testing.T, original, ours cipher.AEAD) {
	t.Helper()
	if ours.NonceSize() != original.NonceSize() || ours.Overhead() != original.Overhead() {
		t.Fatalf("NonceSize %d, Overhead %d, the original's are %d and %d",
			ours.NonceSize(), ours.Overhead(), original.NonceSize(), original.Overhead())
	}
	p := pair{t, original, ours, original.NonceSize(), original.Overhead()}
	sizes := []int{0, 1, 15, 16, 17, 64, 100, 255, 256, 257, 1420, 4096, 70000}
	if testing.Short() {
		sizes = sizes[:len(sizes)-2]
	}
	for _, n := range sizes {
		for _, aad := range []int{0, 1, 13, 16, 300} {
			p.roundTrip(n, aad)
		}
	}
	p.destinations()
	p.nonceSizes()
	p.forgeries()
	p.overlaps()
}

type pair struct {
	t              *testing.T
	original, ours cipher.AEAD
	nonce, tag     int
}

func (p *pair) both(what string, memory []byte, call func(a cipher.AEAD, m []byte) ([]byte, error)) {
	p.t.Helper()
	both(p.t, what, p.original, p.ours, memory, call)
}

// roundTrip seals and opens n bytes with aad bytes of additional data. Memory is nonce, additional data, text.
func (p *pair) roundTrip(n, aad int) {
	p.t.Helper()
	p.both(fmt.Sprintf("Seal %d bytes, %d of additional data", n, aad), Pattern(p.nonce+aad+n),
		func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Seal(nil, m[:p.nonce], m[p.nonce+aad:], m[p.nonce:][:aad]), nil
		})
	m := Pattern(p.nonce + aad + n)
	sealed := p.original.Seal(nil, m[:p.nonce], m[p.nonce+aad:], m[p.nonce:][:aad])
	p.both(fmt.Sprintf("Open %d bytes, %d of additional data", n, aad), slices.Concat(m[:p.nonce+aad], sealed),
		func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(nil, m[:p.nonce], m[p.nonce+aad:], m[p.nonce:][:aad])
		})
}

// destinations tries every form of dst that programs use.
func (p *pair) destinations() {
	p.t.Helper()
	const n = 100
	size := n + p.tag
	nonce := Pattern(p.nonce)
	sealed := p.original.Seal(nil, nonce, Pattern(n), nonce)
	for name, dst := range map[string]func(m []byte) []byte{
		"nil": func([]byte) []byte { return nil }, "empty": func([]byte) []byte { return []byte{} },
		"in place":            func(m []byte) []byte { return m[:0] },
		"prefix, capacity":    func([]byte) []byte { return append(make([]byte, 0, 500), "prefix"...) },
		"prefix, no capacity": func([]byte) []byte { return []byte("prefix") },
		"in place, capped":    func(m []byte) []byte { return m[: 0 : n-1] },
		"exact capacity":      func([]byte) []byte { return make([]byte, 0, size) },
	} {
		text := append(Pattern(n), make([]byte, p.tag)...)
		p.both("Seal to dst "+name, text, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Seal(dst(m), nonce, m[:n], nonce), nil
		})
		p.both("Open to dst "+name, sealed, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(dst(m), nonce, m, nonce)
		})
	}
	empty := p.original.Seal(nil, nonce, nil, nil)
	p.both("Open without additional data as empty", empty, func(a cipher.AEAD, m []byte) ([]byte, error) {
		return a.Open(nil, nonce, m, []byte{})
	})
}

func (p *pair) nonceSizes() {
	p.t.Helper()
	for _, n := range []int{0, 1, p.nonce - 1, p.nonce + 1, 2 * p.nonce, 64} {
		if n == p.nonce {
			continue
		}
		p.both(fmt.Sprintf("Seal with a nonce of %d bytes", n), Pattern(50), func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Seal(nil, make([]byte, n), m, nil), nil
		})
		p.both(fmt.Sprintf("Open with a nonce of %d bytes", n), Pattern(50), func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(nil, make([]byte, n), m, nil)
		})
	}
}

// forgeries checks that the error is the same, and what it leaves in dst.
func (p *pair) forgeries() {
	p.t.Helper()
	nonce := Pattern(p.nonce)
	for _, n := range []int{0, 1, 16, 100, 1000} {
		sealed := p.original.Seal(nil, nonce, Pattern(n), nonce)
		for _, bit := range []int{0, len(sealed) * 4, len(sealed)*8 - 1} {
			bad := slices.Clone(sealed)
			bad[bit/8] ^= 1 << (bit % 8)
			p.both(fmt.Sprintf("Open of %d bytes with bit %d changed", n, bit), append(bad, make([]byte, n)...),
				func(a cipher.AEAD, m []byte) ([]byte, error) {
					return a.Open(m[len(bad):len(bad)], nonce, m[:len(bad)], nonce)
				})
		}
		p.both("Open with other additional data", sealed, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(nil, nonce, m, []byte("other"))
		})
	}
	for n := range p.tag {
		what := fmt.Sprintf("Open of %d bytes, less than a tag", n)
		p.both(what, Pattern(n), func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(nil, nonce, m, nil)
		})
	}
}

// overlaps checks which ones are refused, and with which messages.
func (p *pair) overlaps() {
	p.t.Helper()
	const n = 64
	nonce, all := Pattern(p.nonce), Pattern(4*n)
	for _, at := range []int{0, 1, n - 1, n, n + 1, 2 * n, 3 * n} {
		what := fmt.Sprintf("the input at 64..128, the output from %d on", at)
		p.both("Seal, "+what, all, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Seal(m[at:at], nonce, m[n:2*n], nil), nil
		})
		p.both("Seal, additional data: "+what, all, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Seal(m[at:at], nonce, nil, m[n:2*n]), nil
		})
		p.both("Open, "+what, all, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(m[at:at], nonce, m[n:2*n], nil)
		})
		p.both("Open, additional data: "+what, all, func(a cipher.AEAD, m []byte) ([]byte, error) {
			return a.Open(m[at:at], nonce, Pattern(n), m[n:2*n])
		})
	}
	p.both("Seal, the nonce in dst", all, func(a cipher.AEAD, m []byte) ([]byte, error) {
		return a.Seal(m[:p.nonce], m[:p.nonce], m[n:2*n], nil), nil
	})
	p.both("Seal, additional data in the prefix of dst", all, func(a cipher.AEAD, m []byte) ([]byte, error) {
		return a.Seal(m[:5], nonce, m[n:2*n-p.tag], m[:5]), nil
	})
}

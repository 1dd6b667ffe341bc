package gcm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"kcrypto/registry"
)

// These tests hold every driver to the generic one, which gcm_test.go holds to the standard. They cover what assembly
// distinguishes: the widest main loop takes 512 bytes at a time, and what is left takes other paths.

// widest is what the widest main loop takes at a time, in bytes.
const widest = 512

// chunks are settings to test with: one that is too small, so that messages are begun, continued and ended in calls of
// their own, and the default.
var chunks = []int{1, registry.DefaultChunk}

// pair is a driver's object and the generic one under the same key.
type pair struct {
	registry.AEAD
	model generic
	what  string
}

// eachPair runs test for every driver but the generic one, key size and chunk.
func eachPair(t *testing.T, test func(t *testing.T, p *pair, rng *rand.ChaCha8)) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		if d.Impl == "generic" {
			t.Skip("this is the model")
		}
		rng := rand.NewChaCha8([32]byte{9})
		for _, size := range d.KeySizes {
			for _, chunk := range chunks {
				secret := randomBytes(rng, size)
				p := &pair{AEAD: d.NewAEAD(registry.Config{Chunk: chunk}), what: fmt.Sprintf("key %x, chunks of %d", secret, chunk)}
				if err := p.SetKey(secret); err != nil {
					t.Fatal(err)
				}
				p.model.SetKey(secret)
				test(t, p, rng)
			}
		}
	})
}

// seal is the model's answer.
func (p *pair) seal(nonce, text, aad []byte, tag int) []byte {
	want := make([]byte, len(text)+tag)
	p.model.Seal(want, nonce, text, aad)
	return want
}

// compare seals and opens random data of these sizes in every way that check knows.
func (p *pair) compare(t *testing.T, rng *rand.ChaCha8, n, nonceSize, aadSize, tag int) {
	t.Helper()
	nonce, text, aad := randomBytes(rng, nonceSize), randomBytes(rng, n), randomBytes(rng, aadSize)
	check(t, p.AEAD, nonce, text, aad, p.seal(nonce, text, aad, tag), fmt.Sprintf(
		"%s, nonce %x, text of %d, additional data of %d, tag of %d bytes", p.what, nonce, n, aadSize, tag))
}

// step is 1, or in a short run prime to all sizes of loops.
func step() int {
	if testing.Short() {
		return 13
	}
	return 1
}

func TestAllLengths(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		for n := 0; n <= 2*widest+64; n += step() {
			p.compare(t, rng, n, nonceSize, n%33, 16)
		}
		for _, border := range []int{3 * widest, 8 * widest, registry.DefaultChunk, 2 * registry.DefaultChunk} {
			for n := border - 17; n <= border+17; n += step() {
				p.compare(t, rng, n, nonceSize, 13, 12)
			}
		}
	})
}

func TestAllAdditionalData(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		for _, n := range []int{0, 1, 15, 16, 17, 255, 256, 257, 1420} {
			for aad := 0; aad <= 300; aad += step() {
				p.compare(t, rng, n, nonceSize, aad, 16)
			}
		}
		for _, aad := range []int{widest - 1, widest, widest + 1, 2*widest + 100, registry.DefaultChunk, registry.DefaultChunk + 1, 3*registry.DefaultChunk + 5} {
			for _, n := range []int{77, 129, 700} {
				p.compare(t, rng, n, nonceSize, aad, 16)
				p.compare(t, rng, n, 16, aad, 4)
			}
		}
	})
}

func TestNonces(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		for size := 1; size <= 300; size += step() {
			p.compare(t, rng, size%70, size, 20, 8)
		}
		for _, size := range []int{widest - 1, widest, widest + 1, registry.DefaultChunk + 9} {
			p.compare(t, rng, 600, size, 20, 16)
		}
	})
}

// TestWrapEverywhere lets the counter wrap before every block of messages of all shapes: whole registers, parts, chunks,
// and all that a loop of 512 bytes can leave behind it.
func TestWrapEverywhere(t *testing.T) {
	eachDriver(t, func(t *testing.T, d *registry.Driver) {
		rng := rand.NewChaCha8([32]byte{10})
		for _, chunk := range chunks {
			secret := randomBytes(rng, 32)
			p := &pair{AEAD: d.NewAEAD(registry.Config{Chunk: chunk})}
			if err := p.SetKey(secret); err != nil {
				t.Fatal(err)
			}
			p.model.SetKey(secret)
			for blocks := 0; blocks <= 3*widest/blockSize+4; blocks += step() {
				nonce := nonceFor(secret, element{rng.Uint64(), (rng.Uint64() | 0xffffffff) - uint64(blocks)})
				for n := 16*blocks + 1; n < 16*blocks+600; n += 61 {
					text := randomBytes(rng, n)
					want := p.seal(nonce, text, nil, 16)
					got := make([]byte, len(want))
					p.Seal(got, nonce, text, nil)
					if !bytes.Equal(got, want) {
						t.Fatalf("counter at 2^32-1-%d, chunks of %d: text of %d bytes is sealed wrong", blocks, chunk, n)
					}
					if !p.Open(got[:n], nonce, got[:n], got[n:], nil) || !bytes.Equal(got[:n], text) {
						t.Fatalf("counter at 2^32-1-%d, chunks of %d: text of %d bytes does not open", blocks, chunk, n)
					}
				}
			}
		}
	})
}

// TestAlignment moves input and output over all places in a register.
func TestAlignment(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair, rng *rand.ChaCha8) {
		const n = 2*widest + 77
		nonce, aad := randomBytes(rng, nonceSize), randomBytes(rng, 21)
		in, out := make([]byte, n+64), make([]byte, n+16+64)
		for i := range 64 {
			text := in[i : i+n]
			rng.Read(text)
			want := p.seal(nonce, text, aad, 16)
			j := i * 37 % 64
			p.Seal(out[j:j+n+16], nonce, text, aad)
			if !bytes.Equal(out[j:j+n+16], want) {
				t.Fatalf("%s: input at %d, output at %d: sealed wrong", p.what, i, j)
			}
		}
	})
}

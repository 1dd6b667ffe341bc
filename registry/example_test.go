package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"kcrypto/registry"
)

// xor is an example of a driver: no cipher at all.
type xor struct{ key []byte }

func (x *xor) SetKey(key []byte) error { x.key = bytes.Clone(key); return nil }
func (x *xor) Wipe()                   { clear(x.key) }
func (x *xor) Encrypt(dst, src, iv []byte) {
	for i := range src {
		dst[i] = src[i] ^ x.key[i%len(x.key)]
	}
}
func (x *xor) Decrypt(dst, src, iv []byte) { x.Encrypt(dst, src, iv) }

func newXOR(registry.Config) registry.Skcipher { return &xor{} }

// A private registry with a self-test of its own and two drivers of one algorithm, one of them broken.
func Example() {
	try := func(_ context.Context, d *registry.Driver) error {
		c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk})
		for _, v := range d.Vectors {
			out := make([]byte, len(v.In))
			c.SetKey(v.Key)
			if c.Encrypt(out, v.In, v.IV); !bytes.Equal(out, v.Out) {
				return errors.New("wrong result on the vector of " + v.Source)
			}
		}
		return nil
	}
	driver := func(name string, priority int, out string) registry.Driver {
		return registry.Driver{
			Algorithm: "xor", Name: name, Module: "example", Priority: priority,
			Type: registry.TypeSkcipher, BlockSize: 1, ChunkSize: 1, KeySizes: []int{1, 2, 3}, NewSkcipher: newXOR,
			Vectors: []registry.Vector{{Source: "this example", Key: []byte{1}, In: []byte("@B"), Out: []byte(out)}},
		}
	}
	r := registry.Options{SelfTest: try}.New()
	if err := r.Register([]registry.Driver{driver("xor-good", 100, "AC"), driver("xor-bad", 200, "XX")}); err != nil {
		fmt.Println(err)
	}

	h, err := r.Acquire("xor", registry.Want{Type: registry.TypeSkcipher})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Release()
	fmt.Println(h.Driver().Name)

	_, err = r.Acquire("xor-bad", registry.Want{Type: registry.TypeSkcipher})
	fmt.Println(errors.Is(err, registry.ErrSelfTest), err)

	e, _ := r.Explain("xor")
	fmt.Println(strings.ReplaceAll(e.Why, "; ", "\n"))
	// Output:
	// xor-good
	// true registry: self-test failed: xor-bad: wrong result on the vector of this example
	// xor-good has the highest priority (100) of the drivers of xor that can run here and passed their self-test
	// passed over: xor-bad (failed: wrong result on the vector of this example)
}

package ctr

import (
	"bytes"
	"errors"
	"testing"

	"kcrypto/registry"
)

// binding is a ctr(aes) whose bound copies know their IV and do not look at the one they are handed.
type binding struct {
	genericCTR
	iv []byte
}

func (b *binding) XORBlocks(dst, src, iv []byte, block uint64) {
	if b.iv != nil {
		iv = b.iv
	}
	b.genericCTR.XORBlocks(dst, src, iv, block)
}

func (b *binding) Bind(iv []byte) (registry.StreamCipher, []byte) {
	return &binding{b.genericCTR, bytes.Clone(iv)}, nil
}

// noStream is an Skcipher and nothing more.
type noStream struct{ registry.Skcipher }

func TestRFC3686OverBinding(t *testing.T) {
	inner := registry.Driver{
		Algorithm: "ctr(aes)", Name: "ctr-aes-binding", Module: "elsewhere", KeySizes: []int{16, 32},
		NewSkcipher: func(registry.Config) registry.Skcipher { return new(binding) },
	}
	template := Templates()[0]
	if err := template.Accepts(&inner); err != nil {
		t.Fatal(err)
	}
	d := template.Build(&inner)
	if d.Name != "rfc3686(ctr-aes-binding)" || d.Module != "elsewhere" || d.IVSize != 8 || d.MaxSize != 16*(1<<32-1) {
		t.Errorf("wrong description %+v", d)
	}
	generic := driver("ctr", "generic", newGenericCTR)
	model := template.Build(&generic)
	key, iv := bytes.Repeat([]byte("key and nonce "), 10)[:d.KeySizes[0]], []byte("8 bytes.")
	made := func(d *registry.Driver) registry.StreamCipher {
		c := d.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(registry.StreamCipher)
		if err := c.SetKey(key); err != nil {
			t.Fatal(err)
		}
		return c
	}
	src := make([]byte, 99)
	want, got := make([]byte, len(src)), make([]byte, len(src))
	made(&model).XORBlocks(want, src, iv, 2)
	c := made(&d)
	if c.XORBlocks(got, src, iv, 2); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
	bound, boundIV := c.Bind(iv)
	if bound.XORBlocks(got, src, boundIV, 2); !bytes.Equal(got, want) {
		t.Errorf("bound: got %x, want %x", got, want)
	}
}

func TestRFC3686Refusals(t *testing.T) {
	template := Templates()[0]
	for _, args := range [][]string{{}, {"ctr(aes)", "sha1"}} {
		if _, err := template.Algorithm(args); !errors.Is(err, registry.ErrNotFound) {
			t.Errorf("arguments %q: %v, want ErrNotFound", args, err)
		}
	}
	if inner, err := template.Algorithm([]string{"ctr-aes-generic"}); inner != "ctr-aes-generic" || err != nil {
		t.Errorf("argument ctr-aes-generic: %q, %v", inner, err)
	}
	for _, d := range []registry.Driver{
		{Algorithm: "xctr(aes)", NewSkcipher: newGenericXCTR},
		{Algorithm: "gcm(aes)", NewAEAD: func(registry.Config) registry.AEAD { return nil }},
		{Algorithm: "ctr(aes)", NewSkcipher: func(registry.Config) registry.Skcipher { return noStream{} }},
	} {
		if err := template.Accepts(&d); !errors.Is(err, registry.ErrType) {
			t.Errorf("over %+v: %v, want ErrType", d, err)
		}
	}
}

package kcrypto_test

import (
	"bytes"
	"reflect"
	"testing"
	"unsafe"

	"kcrypto"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Keystream is as good as the text that it hides: what was used of it, and what is left at the end, is overwritten.

// hidden is a field of bytes that a package does not show.
func hidden(object any, field string) []byte {
	v := reflect.ValueOf(object).Elem().FieldByName(field)
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

// TestStreamWipesKeystream: of a block of keystream a Stream keeps what is not used yet, and nothing after Close.
func TestStreamWipesKeystream(t *testing.T) {
	s := must(kcrypto.NewSkcipher("chacha20", make([]byte, 32)))
	defer s.Close()
	st := must(s.Stream(make([]byte, 16)))
	text := make([]byte, 40)
	st.XORKeyStream(text, text)
	buf := hidden(st, "buf")
	if len(bytes.Trim(buf[:40], "\x00")) > 0 {
		t.Errorf("used keystream is left: %x", buf[:40])
	}
	if len(bytes.Trim(buf[40:], "\x00")) == 0 {
		t.Error("the rest of the block is gone: this test looks at something else")
	}
	st.Close()
	if len(bytes.Trim(hidden(st, "buf"), "\x00")) > 0 {
		t.Error("Close left keystream")
	}
}

// blockKeeper is a stream cipher of ours that remembers where the block lies that it made last. It keeps a number, which
// does not follow a stack that moves: what lies there is read at once.
type blockKeeper struct {
	foreignCTR
	at *uintptr
}

func (k *blockKeeper) XORBlocks(dst, src, iv []byte, block uint64) {
	if k.foreignCTR.XORBlocks(dst, src, iv, block); len(dst) == 16 {
		*k.at = uintptr(unsafe.Pointer(&dst[0]))
	}
}

// TestRandomAccessWipesBlock: a call that begins inside a block makes all of it, on the stack, and wipes it.
func TestRandomAccessWipesBlock(t *testing.T) {
	at := new(uintptr)
	d := foreignCTRDriver("ctr-aes-keeper", 1, func() registry.Skcipher { return &blockKeeper{at: at} })
	r := registry.Options{Drivers: []registry.Driver{d}, Own: ours.Vouch()}.New()
	s := must(kcrypto.NewSkcipher("ctr-aes-keeper", make([]byte, 16), kcrypto.WithRegistry(r)))
	defer s.Close()
	iv, text, keystream := make([]byte, 16), make([]byte, 3), make([]byte, 16)
	if err := s.XORKeyStreamAt(keystream, keystream, iv, 0); err != nil {
		t.Fatal(err)
	}
	*at = 0
	err := s.XORKeyStreamAt(text, text, iv, 5)
	left := *(*[16]byte)(*(*unsafe.Pointer)(unsafe.Pointer(at)))
	if err != nil || *at == 0 {
		t.Fatal(err, "no block was made")
	}
	if bytes.Contains(left[:], keystream[5:9]) {
		t.Errorf("a block of keystream is left on the stack: %x", left)
	}
}

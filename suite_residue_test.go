package kcrypto_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unsafe"

	"kcrypto"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

// Keystream reveals the text that it hides, so used keystream is overwritten, and unused keystream on Close.

// hidden returns the bytes of an unexported field.
func hidden(object any, field string) []byte {
	v := reflect.ValueOf(object).Elem().FieldByName(field)
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return b
}

// TestStreamWipesKeystream: a Stream keeps only the unused part of a block of keystream, and nothing after Close.
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

// left counts the bytes that are not zero in what an object knows of its message: with keystream in it, and with the
// one-time key of Poly1305, under XChaCha even that of the message.
func left(object any) int {
	v := reflect.ValueOf(object).Elem().FieldByName("state")
	n := len(bytes.ReplaceAll(hidden(object, "buffer"), []byte{0}, nil))
	for i := range v.Len() {
		if v.Index(i).Uint() != 0 {
			n++
		}
	}
	return n
}

// TestPiecesWiped: Final, Close and a Final that fails leave nothing of a message.
func TestPiecesWiped(t *testing.T) {
	eachInPieces(t, func(t *testing.T, d registry.Info) {
		l := makeMessages(newRandom(t.Name()), aeadModelOf(t, d.Algorithm), func(s *messageMaker) { s.add(3000, 20) })[0]
		a, m := newAEAD(t, d, l), &l.messages[0]
		s, o := must(a.Sealer(m.nonce, m.aad)), must(a.UnverifiedOpener(m.nonce, m.aad))
		for what, end := range map[string]func(){
			"Final":                 func() { s.Final(nil); o.Final(m.sealed[len(m.text):]) },
			"Close":                 func() { s.Close(); o.Close() },
			"Final of a forged tag": func() { s.Final(nil); o.Final(make([]byte, l.tagSize)) },
			"Final of a short tag":  func() { s.Final(nil); o.Final(nil) },
		} {
			if err := errors.Join(s.Reset(m.nonce, m.aad), o.Reset(m.nonce, m.aad)); err != nil {
				t.Fatal(err)
			}
			s.Seal(nil, m.text[:100])
			must(o.Open(nil, m.sealed[:100]))
			if left(s) < 500 || left(o) < 500 {
				t.Fatalf("%d and %d bytes: this test looks at something else", left(s), left(o))
			}
			end()
			if left(s) > 0 || left(o) > 0 {
				t.Errorf("%s leaves %d and %d bytes", what, left(s), left(o))
			}
			mustPanic(t, "Seal after "+what, "Reset begins another", func() { s.Seal(nil, nil) })
		}
	})
}

// blockKeeper is a stream cipher that records the address of the last block that it made. The address is a number,
// which is not adjusted when the stack moves, so it must be read at once.
type blockKeeper struct {
	foreignCTR
	at *uintptr
}

func (k *blockKeeper) XORBlocks(dst, src, iv []byte, block uint64) {
	if k.foreignCTR.XORBlocks(dst, src, iv, block); len(dst) == 16 {
		*k.at = uintptr(unsafe.Pointer(&dst[0]))
	}
}

// TestRandomAccessWipesBlock: a call that starts inside a block makes the whole block, on the stack, and wipes it.
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

package chacha20

import (
	"bytes"
	"testing"
)

// TestWipes: of keystream a Cipher keeps what is not used yet, and a worker keeps neither key nor keystream.
func TestWipes(t *testing.T) {
	key, text := bytes.Repeat([]byte{0xa5}, KeySize), make([]byte, 20)
	c, err := NewUnauthenticatedCipher(key, make([]byte, NonceSize))
	if err != nil {
		t.Fatal(err)
	}
	c.XORKeyStream(text, text)
	if len(bytes.Trim(c.block[:20], "\x00")) > 0 {
		t.Errorf("used keystream is left: %x", c.block[:20])
	}
	if len(bytes.Trim(c.block[20:], "\x00")) == 0 {
		t.Error("the rest of the block is gone")
	}
	w := workers.Get()
	w.xor(w.block[:], w.block[:], [KeySize]byte(key), [ivSize]byte{}, 0)
	if bytes.Contains(w.key[:], key[:4]) {
		t.Error("a worker keeps the key")
	}
	w.block = [blockSize]byte{}
	workers.Put(w)
	for range 10 { // whichever worker serves
		c.computeBlock(64)
		w := workers.Get()
		if w.block != [blockSize]byte{} || w.key != [KeySize]byte{} {
			t.Errorf("a worker keeps %x, %x", w.block, w.key)
		}
		workers.Put(w)
	}
}

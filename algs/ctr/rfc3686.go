package ctr

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

const (
	nonceSize   = 4              // bytes behind the AES key
	espIVSize   = 8              // bytes in each packet
	espBlocks   = 1<<32 - 1      // the counter is 32 bits and begins with 1
	espMaxBytes = espBlocks * 16 // of one packet
)

// rfc3686 is ctr(aes) as ESP encrypts with it (RFC 3686): the counter block is 4 bytes of nonce, which follow the key,
// the 8 bytes of IV, and a 32-bit big-endian counter from 1.
type rfc3686 struct {
	inner registry.StreamCipher
	nonce [nonceSize]byte
}

// SetKey takes a key of ctr(aes) and 4 bytes of nonce.
func (r *rfc3686) SetKey(key []byte) error {
	n := len(key) - nonceSize
	r.nonce = [nonceSize]byte(key[n:])
	return r.inner.SetKey(key[:n])
}

// Wipe overwrites the key and the nonce.
func (r *rfc3686) Wipe() {
	clear(r.nonce[:])
	r.inner.Wipe()
}

// Encrypt XORs src with the keystream of iv.
func (r *rfc3686) Encrypt(dst, src, iv []byte) { r.XORBlocks(dst, src, iv, 0) }

// Decrypt is Encrypt.
func (r *rfc3686) Decrypt(dst, src, iv []byte) { r.XORBlocks(dst, src, iv, 0) }

// Blocks is where the 32-bit counter would run over.
func (r *rfc3686) Blocks([]byte) uint64 { return espBlocks }

// XORBlocks XORs src with the keystream of iv from a block on.
func (r *rfc3686) XORBlocks(dst, src, iv []byte, block uint64) {
	var counter [blockSize]byte
	r.inner.XORBlocks(dst, src, r.counter(&counter, iv), block)
}

// atOnce is how many requests are handed on in one call.
const atOnce = 16

// EncryptBatch hands batches on to an inner cipher that has them: one of another module must know that they are, since
// what is in them may lie on a caller's stack.
func (r *rfc3686) EncryptBatch(requests []registry.Request) {
	inner, many := r.inner.(registry.BatchSkcipher)
	if !many {
		registry.EncryptEach(r, requests)
		return
	}
	var counters [atOnce][blockSize]byte
	var batch [atOnce]registry.Request
	for len(requests) > 0 {
		n := copy(batch[:], requests)
		for i := range n {
			batch[i].IV = r.counter(&counters[i], batch[i].IV)
		}
		inner.EncryptBatch(noescape.Slice(batch[:n]))
		for i := range n {
			requests[i].Err = batch[i].Err
		}
		requests = requests[n:]
	}
}

// DecryptBatch is EncryptBatch.
func (r *rfc3686) DecryptBatch(requests []registry.Request) { r.EncryptBatch(requests) }

// Bind binds the inner cipher to the packet's first counter block.
func (r *rfc3686) Bind(iv []byte) (registry.StreamCipher, []byte) {
	var counter [blockSize]byte
	return packet{r.inner}.Bind(slices.Clone(r.counter(&counter, iv)))
}

// packet is a ctr(aes) that serves one packet: its IV is a whole counter block.
type packet struct{ registry.StreamCipher }

// Blocks is where the 32-bit counter would run over.
func (packet) Blocks([]byte) uint64 { return espBlocks }

// Bind is that of the inner cipher.
func (p packet) Bind(iv []byte) (registry.StreamCipher, []byte) {
	inner, innerIV := p.StreamCipher.Bind(iv)
	return packet{inner}, innerIV
}

// counter is the first counter block, on the caller's stack.
func (r *rfc3686) counter(b *[blockSize]byte, iv []byte) []byte {
	copy(b[:], r.nonce[:])
	copy(b[nonceSize:], iv)
	binary.BigEndian.PutUint32(b[nonceSize+espIVSize:], 1)
	return noescape.Slice(b[:])
}

func rfc3686Template() registry.Template {
	const name = "rfc3686"
	return registry.Template{
		Name: name,
		Type: registry.TypeSkcipher,
		Algorithm: func(args []string) (string, error) {
			if len(args) != 1 {
				return "", fmt.Errorf("ctr: %w: %s stands on ctr(aes) or on one driver of it, not on %q",
					registry.ErrNotFound, name, args)
			}
			return args[0], nil
		},
		Accepts: func(inner *registry.Driver) error {
			if inner.Algorithm != "ctr(aes)" {
				return fmt.Errorf("ctr: %w: %s stands on ctr(aes), and %s is a driver of %s",
					registry.ErrType, name, inner.Name, inner.Algorithm)
			}
			if _, ok := inner.NewSkcipher(registry.Config{Chunk: registry.DefaultChunk}).(registry.StreamCipher); !ok {
				return fmt.Errorf("ctr: %w: %s needs a StreamCipher, and %s makes none", registry.ErrType, name, inner.Name)
			}
			return nil
		},
		Build: func(inner *registry.Driver) registry.Driver {
			newInner := inner.NewSkcipher
			d := *inner
			d.Algorithm, d.Name = name+"("+inner.Algorithm+")", name+"("+inner.Name+")"
			d.IVSize, d.Vectors = espIVSize, nil
			d.MaxSize = min(cmp.Or(d.MaxSize, espMaxBytes), espMaxBytes)
			d.KeySizes = slices.Clone(inner.KeySizes)
			for i := range d.KeySizes {
				d.KeySizes[i] += nonceSize
			}
			d.NewSkcipher = func(c registry.Config) registry.Skcipher {
				return &rfc3686{inner: newInner(c).(registry.StreamCipher)}
			}
			return d
		},
	}
}

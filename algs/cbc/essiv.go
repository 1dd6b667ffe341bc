package cbc

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"kcrypto/internal/noescape"
	"kcrypto/internal/ours"
	"kcrypto/registry"
)

const (
	hashName = "sha256"
	saltSize = sha256.Size // bytes: an AES-256 key
	atOnce   = 32          // IVs encrypted at a time
)

// zeros are IVs under which CBC of one block is the block cipher itself.
var zeros [atOnce * blockSize]byte

// essiv is cbc(aes) whose IVs are encrypted under the hash of the key, so that nobody else can predict them (C.
// Fruhwirth, "New Methods in Hard Disk Encryption", 2005, section 4.4.1). Its IV is the sector's number, as dm-crypt
// and fscrypt have it.
type essiv struct {
	data, salt registry.Skcipher
	foreign    bool // they are another module's, and get nothing that lies on a stack
}

func newEssiv(newInner constructor, c registry.Config) registry.Skcipher {
	e := &essiv{data: newInner(c), salt: newInner(c)}
	_, e.foreign = e.data.(ours.Guarded)
	return e
}

// SetKey takes a key of cbc(aes). What encrypts the IVs is AES-256, whatever the key's size.
func (e *essiv) SetKey(key []byte) error {
	h := sha256.New()
	h.Write(key)
	salt := h.Sum(make([]byte, 0, saltSize))
	defer clear(salt)
	h.Reset()
	h.Write(zeros[:sha256.BlockSize-1]) // where the key was; the hash has no other way to wipe it
	return errors.Join(e.data.SetKey(key), e.salt.SetKey(salt))
}

// Wipe overwrites the keys.
func (e *essiv) Wipe() {
	e.data.Wipe()
	e.salt.Wipe()
}

// Encrypt encrypts the blocks of src, which are one sector.
func (e *essiv) Encrypt(dst, src, iv []byte) {
	var b [blockSize]byte
	e.data.Encrypt(dst, src, e.encrypted(b[:], iv))
}

// Decrypt is the inverse of Encrypt.
func (e *essiv) Decrypt(dst, src, iv []byte) {
	var b [blockSize]byte
	e.data.Decrypt(dst, src, e.encrypted(b[:], iv))
}

// EncryptUnits encrypts units of size bytes, each as Encrypt does.
func (e *essiv) EncryptUnits(dst, src []byte, size int, ivs []byte) {
	e.units(dst, src, size, ivs, encryptUnits)
}

// DecryptUnits is the inverse of EncryptUnits.
func (e *essiv) DecryptUnits(dst, src []byte, size int, ivs []byte) {
	e.units(dst, src, size, ivs, decryptUnits)
}

func (e *essiv) units(
	dst, src []byte, size int, ivs []byte, crypt func(c registry.Skcipher, dst, src []byte, size int, ivs []byte),
) {
	var b [atOnce * blockSize]byte
	for len(src) > 0 {
		n := min(len(ivs), len(b))
		done := n / blockSize * size
		crypt(e.data, dst[:done], src[:done], size, e.encrypted(b[:n], ivs[:n]))
		dst, src, ivs = dst[done:], src[done:], ivs[n:]
	}
}

// encrypted encrypts ivs into b or, if that must not be a caller's stack, into new memory.
func (e *essiv) encrypted(b, ivs []byte) []byte {
	out := noescape.Slice(b) // a variable of its own, or b would escape
	if e.foreign {
		out = make([]byte, len(ivs))
	}
	copy(out, ivs)
	if len(out) == blockSize {
		e.salt.Encrypt(out, out, zeros[:blockSize])
	} else {
		encryptUnits(e.salt, out, out, blockSize, zeros[:len(out)])
	}
	return out
}

func encryptUnits(c registry.Skcipher, dst, src []byte, size int, ivs []byte) {
	if u, ok := c.(registry.UnitCipher); ok {
		u.EncryptUnits(dst, src, size, ivs)
		return
	}
	for ; len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[blockSize:] {
		c.Encrypt(dst[:size], src[:size], ivs[:blockSize])
	}
}

func decryptUnits(c registry.Skcipher, dst, src []byte, size int, ivs []byte) {
	if u, ok := c.(registry.UnitCipher); ok {
		u.DecryptUnits(dst, src, size, ivs)
		return
	}
	for ; len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[blockSize:] {
		c.Decrypt(dst[:size], src[:size], ivs[:blockSize])
	}
}

// EncryptBatch encrypts each of the requests as Encrypt does.
func (e *essiv) EncryptBatch(requests []registry.Request) {
	e.batch(requests, registry.EncryptAll)
}

// DecryptBatch is the inverse of EncryptBatch.
func (e *essiv) DecryptBatch(requests []registry.Request) {
	e.batch(requests, registry.DecryptAll)
}

func (e *essiv) batch(requests []registry.Request, crypt func(c registry.Skcipher, batch []registry.Request)) {
	var b [atOnce * blockSize]byte
	var batch [atOnce]registry.Request
	for len(requests) > 0 {
		n := copy(batch[:], requests)
		for i := range n {
			copy(b[i*blockSize:], requests[i].IV)
		}
		ivs := e.encrypted(b[:n*blockSize], b[:n*blockSize])
		for i := range n {
			batch[i].IV = ivs[i*blockSize:][:blockSize]
		}
		crypt(e.data, noescape.Slice(batch[:n]))
		for i := range n {
			requests[i].Err = batch[i].Err
		}
		requests = requests[n:]
	}
}

// Templates lists the template of this package.
func Templates() []registry.Template {
	const name = "essiv"
	return []registry.Template{{
		Name: name,
		Type: registry.TypeSkcipher,
		Algorithm: func(args []string) (string, error) {
			if len(args) != 2 || args[1] != hashName {
				return "", fmt.Errorf("cbc: %w: %s stands on cbc(aes), or on one driver of it, and %s, not on %q",
					registry.ErrNotFound, name, hashName, args)
			}
			return args[0], nil
		},
		Accepts: func(inner *registry.Driver) error {
			switch {
			case inner.Algorithm != "cbc(aes)":
				return fmt.Errorf("cbc: %w: %s stands on cbc(aes), and %s is a driver of %s",
					registry.ErrType, name, inner.Name, inner.Algorithm)
			case !slices.Contains(inner.KeySizes, saltSize):
				return fmt.Errorf("cbc: %w: %s encrypts IVs under keys of %d bytes, and %s takes %v",
					registry.ErrType, name, saltSize, inner.Name, inner.KeySizes)
			}
			return nil
		},
		Build: func(inner *registry.Driver) registry.Driver {
			newInner := inner.NewSkcipher
			d := *inner
			d.Algorithm = fmt.Sprintf("%s(%s,%s)", name, inner.Algorithm, hashName)
			d.Name = fmt.Sprintf("%s(%s,%s)", name, inner.Name, hashName)
			d.Vectors = nil
			d.NewSkcipher = func(c registry.Config) registry.Skcipher { return newEssiv(newInner, c) }
			return d
		},
	}}
}

package main

import (
	"crypto/cipher"
	"fmt"
)

// A skcipher is what the transforms of kcrypto and of Go that are no AEAD have in common.
type skcipher interface {
	Encrypt(dst, src, iv []byte) error
	Decrypt(dst, src, iv []byte) error
}

// A sectorCipher is a skcipher that takes many sectors in one call.
type sectorCipher interface {
	EncryptSectors(dst, src []byte, sectorSize int, first uint64) error
	DecryptSectors(dst, src []byte, sectorSize int, first uint64) error
}

// A job is one message, or one run of sectors, to be encrypted, or decrypted, over and over.
type job struct {
	src, dst []byte // dst is as long as the result: with a tag after encryption by an AEAD
	iv, aad  []byte
	sector   int // bytes; 0: one message
	decrypt  bool
}

// do runs the job once with transform t, which is a cipher.AEAD or a skcipher.
func (j *job) do(t any) error {
	if j.sector > 0 {
		return j.sectors(t)(j.dst, j.src, j.sector, firstSector)
	}
	switch t := t.(type) {
	case cipher.AEAD:
		if j.decrypt {
			_, err := t.Open(j.dst[:0], j.iv, j.src, j.aad)
			return err
		}
		t.Seal(j.dst[:0], j.iv, j.src, j.aad)
		return nil
	case skcipher:
		if j.decrypt {
			return t.Decrypt(j.dst, j.src, j.iv)
		}
		return t.Encrypt(j.dst, j.src, j.iv)
	}
	return fmt.Errorf("%T is no transform", t)
}

// op is do as something to time. The loops have nothing in them but the call; what do returned for the same job
// was checked before.
func (j *job) op(t any) op {
	dst, src, iv, aad := j.dst, j.src, j.iv, j.aad
	if a, ok := t.(cipher.AEAD); ok {
		if j.decrypt {
			return func(n int) {
				for range n {
					_, _ = a.Open(dst[:0], iv, src, aad)
				}
			}
		}
		return func(n int) {
			for range n {
				a.Seal(dst[:0], iv, src, aad)
			}
		}
	}
	if j.sector > 0 {
		call, sector := j.sectors(t), j.sector
		return func(n int) {
			for range n {
				_ = call(dst, src, sector, firstSector)
			}
		}
	}
	call := t.(skcipher).Encrypt
	if j.decrypt {
		call = t.(skcipher).Decrypt
	}
	return func(n int) {
		for range n {
			_ = call(dst, src, iv)
		}
	}
}

// sectors is the method of t for a run of sectors.
func (j *job) sectors(t any) func(dst, src []byte, sectorSize int, first uint64) error {
	if j.decrypt {
		return t.(sectorCipher).DecryptSectors
	}
	return t.(sectorCipher).EncryptSectors
}

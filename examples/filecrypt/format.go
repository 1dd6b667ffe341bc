package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

// The format is a header (magic, salt) and then chunks, each a gcm(aes) message of its own, tag last. All chunks but
// the last have chunkSize bytes of text; the last may have fewer, and in an empty file none.
//
// Each file has a key of its own, derived from the user's key and the salt, so that nonces cannot meet across files.
// A chunk's nonce is its number and whether it is the last: that makes a chunk valid in one place only, and a file
// cut at a border of chunks lacks its last one. (The STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár,
// 2015.)
const (
	magic      = "kcfile1\n"
	saltSize   = 32
	headerSize = len(magic) + saltSize
	chunkSize  = 64 << 10
	tagSize    = 16
	keySize    = 32 // AES-256
)

// newAEAD makes the transform for the file with this header.
func newAEAD(key, header []byte) (*kcrypto.AEAD, error) {
	fileKey, err := hkdf.Key(sha256.New, key, header[len(magic):], magic, keySize)
	if err != nil {
		return nil, err
	}
	defer clear(fileKey)
	return kcrypto.NewAEAD("gcm(aes)", fileKey)
}

// nonce is seven zeros, the chunk's number, and 1 in the last byte of the last chunk's.
func nonce(chunk uint32, last bool) []byte {
	n := make([]byte, 12)
	binary.BigEndian.PutUint32(n[7:], chunk)
	if last {
		n[11] = 1
	}
	return n
}

func encrypt(j *job.Job, key []byte) error {
	header := append([]byte(magic), make([]byte, saltSize)...)
	rand.Read(header[len(magic):])
	aead, err := newAEAD(key, header)
	if err != nil {
		return err
	}
	defer aead.Close()
	if err := j.Write(header); err != nil {
		return err
	}
	buf := make([]byte, chunkSize+tagSize)
	for chunk := uint32(0); ; chunk++ {
		n, last, err := j.Next(buf[:chunkSize])
		if err != nil {
			return err
		}
		if err := j.Write(aead.Seal(buf[:0], nonce(chunk, last), buf[:n], header)); err != nil || last {
			return err
		}
		if chunk == math.MaxUint32 {
			return fmt.Errorf("the file is longer than 2^32 chunks of %d bytes", chunkSize)
		}
	}
}

func decrypt(j *job.Job, key []byte) error {
	header := make([]byte, headerSize)
	n, last, err := j.Next(header)
	if err != nil {
		return err
	}
	if n < headerSize || last || !bytes.HasPrefix(header, []byte(magic)) {
		return errors.New("the input is no file that filecrypt made, or its beginning is missing")
	}
	aead, err := newAEAD(key, header)
	if err != nil {
		return err
	}
	defer aead.Close()
	buf := make([]byte, chunkSize+tagSize)
	for chunk := uint32(0); ; chunk++ {
		n, last, err := j.Next(buf)
		if err != nil {
			return err
		}
		text, err := aead.Open(buf[:0], nonce(chunk, last), buf[:n], header)
		if err != nil {
			return fmt.Errorf("the input was changed or cut, or the key is not its key (chunk %d: %w)", chunk, err)
		}
		if err := j.Write(text); err != nil || last {
			return err
		}
	}
}

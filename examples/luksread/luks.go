package main

import (
	"bytes"
	"context"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"

	"kcrypto"
	"kcrypto/examples/internal/job"
)

// The format is that of "LUKS1 On-Disk Format Specification", version 1.2.3, by C. Fruhwirth and others. Numbers are
// big-endian; offsets count sectors.

const (
	sector     = 512 // bytes, whatever the disk below has
	slotInUse  = 0x00ac71f3
	maxStripes = 1 << 14 // what all known programs write is 4000
)

// header begins a LUKS1 volume.
type header struct {
	Magic            [6]byte
	Version          uint16
	Cipher           [32]byte
	Mode             [32]byte
	Hash             [32]byte
	PayloadOffset    uint32
	KeyBytes         uint32
	Digest           [20]byte // of the master key
	DigestSalt       [32]byte
	DigestIterations uint32
	UUID             [40]byte
	Slots            [8]slot
}

// A slot holds the master key under one passphrase.
type slot struct {
	State      uint32
	Iterations uint32
	Salt       [32]byte
	Offset     uint32
	Stripes    uint32
}

var hashes = map[string]func() hash.Hash{"sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

// text is a field of characters, which ends at the first zero.
func text(field [32]byte) string {
	name, _, _ := bytes.Cut(field[:], []byte{0})
	return string(name)
}

func readHeader(r io.ReaderAt) (*header, error) {
	h := new(header)
	if err := binary.Read(io.NewSectionReader(r, 0, int64(binary.Size(h))), binary.BigEndian, h); err != nil {
		return nil, fmt.Errorf("this is no LUKS volume: it ends in its header (%w)", err)
	}
	switch {
	case string(h.Magic[:]) != "LUKS\xba\xbe":
		return nil, errors.New("this is no LUKS volume: it does not begin like one")
	case h.Version != 1:
		return nil, fmt.Errorf("LUKS version %d: this program reads version 1", h.Version)
	case text(h.Cipher) != "aes" || text(h.Mode) != "xts-plain64":
		return nil, fmt.Errorf("encrypted with %s-%s: this program reads aes-xts-plain64", text(h.Cipher), text(h.Mode))
	case hashes[text(h.Hash)] == nil:
		return nil, fmt.Errorf("the hash is %q: this program knows sha1, sha256 and sha512", text(h.Hash))
	case h.KeyBytes != 32 && h.KeyBytes != 64:
		return nil, fmt.Errorf("a key of %d bytes: aes-xts has 32 or 64", h.KeyBytes)
	case int64(h.PayloadOffset)*sector < int64(binary.Size(h)):
		return nil, fmt.Errorf("the first sector is at %d, in the header: this program reads volumes that begin with "+
			"their header, none whose header is kept apart", h.PayloadOffset)
	}
	return h, nil
}

// unlock returns the master key from the first slot that the passphrase opens.
func (h *header) unlock(ctx context.Context, r io.ReaderAt, passphrase string) ([]byte, error) {
	for i, s := range h.Slots {
		if s.State != slotInUse {
			continue
		}
		if s.Stripes == 0 || s.Stripes > maxStripes {
			return nil, fmt.Errorf("key slot %d has %d stripes: want 1 to %d", i, s.Stripes, maxStripes)
		}
		key, err := h.candidate(ctx, r, s, passphrase)
		if err != nil {
			return nil, fmt.Errorf("key slot %d: %w", i, err)
		}
		digest, err := h.derive(ctx, string(key), h.DigestSalt, h.DigestIterations, len(h.Digest))
		if err != nil {
			return nil, err
		}
		if subtle.ConstantTimeCompare(digest, h.Digest[:]) == 1 {
			return key, nil
		}
		clear(key)
	}
	return nil, errors.New("no key slot opens with this passphrase")
}

// derive is PBKDF2. A header may ask for an hour of it.
func (h *header) derive(ctx context.Context, secret string, salt [32]byte, iterations uint32,
	size int) ([]byte, error) {
	if iterations == 0 || iterations > math.MaxInt32 {
		return nil, fmt.Errorf("%d iterations of PBKDF2: want 1 to %d", iterations, math.MaxInt32)
	}
	return job.Await(ctx, func() ([]byte, error) {
		return pbkdf2.Key(hashes[text(h.Hash)], secret, salt[:], int(iterations), size)
	})
}

// candidate is what the slot holds, which is the master key if the passphrase is right. The slot's sectors are
// numbered from 0.
func (h *header) candidate(ctx context.Context, r io.ReaderAt, s slot, passphrase string) ([]byte, error) {
	key, err := h.derive(ctx, passphrase, s.Salt, s.Iterations, int(h.KeyBytes))
	if err != nil {
		return nil, err
	}
	defer clear(key)
	size := int(h.KeyBytes * s.Stripes)
	material := make([]byte, (size+sector-1)/sector*sector)
	defer clear(material)
	if _, err := r.ReadAt(material, int64(s.Offset)*sector); err != nil {
		return nil, err
	}
	c, err := kcrypto.NewSkcipher("xts(aes)", key)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.DecryptSectors(material, material, sector, 0); err != nil {
		return nil, err
	}
	return merge(material[:size], int(h.KeyBytes), hashes[text(h.Hash)]()), nil
}

// merge undoes the anti-forensic splitter: all stripes of size bytes are needed to find the secret (section 2.4).
func merge(stripes []byte, size int, h hash.Hash) []byte {
	d := make([]byte, size)
	for ; len(stripes) > size; stripes = stripes[size:] {
		subtle.XORBytes(d, d, stripes[:size])
		diffuse(d, h)
	}
	subtle.XORBytes(d, d, stripes)
	return d
}

// diffuse replaces each piece of d, as long as a hash, by the hash of its number and itself.
func diffuse(d []byte, h hash.Hash) {
	for i := uint32(0); len(d) > 0; i++ {
		n := min(h.Size(), len(d))
		h.Reset()
		binary.Write(h, binary.BigEndian, i)
		h.Write(d[:n])
		copy(d[:n], h.Sum(nil))
		d = d[n:]
	}
}

package main

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"kcrypto/examples/internal/job"
)

// The format is that of "LUKS1 On-Disk Format Specification", version 1.2.3, by C. Fruhwirth and others. Numbers are
// big-endian; offsets count units.

const slotInUse = 0x00ac71f3

// header1 begins a LUKS1 volume.
type header1 struct {
	Magic            [6]byte
	Version          uint16
	Cipher           [32]byte
	Mode             [32]byte
	Hash             [32]byte
	PayloadOffset    uint32
	KeyBytes         uint32
	Digest           [20]byte // of the volume's key
	DigestSalt       [32]byte
	DigestIterations uint32
	UUID             [40]byte
	Slots            [8]slot1
}

// A slot1 holds the volume's key under one passphrase.
type slot1 struct {
	State      uint32
	Iterations uint32
	Salt       [32]byte
	Offset     uint32
	Stripes    uint32
}

// text is a field of characters, which ends at the first zero.
func text(field []byte) string {
	name, _, _ := bytes.Cut(field, []byte{0})
	return string(name)
}

// openLUKS1 returns the disk of a volume of version 1.
func openLUKS1(ctx context.Context, r io.ReaderAt, passphrase []byte, l limit) (*disk, error) {
	h := new(header1)
	if err := binary.Read(io.NewSectionReader(r, 0, int64(binary.Size(h))), binary.BigEndian, h); err != nil {
		return nil, fmt.Errorf("it ends in its header (%w)", err)
	}
	m, err := modeOf(text(h.Cipher[:])+"-"+text(h.Mode[:]), int(h.KeyBytes))
	if err != nil {
		return nil, err
	}
	if int64(h.PayloadOffset)*unit < int64(binary.Size(h)) {
		return nil, fmt.Errorf("the first sector is at %d, in the header: this program reads volumes that begin with "+
			"their header, none whose header is kept apart", h.PayloadOffset)
	}
	key, err := h.unlock(ctx, r, m, passphrase, l)
	if err != nil {
		return nil, err
	}
	return &disk{mode: m, key: key, offset: int64(h.PayloadOffset) * unit, size: -1, sector: unit}, nil
}

// unlock returns the volume's key from the first slot that the passphrase opens.
func (h *header1) unlock(ctx context.Context, r io.ReaderAt, m mode, passphrase []byte, l limit) ([]byte, error) {
	var failed error
	for i, s := range h.Slots {
		if s.State != slotInUse {
			continue
		}
		key, err := h.try(ctx, r, m, s, passphrase, l)
		switch {
		case errors.Is(err, job.ErrInterrupted):
			return nil, err
		case err != nil:
			failed = fmt.Errorf("key slot %d: %w", i, err)
		case key != nil:
			return key, nil
		}
	}
	return nil, noSlot(failed)
}

// noSlot is the error if no slot opens; why says what was wrong with one of them, if anything was.
func noSlot(why error) error {
	if why != nil {
		return fmt.Errorf("no key slot opens with this passphrase (%w)", why)
	}
	return errors.New("no key slot opens with this passphrase")
}

// try returns the volume's key from one slot, or nil if the passphrase does not open that.
func (h *header1) try(
	ctx context.Context, r io.ReaderAt, m mode, s slot1, passphrase []byte, l limit,
) ([]byte, error) {
	hash, err := hashOf(text(h.Hash[:]))
	if err != nil {
		return nil, err
	}
	size := int(h.KeyBytes)
	slotKey, err := l.deriveKey(ctx, hash, passphrase, s.Salt[:], int64(s.Iterations), size)
	if err != nil {
		return nil, err
	}
	defer clear(slotKey)
	key, err := material(r, int64(s.Offset)*unit, m, slotKey, size, int64(s.Stripes), hash)
	if err != nil {
		return nil, err
	}
	digest, err := l.deriveKey(ctx, hash, key, h.DigestSalt[:], int64(h.DigestIterations), len(h.Digest))
	if err != nil {
		clear(key)
		return nil, err
	}
	if subtle.ConstantTimeCompare(digest, h.Digest[:]) != 1 {
		clear(key)
		return nil, nil
	}
	return key, nil
}

package kcrypto

import (
	"fmt"
	"runtime"
	"strings"

	"kcrypto/internal/noescape"
	"kcrypto/internal/overlap"
	"kcrypto/registry"
)

// SectorIV says which IVs the sectors of one call have: see Skcipher.EncryptSectorsIV.
type SectorIV = registry.SectorIV

// SectorForm is how a sector's number becomes its IV. The zero value is IVPlain64.
type SectorForm = registry.SectorForm

// The forms of a sector's IV, by dm-crypt's names where it has one.
const (
	IVPlain64   = registry.IVPlain64   // 64 bits, little-endian, then zeros
	IVPlain     = registry.IVPlain     // the lowest 32 bits, little-endian, then zeros
	IVPlain64BE = registry.IVPlain64BE // zeros, then 64 bits, big-endian
	IVPlain128  = registry.IVPlain128  // 128 bits, little-endian
)

const (
	sectorIVSize = 16 // bytes
	unitsAtOnce  = 32 // sectors whose IVs are made at a time: what the widest driver works on side by side
)

// sectorAlgorithms are those where a sector may be a message whose IV is its number. With a stream cipher, sectors
// would have their keystreams in common. Drivers of other algorithms need sectors of their own.
var sectorAlgorithms = []string{"xts(aes)", "cbc(aes)", "essiv(cbc(aes),sha256)"}

// EncryptSectors encrypts len(src)/sectorSize sectors to dst[:len(src)] in one call, the IV of each (for xts its tweak)
// being its 64-bit number, first, first+1 and so on, as 16 little-endian bytes. It is EncryptSectorsIV with
// SectorIV{First: first}, which counts sectors: dm-crypt does so with sectors of 512 bytes only, and with larger ones
// counts units of 512 bytes.
//
// Errors are those of EncryptSectorsIV; then nothing is written.
func (s *Skcipher) EncryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	return s.cryptSectors(dst, src, sectorSize, SectorIV{First: first}, false)
}

// DecryptSectors is the inverse of EncryptSectors, with the same rules.
func (s *Skcipher) DecryptSectors(dst, src []byte, sectorSize int, first uint64) error {
	return s.cryptSectors(dst, src, sectorSize, SectorIV{First: first}, true)
}

// EncryptSectorsIV encrypts len(src)/sectorSize sectors to dst[:len(src)] in one call, the first with the first IV that
// iv stands for, and so on. Only xts(aes), cbc(aes) and essiv(cbc(aes),sha256) have sectors (registry.ErrType
// otherwise). Sector sizes need not be powers of two: any length that a message may have, for xts 16 bytes to 2^24, for
// the others whole blocks.
//
// A LUKS2 volume with sectors of 4096 bytes is read from byte at on with SectorIV{First: at/512, Step: 4096/512}, one
// with sectors of 512 bytes with SectorIV{First: at/512}; at counts from the beginning of the encrypted data.
//
// cbc(aes) and essiv encrypt many sectors side by side. Numbers as IVs of cbc(aes) can be predicted, so that who
// chooses what is written to a disk can leave marks in the ciphertext: cbc-plain64 is for old volumes.
//
// Errors are those of Encrypt, with ErrLength also for a length that is no multiple of sectorSize and for numbers that
// would pass 2^64, or 2^128 in IVPlain128, and ErrConfig for a SectorIV without meaning (see SectorIV.Check); then
// nothing is written.
//
// Nothing is allocated with drivers of this module. One of another module that takes numbers in a row gets IVPlain64 in
// steps of 1 in one call, and all else as a call for each sector.
func (s *Skcipher) EncryptSectorsIV(dst, src []byte, sectorSize int, iv SectorIV) error {
	return s.cryptSectors(dst, src, sectorSize, iv, false)
}

// DecryptSectorsIV is the inverse of EncryptSectorsIV, with the same rules.
func (s *Skcipher) DecryptSectorsIV(dst, src []byte, sectorSize int, iv SectorIV) error {
	return s.cryptSectors(dst, src, sectorSize, iv, true)
}

func (s *Skcipher) cryptSectors(dst, src []byte, size int, iv SectorIV, decrypt bool) error {
	if err := s.checkSectors(dst, src, size, iv); err != nil {
		return err
	}
	dst = dst[:len(src)]
	switch {
	case s.sectors == nil || !iv.Consecutive(len(src)/size):
		s.unitsOf(dst, src, size, iv, decrypt)
	case decrypt:
		s.sectors.DecryptSectors(dst, src, size, iv.First)
	default:
		s.sectors.EncryptSectors(dst, src, size, iv.First)
	}
	runtime.KeepAlive(s) // the cleanup wipes the key
	return nil
}

// unitsOf makes the IVs of some sectors at a time.
func (s *Skcipher) unitsOf(dst, src []byte, size int, iv SectorIV, decrypt bool) {
	var buffer [unitsAtOnce * sectorIVSize]byte
	for len(src) > 0 {
		count := min(len(src)/size, unitsAtOnce)
		ivs, n := buffer[:count*sectorIVSize], count*size
		iv = iv.Fill(ivs)
		switch {
		case s.units == nil:
			s.single(dst[:n], src[:n], size, ivs, decrypt)
		case decrypt:
			s.units.DecryptUnits(dst[:n], src[:n], size, noescape.Bytes(ivs))
		default:
			s.units.EncryptUnits(dst[:n], src[:n], size, noescape.Bytes(ivs))
		}
		dst, src = dst[n:], src[n:]
	}
}

// single makes a call for each sector.
func (s *Skcipher) single(dst, src []byte, size int, ivs []byte, decrypt bool) {
	for ; len(src) > 0; dst, src, ivs = dst[size:], src[size:], ivs[sectorIVSize:] {
		if decrypt {
			s.impl.Decrypt(dst[:size:size], src[:size:size], noescape.Bytes(ivs[:sectorIVSize]))
		} else {
			s.impl.Encrypt(dst[:size:size], src[:size:size], noescape.Bytes(ivs[:sectorIVSize]))
		}
	}
}

func (s *Skcipher) checkSectors(dst, src []byte, size int, iv SectorIV) error {
	n, d := len(src), s.driver
	switch {
	case s.life != ready:
		return s.life.err()
	case s.sectors == nil && !s.loops:
		return fmt.Errorf("kcrypto: %w: %s has no sectors, which %s have",
			registry.ErrType, d.Algorithm, strings.Join(sectorAlgorithms, ", "))
	case size < max(1, d.MinSize) || uint64(size) > s.maxSize:
		return fmt.Errorf("kcrypto: %w: a sector size of %d bytes for %s, want %d to %d",
			registry.ErrLength, size, d.Algorithm, max(1, d.MinSize), s.maxSize)
	case d.MultipleOf > 1 && size%d.MultipleOf != 0:
		return fmt.Errorf("kcrypto: %w: a sector size of %d bytes for %s, want a multiple of %d",
			registry.ErrLength, size, d.Algorithm, d.MultipleOf)
	case len(dst) < n:
		return s.complaint(len(dst), n, d.IVSize)
	case n%size != 0:
		return fmt.Errorf("kcrypto: %w: %d bytes, want a multiple of the sector size %d", registry.ErrLength, n, size)
	}
	if err := iv.Check(n / size); err != nil {
		return err
	}
	switch {
	case !s.loops && !iv.Consecutive(n/size):
		return fmt.Errorf("kcrypto: %w: %s takes sectors with numbers in plain64 and in steps of 1 only",
			registry.ErrType, d.Name)
	case overlap.Inexact(dst[:n], src):
		return errOverlap
	}
	return nil
}

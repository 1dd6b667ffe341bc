package main

import (
	"fmt"
	"slices"

	"kcrypto"
)

// unit is what offsets of LUKS1 and all numbers of sectors count, in bytes: dm-crypt's sector, whatever the volume's.
const unit = 512

// A mode is what a volume, or a key slot, is encrypted with.
type mode struct {
	algorithm string             // kcrypto's name
	form      kcrypto.SectorForm // how the number of a sector becomes an IV
	keys      []int              // sizes in bytes
}

var (
	xtsKeys = []int{32, 64}
	cbcKeys = []int{16, 24, 32}
)

// modes are those that this program reads, by dm-crypt's names.
var modes = map[string]mode{
	"aes-xts-plain64":      {"xts(aes)", kcrypto.IVPlain64, xtsKeys},
	"aes-xts-plain":        {"xts(aes)", kcrypto.IVPlain, xtsKeys},
	"aes-cbc-essiv:sha256": {"essiv(cbc(aes),sha256)", kcrypto.IVPlain64, cbcKeys},
	"aes-cbc-plain64":      {"cbc(aes)", kcrypto.IVPlain64, cbcKeys},
	"aes-cbc-plain":        {"cbc(aes)", kcrypto.IVPlain, cbcKeys},
}

// modeOf returns the mode by name, which must take keys of keySize bytes.
func modeOf(name string, keySize int) (mode, error) {
	m, ok := modes[name]
	switch {
	case !ok:
		return m, fmt.Errorf("encrypted with %q: this program reads aes-xts-plain64, aes-cbc-essiv:sha256, "+
			"aes-cbc-plain64, and both with plain", name)
	case !slices.Contains(m.keys, keySize):
		return m, fmt.Errorf("a key of %d bytes: %s has one of %v", keySize, name, m.keys)
	}
	return m, nil
}

// A disk is the encrypted part of a volume, and what decrypts it.
type disk struct {
	mode   mode
	key    []byte
	offset int64  // bytes before the first sector
	size   int64  // bytes; negative: up to the end of the file
	sector int    // bytes
	tweak  uint64 // the number of the first unit
}

// ivs are those of the sectors from byte at of the disk on. They count units, whatever the sector's size.
func (d *disk) ivs(at int64) kcrypto.SectorIV {
	return kcrypto.SectorIV{Form: d.mode.form, First: d.tweak + uint64(at/unit), Step: uint64(d.sector / unit)}
}

package registry

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// SectorForm is how the number of a sector is written into its IV of 16 bytes.
type SectorForm int

// The forms, by dm-crypt's names where it has one.
const (
	// IVPlain64 is 8 bytes, little-endian, and 8 zeros: dm-crypt's plain64, and what LUKS2 volumes have.
	IVPlain64 SectorForm = iota
	// IVPlain is the lowest 32 bits of the number, 4 bytes, little-endian, and 12 zeros: dm-crypt's plain. After number
	// 2^32-1, which is 2 TiB of sectors of 512 bytes, IVs come again; that is a fault of the form and no error.
	IVPlain
	// IVPlain64BE is 8 zeros and 8 bytes, big-endian: dm-crypt's plain64be.
	IVPlain64BE
	// IVPlain128 is 16 bytes, little-endian: the numbers of IEEE 1619, which may begin anywhere below 2^128.
	IVPlain128
)

func (f SectorForm) String() string {
	switch f {
	case IVPlain64:
		return "plain64"
	case IVPlain:
		return "plain"
	case IVPlain64BE:
		return "plain64be"
	case IVPlain128:
		return "plain128"
	}
	return fmt.Sprintf("SectorForm(%d)", int(f))
}

// SectorIV says which IVs consecutive sectors have: the first has number First, each other one Step more than the one
// before it, and Form is how a number becomes an IV. The zero value is plain64 from 0 on, in steps of 1.
//
// dm-crypt, and so LUKS, counts units of 512 bytes unless it is told to count sectors (iv_large_sectors, which
// cryptsetup does not set). With sectors of 4096 bytes Step is 8 then, and First the offset in bytes divided by 512.
type SectorIV struct {
	Form  SectorForm
	First uint64 // the number of the first sector; for IVPlain128 its lower half
	High  uint64 // for IVPlain128 the upper half of the first number, else 0
	Step  uint64 // from one number to the next; 0 means 1
}

// sectorError begins as the errors of the methods do that take a SectorIV.
func sectorError(class error, format string, args ...any) error {
	return fmt.Errorf("kcrypto: %w: %w", class, fmt.Errorf(format, args...))
}

func (s SectorIV) step() uint64 { return max(s.Step, 1) }

// Check returns why count sectors cannot have these IVs, or nil: ErrConfig for a form that there is not, and for a High
// that the form has no place for; ErrLength for numbers that would pass 2^64, or 2^128 in IVPlain128.
func (s SectorIV) Check(count int) error {
	wide := s.Form == IVPlain128
	switch {
	case s.Form < IVPlain64 || s.Form > IVPlain128:
		return sectorError(ErrConfig, "%v is no form of an IV: want IVPlain64, IVPlain, IVPlain64BE or IVPlain128", s.Form)
	case s.High != 0 && !wide:
		return sectorError(ErrConfig, "numbers in %v have 64 bits, and High is %d: want 0, or the form IVPlain128",
			s.Form, s.High)
	case count < 1:
		return nil
	}
	_, err := s.At(uint64(count) - 1)
	return err
}

// At returns the IVs of the sectors behind n others. It is ErrLength if the number of the first of them would pass
// 2^64, or 2^128 in IVPlain128; it checks nothing else.
func (s SectorIV) At(n uint64) (SectorIV, error) {
	wide := s.Form == IVPlain128
	high, low := bits.Mul64(n, s.step())
	low, carry := bits.Add64(low, s.First, 0)
	high, carry = bits.Add64(high, s.High, carry)
	switch {
	case wide && carry != 0:
		return SectorIV{}, sectorError(ErrLength, "%d sectors from number %d * 2^64 + %d on in steps of %d would pass 2^128",
			n+1, s.High, s.First, s.step())
	case !wide && high != 0:
		return SectorIV{}, sectorError(ErrLength, "%d sectors from number %d on in steps of %d would pass 2^64",
			n+1, s.First, s.step())
	}
	s.First, s.High = low, high
	return s, nil
}

// Fill writes the IVs of the first len(ivs)/16 sectors to ivs, one behind the other, and returns the IVs of the sectors
// behind them. It checks nothing.
func (s SectorIV) Fill(ivs []byte) (rest SectorIV) {
	low, high, step := s.First, s.High, s.step()
	mask := uint64(math.MaxUint64)
	if s.Form == IVPlain {
		mask = math.MaxUint32
	}
	for ; len(ivs) >= 16; ivs = ivs[16:] {
		if s.Form == IVPlain64BE {
			binary.BigEndian.PutUint64(ivs, 0)
			binary.BigEndian.PutUint64(ivs[8:], low)
		} else {
			binary.LittleEndian.PutUint64(ivs, low&mask)
			binary.LittleEndian.PutUint64(ivs[8:], high)
		}
		var carry uint64
		if low, carry = bits.Add64(low, step, 0); s.Form == IVPlain128 {
			high += carry
		}
	}
	s.First, s.High = low, high
	return s
}

// Consecutive reports whether the IVs of count sectors are the little-endian numbers First, First+1 and so on in 64
// bits: what a SectorCipher takes.
func (s SectorIV) Consecutive(count int) bool {
	if count > 1 && s.step() != 1 || s.High != 0 {
		return false
	}
	last := s.First + uint64(max(count-1, 0))
	switch s.Form {
	case IVPlain64:
		return true
	case IVPlain:
		return last < 1<<32 && s.First <= last
	case IVPlain128:
		return s.First <= last
	}
	return false
}

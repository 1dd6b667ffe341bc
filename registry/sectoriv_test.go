package registry

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
)

// TestSectorIVForms: the IVs of sectors around the ends of 32, 64 and 128 bits.
func TestSectorIVForms(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct {
		name string
		iv   SectorIV
		want []string
	}{
		{"the zero value", SectorIV{}, []string{
			"00000000000000000000000000000000", "01000000000000000000000000000000"}},
		{"plain64", SectorIV{First: 0x0102030405060708}, []string{
			"08070605040302010000000000000000", "09070605040302010000000000000000"}},
		{"plain64 passes 2^32", SectorIV{First: 1<<32 - 1}, []string{
			"ffffffff000000000000000000000000", "00000000010000000000000000000000"}},
		{"plain64 of large sectors", SectorIV{First: 1<<32 - 8, Step: 8}, []string{
			"f8ffffff000000000000000000000000", "00000000010000000000000000000000", "08000000010000000000000000000000"}},
		{"plain64 to its end", SectorIV{First: most - 1}, []string{
			"feffffffffffffff0000000000000000", "ffffffffffffffff0000000000000000"}},
		{"plain wraps at 2^32", SectorIV{Form: IVPlain, First: 1<<32 - 1}, []string{
			"ffffffff000000000000000000000000", "00000000000000000000000000000000"}},
		{"plain of large sectors", SectorIV{Form: IVPlain, First: 1<<40 + 1<<32 - 8, Step: 8}, []string{
			"f8ffffff000000000000000000000000", "00000000000000000000000000000000", "08000000000000000000000000000000"}},
		{"plain64be", SectorIV{Form: IVPlain64BE, First: 0x01020304050607ff}, []string{
			"000000000000000001020304050607ff", "00000000000000000102030405060800"}},
		{"plain64be to its end", SectorIV{Form: IVPlain64BE, First: most - 8, Step: 8}, []string{
			"0000000000000000fffffffffffffff7", "0000000000000000ffffffffffffffff"}},
		{"plain128 passes 2^64", SectorIV{Form: IVPlain128, First: most, High: 6}, []string{
			"ffffffffffffffff0600000000000000", "00000000000000000700000000000000"}},
		{"plain128 to its end", SectorIV{Form: IVPlain128, First: most - most/2, High: most, Step: most / 2}, []string{
			"0000000000000080ffffffffffffffff", "ffffffffffffffffffffffffffffffff"}},
	} {
		got := make([]byte, 16*len(c.want))
		want, err := hex.DecodeString(strings.Join(c.want, ""))
		if err != nil {
			t.Fatal(err)
		}
		c.iv.Fill(got)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: IVs % x, want % x", c.name, got, want)
		}
		if err := c.iv.Check(len(c.want)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		rest := c.iv.Fill(got[:16]) // one at a time
		if rest.Fill(got[16:32]); !bytes.Equal(got, want) {
			t.Errorf("%s, one by one: IVs % x, want % x", c.name, got, want)
		}
	}
	longer := bytes.Repeat([]byte{7}, 31)
	if (SectorIV{}).Fill(longer); !bytes.Equal(longer[16:], bytes.Repeat([]byte{7}, 15)) {
		t.Errorf("no IV has its place in 15 bytes, and there is % x", longer[16:])
	}
}

func TestSectorIVCheck(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct {
		iv    SectorIV
		count int
		class error
		text  string // of the error
	}{
		{SectorIV{First: most}, 0, nil, ""},
		{SectorIV{First: most, Step: most}, 1, nil, ""},
		{SectorIV{First: most}, 2, ErrLength, "2 sectors from number 18446744073709551615 on in steps of 1 would pass 2^64"},
		{SectorIV{First: most - 7, Step: 8}, 2, ErrLength, "in steps of 8 would pass 2^64"},
		{SectorIV{Step: 1 << 62}, 4, nil, ""},
		{SectorIV{Step: 1 << 62}, 5, ErrLength, "would pass 2^64"},
		{SectorIV{Step: most}, math.MaxInt, ErrLength, "would pass 2^64"},
		{SectorIV{Form: IVPlain, First: 1<<32 - 1}, 1 << 30, nil, ""},
		{SectorIV{Form: IVPlain, First: most}, 2, ErrLength, "would pass 2^64"},
		{SectorIV{Form: IVPlain64BE, First: most}, 2, ErrLength, "would pass 2^64"},
		{SectorIV{Form: IVPlain128, First: most}, 2, nil, ""},
		{SectorIV{Form: IVPlain128, First: most, High: most}, 1, nil, ""},
		{SectorIV{Form: IVPlain128, First: most, High: most}, 2, ErrLength,
			"2 sectors from number 18446744073709551615 * 2^64 + 18446744073709551615 on in steps of 1 would pass 2^128"},
		{SectorIV{Form: IVPlain128, High: most, Step: 1 << 63}, 2, nil, ""},
		{SectorIV{Form: IVPlain128, High: most, Step: 1 << 63}, 3, ErrLength, "would pass 2^128"},
		{SectorIV{Form: IVPlain128, First: most, Step: most}, math.MaxInt, nil, ""},
		{SectorIV{High: 1}, 0, ErrConfig, "numbers in plain64 have 64 bits, and High is 1: want 0, or the form IVPlain128"},
		{SectorIV{Form: IVPlain64BE, High: 1}, 1, ErrConfig, "numbers in plain64be have 64 bits"},
		{SectorIV{Form: IVPlain, High: 1}, 1, ErrConfig, "numbers in plain have 64 bits"},
		{SectorIV{Form: -1}, 1, ErrConfig, "SectorForm(-1) is no form of an IV: want IVPlain64, "},
		{SectorIV{Form: 4}, 0, ErrConfig, "SectorForm(4) is no form of an IV"},
	} {
		err := c.iv.Check(c.count)
		if !errors.Is(err, c.class) {
			t.Errorf("%d sectors of %+v: %v, want %v", c.count, c.iv, err, c.class)
		}
		if err != nil && !(strings.HasPrefix(err.Error(), "kcrypto: ") && strings.Contains(err.Error(), c.text)) {
			t.Errorf("%d sectors of %+v: %q does not say %q", c.count, c.iv, err, c.text)
		}
	}
}

// TestSectorIVConsecutive: what a SectorCipher may be asked for gives its IVs.
func TestSectorIVConsecutive(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct {
		iv    SectorIV
		count int
		want  bool
	}{
		{SectorIV{First: 5}, 100, true}, {SectorIV{First: 5, Step: 1}, 100, true},
		{SectorIV{First: 5, Step: 8}, 2, false}, {SectorIV{First: 5, Step: 8}, 1, true}, {SectorIV{Step: 8}, 0, true},
		{SectorIV{Form: IVPlain, First: 1<<32 - 2}, 2, true}, {SectorIV{Form: IVPlain, First: 1<<32 - 2}, 3, false},
		{SectorIV{Form: IVPlain, First: 1 << 32}, 1, false}, {SectorIV{Form: IVPlain, First: most}, 2, false},
		{SectorIV{Form: IVPlain64BE}, 1, false},
		{SectorIV{Form: IVPlain128, First: most - 1}, 2, true}, {SectorIV{Form: IVPlain128, First: most - 1}, 3, false},
		{SectorIV{Form: IVPlain128, High: 1}, 1, false}, {SectorIV{Form: 9}, 1, false},
	} {
		if got := c.iv.Consecutive(c.count); got != c.want {
			t.Errorf("%d sectors of %+v: %v, want %v", c.count, c.iv, got, c.want)
		}
	}
}

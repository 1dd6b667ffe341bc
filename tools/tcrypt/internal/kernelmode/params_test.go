package kernelmode

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	p, err := Parse([]string{"mode=200", "sec=1", "alg=xts(aes)", "type=5", "mask=0x8f", "klen=64", "num-mb=4", "sec=2"})
	want := Params{Alg: "xts(aes)", Type: 5, Mask: 0x8f, Mode: 200, Sec: 2, NumMB: 4, KLen: 64}
	if err != nil || p != want {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err = Parse(nil); err != nil || p != (Params{NumMB: 8}) {
		t.Errorf("without parameters: %+v, %v", p, err)
	}
	for arg, says := range map[string]string{
		"mode":       `"mode" is no parameter; want name=value`,
		"mode=":      "mode= is no number from 0 to",
		"mode=x":     "mode=x is no number",
		"mode=-1":    "mode=-1 is no number",
		"sec=1.5":    "sec=1.5 is no number from 0 to 86400",
		"sec=86401":  "is no number from 0 to 86400",
		"num_mb=0":   "num_mb=0 is no number from 1 to 1024",
		"klen=0":     "klen=0 is no number from 1 to 512",
		"mask=0x1ff": "",
		"mask=-1":    "mask=-1 is no number of 32 bits",
		"alg=":       "alg= is empty",
		"secs=1":     `no parameter "secs"; the parameters are alg, type, mask, mode, sec, num_mb, klen`,
	} {
		_, err := Parse([]string{arg})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// The kernel finds an algorithm if its type and the one asked for agree in the bits of the mask.
func TestWants(t *testing.T) {
	for _, c := range []struct {
		typ, mask, code uint32
		want            bool
	}{
		{0, 0, TypeAEAD, true},
		{0, 0, TypeSkcipher, true},
		{TypeAEAD, 0, TypeAEAD, true},
		{TypeAEAD, 0, TypeSkcipher, false},
		{TypeAEAD, 0xf, TypeAEAD, true},
		{TypeSkcipher, 0xe, TypeSkcipher, true},
		{4, 0xe, TypeSkcipher, true},     // an lskcipher or a skcipher
		{0, 0x80, TypeAEAD, true},        // synchronous ones
		{0x80, 0x80, TypeAEAD, false},    // asynchronous ones
		{TypeAEAD, 0x8f, TypeAEAD, true}, // synchronous AEADs
		{TypeAEAD, 0x8f, TypeSkcipher, false},
	} {
		if got := (Params{Type: c.typ, Mask: c.mask}).Wants(c.code); got != c.want {
			t.Errorf("type=%d mask=%#x and type %d: %v", c.typ, c.mask, c.code, got)
		}
	}
}

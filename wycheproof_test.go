package kcrypto_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"sync"
	"testing"

	"github.com/c2sp/wycheproof"

	"kcrypto"
	"kcrypto/registry"
)

// Project Wycheproof's vectors, all of them on every driver. The tests fail if one is left out.

// hexBytes is a JSON string of hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	*h = b
	return err
}

type wycheproofFile struct {
	NumberOfTests int
	TestGroups    []struct {
		KeySize, IvSize, TagSize int // bits
		Tests                    []wycheproofCase
	}
}

type wycheproofCase struct {
	TcID                       int
	Comment, Result            string
	Flags                      []string
	Key, Iv, Aad, Msg, Ct, Tag hexBytes
	tagSize                    int // bytes
}

// readWycheproof returns all cases of a file, and fails if there are not as many as the file says.
func readWycheproof(t *testing.T, name string) []wycheproofCase {
	t.Helper()
	text, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var file wycheproofFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var all []wycheproofCase
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			c.tagSize = g.TagSize / 8
			all = append(all, c)
		}
	}
	if len(all) != file.NumberOfTests || len(all) == 0 {
		t.Fatalf("%s: %d cases read, the file says %d", name, len(all), file.NumberOfTests)
	}
	return all
}

// wycheproofRun counts the results of the cases.
type wycheproofRun struct{ valid, invalid, refused int }

func TestWycheproof(t *testing.T) {
	aeads := []struct {
		file, algorithm string
		cases           int // of the version in go.mod
		refused         int // cases whose nonce or tag has a size that the algorithm does not have
	}{
		{"aes_gcm_test.json", "gcm(aes)", 316, 6},
		{"aes_ccm_test.json", "ccm(aes)", 552, 66},
		{"aes_gmac_test.json", "gcm(aes)", 414, 0},
		{"chacha20_poly1305_test.json", "chacha20poly1305", 325, 9},
		{"xchacha20_poly1305_test.json", "xchacha20poly1305", 315, 9},
	}
	for _, f := range aeads {
		t.Run(f.file, func(t *testing.T) {
			cases := readWycheproof(t, f.file)
			if len(cases) != f.cases {
				t.Errorf("%d cases, want %d: if the module was updated, change the number", len(cases), f.cases)
			}
			for i := range cases {
				if f.file == "aes_gmac_test.json" { // a MAC is an AEAD with additional data and no text
					cases[i].Aad, cases[i].Msg = cases[i].Msg, nil
				}
			}
			eachDriver(t, f.algorithm, func(t *testing.T, d registry.Info) {
				var run wycheproofRun
				for i := range cases {
					run.aead(t, d, &cases[i])
				}
				if got := run.valid + run.invalid + run.refused; got != f.cases || run.refused != f.refused {
					t.Errorf("%d cases run, %d of them refused for their sizes; want %d, %d", got, run.refused, f.cases, f.refused)
				}
				t.Logf("%+v", run)
			})
		})
	}
}

func (run *wycheproofRun) aead(t *testing.T, d registry.Info, c *wycheproofCase) {
	t.Helper()
	sealed := join(c.Ct, c.Tag)
	a, err := kcrypto.NewAEAD(d.Driver, c.Key, inForm(t, d), kcrypto.WithNonceSize(len(c.Iv)),
		kcrypto.WithAuthSize(c.tagSize))
	if err != nil {
		if !errors.Is(err, registry.ErrNonceSize) && !errors.Is(err, registry.ErrAuthSize) {
			t.Errorf("case %d (%s): %v, want ErrNonceSize or ErrAuthSize", c.TcID, c.Comment, err)
		}
		if c.Result != "invalid" {
			t.Errorf("case %d (%s) is %s: %v", c.TcID, c.Comment, c.Result, err)
		}
		run.refused++
		return
	}
	defer a.Close()
	got, err := a.Open(nil, c.Iv, sealed, c.Aad)
	switch c.Result {
	case "valid":
		run.valid++
		if err != nil || !bytes.Equal(got, c.Msg) {
			t.Errorf("case %d (%s), Open: %v: %s", c.TcID, c.Comment, err, difference(got, c.Msg))
		}
		if s := difference(a.Seal(nil, c.Iv, c.Msg, c.Aad), sealed); s != "" {
			t.Errorf("case %d (%s), Seal: %s", c.TcID, c.Comment, s)
		}
	case "invalid":
		run.invalid++
		wantError(t, c.Comment, err, registry.ErrAuth)
	default:
		t.Errorf("case %d has the unknown result %q", c.TcID, c.Result)
	}
}

// TestWycheproofXTS: an IV shorter than 16 bytes is a little-endian number, so zeros follow it.
func TestWycheproofXTS(t *testing.T) {
	cases := sync.OnceValue(func() []wycheproofCase { return readWycheproof(t, "aes_xts_test.json") })
	if n := len(cases()); n != 123 {
		t.Errorf("%d cases, want 123: if the module was updated, change the number", n)
	}
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		for _, c := range cases() {
			if c.Result != "valid" {
				t.Errorf("case %d has the result %q", c.TcID, c.Result)
			}
			s, iv := newSkcipher(t, d, c.Key), make([]byte, 16)
			copy(iv, c.Iv)
			r := unitChecker{t: t, s: s, key: c.Key}
			r.check(&unit{iv: iv, plain: c.Msg, cipher: c.Ct})
		}
	})
}

// TestWycheproofCBC: the vectors are of CBC with the padding of PKCS #7, which the library leaves to its callers. What
// is invalid has a length that is refused, or decrypts to what no padding ends.
func TestWycheproofCBC(t *testing.T) {
	cases := sync.OnceValue(func() []wycheproofCase { return readWycheproof(t, "aes_cbc_pkcs5_test.json") })
	if n := len(cases()); n != 216 {
		t.Errorf("%d cases, want 216: if the module was updated, change the number", n)
	}
	eachDriver(t, "cbc(aes)", func(t *testing.T, d registry.Info) {
		run := wycheproofRun{}
		for _, c := range cases() {
			s := newSkcipher(t, d, c.Key)
			n := 16 - len(c.Msg)%16
			padded := join(c.Msg, bytes.Repeat([]byte{byte(n)}, n))
			switch c.Result {
			case "valid":
				run.valid++
				r := unitChecker{t: t, s: s, key: c.Key}
				r.check(&unit{iv: c.Iv, plain: padded, cipher: c.Ct})
			case "invalid":
				run.invalid++
				text := make([]byte, len(c.Ct))
				if err := s.Decrypt(text, c.Ct, c.Iv); err != nil {
					t.Errorf("case %d (%s): %v", c.TcID, c.Comment, err)
				}
				if isPadded(text) {
					t.Errorf("case %d (%s) decrypts to %x, which is padded", c.TcID, c.Comment, text)
				}
			default:
				t.Errorf("case %d has the result %q", c.TcID, c.Result)
			}
		}
		if run.valid != 72 || run.invalid != 144 {
			t.Errorf("%+v, want 72 valid and 144 invalid cases", run)
		}
	})
}

// isPadded reports whether text ends as PKCS #7 has it: in n bytes n, 1 to 16.
func isPadded(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	n := int(text[len(text)-1])
	return 1 <= n && n <= 16 && bytes.HasSuffix(text, bytes.Repeat([]byte{byte(n)}, n))
}

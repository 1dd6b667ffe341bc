package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// FuzzStream moves through the keystream of every stream cipher. Each two bytes of moves are a piece of text, in place
// or not, or a Seek from the start.
func FuzzStream(f *testing.F) {
	f.Add([]byte("key"), []byte("iv"), []byte{1, 0, 15, 0, 16, 0, 17, 1, 63, 0, 64, 1, 65, 0}, uint64(0))
	f.Add([]byte("key"), []byte{0xff}, []byte{255, 3, 5, 128, 255, 2, 0, 128, 255, 3}, uint64(1<<32*16-100))
	f.Add([]byte{}, []byte{0xff, 0xfe}, []byte{17, 0, 33, 1, 0, 4, 200, 130, 7, 1}, uint64(1<<32*64-5000))
	f.Add([]byte("k"), []byte("xxxxxxxx"), []byte{255, 4, 255, 132, 255, 4}, uint64(1<<60+1))
	drivers := working(registry.TypeSkcipher)
	f.Fuzz(func(t *testing.T, seed, ivSeed, moves []byte, start uint64) {
		moves = moves[:min(len(moves), 40)]
		for _, d := range drivers {
			m := skModelOf(t, d.Algorithm)
			if m.keystream == nil {
				continue
			}
			w := &walker{streamCase: streamCase{
				key: expandSeed(seed, m.keySizes[len(seed)%len(m.keySizes)]),
				iv:  expandSeed(ivSeed, m.iv),
			}, model: m, driver: d.Driver, start: start}
			if m.blocks != nil && m.blocks(w.iv) < start/uint64(m.chunk)+1<<14 {
				continue // the moves could run into the end, which is tested elsewhere
			}
			w.s = newSkcipher(t, d, w.key)
			w.walk(t, moves)
			w.s.Close()
		}
	})
}

// A walker moves through the keystream of one driver.
type walker struct {
	streamCase
	model  skModel
	driver string
	start  uint64
}

func (w *walker) walk(t *testing.T, moves []byte) {
	t.Helper()
	s, at := w.stream(t), w.start
	defer s.Close()
	seek := func() {
		if err := s.Seek(at); err != nil {
			t.Fatalf("%s: Seek(%d): %v", w.driver, at, err)
		}
	}
	seek()
	for ; len(moves) >= 2; moves = moves[2:] {
		n := int(binary.LittleEndian.Uint16(moves))
		if n >= 1<<15 {
			at = w.start + uint64(n-1<<15)
			seek()
			continue
		}
		n %= 1 << 11
		text := expandSeed(moves, n)
		got := make([]byte, n)
		if moves[0]%2 == 0 {
			got = bytes.Clone(text)
			s.XORKeyStream(got, got)
		} else {
			s.XORKeyStream(got, text)
		}
		if diff := difference(got, w.model.xorAt(w.key, w.iv, text, at)); diff != "" {
			t.Fatalf("%s: %d bytes at %d: %s", w.driver, n, at, diff)
		}
		at += uint64(n)
	}
}

// FuzzSectors compares calls on many sectors with the model, sector by sector.
func FuzzSectors(f *testing.F) {
	for i, size := range []int{16, 17, 31, 512, 520, 4096} {
		f.Add(expandSeed([]byte("key"), i), expandSeed([]byte("text"), 3*size+i), uint16(size),
			byte(i), uint64(1<<(10*i))-1, uint64(i), uint64(i*4))
	}
	drivers := working(registry.TypeSkcipher)
	f.Fuzz(func(t *testing.T, seed, text []byte, size uint16, form byte, first, high, step uint64) {
		text = text[:min(len(text), 3*4096)] // the model is slow
		iv := kcrypto.SectorIV{Form: kcrypto.SectorForm(form % 4), First: first, Step: step}
		if iv.Form == kcrypto.IVPlain128 {
			iv.High = high
		}
		for _, d := range drivers {
			m := skModelOf(t, d.Algorithm)
			sector := 16 + int(size)%8192
			if m.multiple > 0 {
				sector -= sector % m.multiple
			}
			count := len(text) / sector
			if !hasSectors(d.Algorithm) || iv.Check(count) != nil {
				continue // refused: numbers beyond the last
			}
			key := expandSeed(seed, m.keySizes[len(seed)%len(m.keySizes)])
			whole := text[:count*sector]
			var want []byte
			for i := range count {
				want = append(want, m.encrypt(key, sectorIV(iv, i), whole[i*sector:][:sector])...)
			}
			s, got := newSkcipher(t, d, key), make([]byte, len(whole))
			err := s.EncryptSectorsIV(got, whole, sector, iv)
			if diff := difference(got, want); err != nil || diff != "" {
				t.Fatalf("%s: %d sectors of %d bytes, %+v: %s (%v)", d.Driver, count, sector, iv, diff, err)
			}
			err = s.DecryptSectorsIV(got, got, sector, iv)
			if diff := difference(got, whole); err != nil || diff != "" {
				t.Fatalf("%s: %d sectors of %d bytes, %+v, back: %s (%v)", d.Driver, count, sector, iv, diff, err)
			}
			s.Close()
		}
	})
}

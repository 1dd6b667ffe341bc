package kcrypto_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestXTSTweaks has 32 random tweaks for every short length, so that each doubling happens with and without a carry,
// and every length around a multiple of a loop.
func TestXTSTweaks(t *testing.T) {
	checkUnitsOf(t, "xts(aes)", func(s *unitMaker) {
		tweaks := 32
		if testing.Short() {
			tweaks = 2
		}
		for n := 16; n < 128; n++ {
			for range tweaks {
				s.add(n)
			}
		}
		for border := 128; border <= 2*widest; border += 128 {
			for n := border - 1; n <= border+48; n++ {
				if !testing.Short() || n%5 == 0 {
					s.add(n)
				}
			}
		}
	})
}

// TestSectors compares calls on many sectors with one call a sector.
func TestSectors(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		rng := newRandom(t.Name())
		for _, keySize := range []int{32, 48, 64} {
			s := newSkcipher(t, d, rng.bytes(keySize))
			for _, size := range []int{16, 17, 31, 32, 100, 512, 520, 528, 529, 543, 640, 785, 896, 1000, 4096, 4104} {
				for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33} {
					if size*count < 40_000 {
						compareSectors(t, s, rng, size, count)
					}
				}
			}
		}
	})
}

func compareSectors(t *testing.T, s *kcrypto.Skcipher, rng *random, size, count int) {
	t.Helper()
	firsts := []uint64{0, 1, 255, 1<<32 - 2, rng.Uint64() >> 1, -uint64(max(count, 1))}
	first := firsts[rng.IntN(len(firsts))]
	src := rng.bytes(size * count)
	want := make([]byte, len(src))
	for i := range count {
		iv := append(binary.LittleEndian.AppendUint64(nil, first+uint64(i)), make([]byte, 8)...)
		if err := s.Encrypt(want[i*size:], src[i*size:(i+1)*size], iv); err != nil {
			t.Fatal(err)
		}
	}
	var f canaryBuffer
	got := f.prepare(len(src), 0)
	err := s.EncryptSectors(got, src, size, first)
	if what := difference(got, want) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes from number %d: %s (%v)", count, size, first, what, err)
	}
	err = s.DecryptSectors(got, got, size, first) // in place
	if what := difference(got, src) + f.writtenOutside(len(got)); err != nil || what != "" {
		t.Fatalf("%d sectors of %d bytes from number %d, back: %s (%v)", count, size, first, what, err)
	}
}

func TestSectorsRefused(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		s := newSkcipher(t, d, newRandom(t.Name()).bytes(64))
		src := make([]byte, 4096)
		cases := []struct {
			what      string
			dst, size int
			first     uint64
		}{
			{"a length that is no multiple", 4096, 1000, 0},
			{"a sector size of 0", 4096, 0, 0},
			{"a negative sector size", 4096, -512, 0},
			{"a sector size under a block", 4096, 8, 0},
			{"a sector size over 2^20 blocks", 4096, 1<<24 + 16, 0},
			{"a sector number past 2^64", 4096, 512, 1<<64 - 7},
			{"a short output", 4095, 512, 0},
		}
		for _, c := range cases {
			var f canaryBuffer
			dst := f.prepare(c.dst, 0)
			wantError(t, c.what, s.EncryptSectors(dst, src, c.size, c.first), registry.ErrLength)
			wantError(t, c.what, s.DecryptSectors(dst, src, c.size, c.first), registry.ErrLength)
			if what := f.writtenOutside(0); what != "" {
				t.Errorf("%s: %s", c.what, what)
			}
		}
		if err := s.EncryptSectors(src, src, 512, 1<<64-8); err != nil {
			t.Errorf("the last 8 sectors there are: %v", err)
		}
	})
}

// TestWeakKeys: keys with equal halves are refused only with the option, since old disks have such keys.
func TestWeakKeys(t *testing.T) {
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		for _, half := range []int{16, 24, 32} {
			key := bytes.Repeat(newRandom(t.Name()).bytes(half), 2)
			newSkcipher(t, d, key)
			_, err := kcrypto.NewSkcipher(d.Driver, key, kcrypto.WithForbidWeakKeys())
			wantError(t, "equal halves", err, registry.ErrKeySize)
			for i := range key {
				key[i] ^= 0x80
				newSkcipher(t, d, key, kcrypto.WithForbidWeakKeys())
				key[i] ^= 0x80
			}
		}
	})
}

// TestLargeSectors: EncryptSectors counts sectors, and dm-crypt units of 512 bytes. The second sector of 4096 bytes is
// what each makes of it; dm-crypt's is that of a volume of cryptsetup's, and number 8.
func TestLargeSectors(t *testing.T) {
	key := make([]byte, 64)
	for i := range key {
		key[i] = byte(i)
	}
	eachDriver(t, "xts(aes)", func(t *testing.T, d registry.Info) {
		s := newSkcipher(t, d, key)
		begin := func(first uint64, sectors int) []byte {
			t.Helper()
			disk := make([]byte, 4096*sectors)
			if err := s.EncryptSectors(disk, disk, 4096, first); err != nil {
				t.Fatal(err)
			}
			return disk[4096*(sectors-1):][:16]
		}
		if got, want := begin(0, 2), unhex("0c22ed7e2168a8500b30154c2ec00d26"); !bytes.Equal(got, want) {
			t.Errorf("the second sector: %s", difference(got, want))
		}
		if got, want := begin(8, 1), unhex("32557c9efcea00dfdf521bbc053d1a7b"); !bytes.Equal(got, want) {
			t.Errorf("number 8, the second sector under dm-crypt: %s", difference(got, want))
		}
	})
}

package kcrypto_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"kcrypto"
	"kcrypto/registry"
)

// memory is an image in memory. Calls beyond its end read and write what there is.
type memory []byte

func (m memory) ReadAt(p []byte, off int64) (int, error) { return bytes.NewReader(m).ReadAt(p, off) }

func (m memory) WriteAt(p []byte, off int64) (int, error) {
	if off >= int64(len(m)) {
		return 0, errBroken
	}
	return copy(m[off:], p), nil
}

// TestDisk writes and reads at random places, and compares with plain memory, and the image with sectors encrypted in
// one call.
func TestDisk(t *testing.T) {
	for _, algorithm := range sectorAlgorithms {
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			rng := newRandom(t.Name())
			s := newSkcipher(t, d, rng.bytes(d.KeySizes[len(d.KeySizes)-1]))
			for _, size := range []int{16, 512, 4096, 528} {
				iv := kcrypto.SectorIV{First: 1<<32 - 5, Step: uint64(1 + size/512)}
				plain := rng.bytes(size * 9)
				image := make(memory, len(plain)+7)
				disk := must(s.Disk(image, int64(len(plain)), size, iv))
				if n, err := disk.WriteAt(plain, 0); n != len(plain) || err != nil || disk.Size() != int64(len(plain)) {
					t.Fatal(n, err, disk.Size())
				}
				for range 30 {
					accessDisk(t, rng, disk, plain)
				}
				want := make([]byte, len(plain))
				if err := s.EncryptSectorsIV(want, plain, size, iv); err != nil {
					t.Fatal(err)
				}
				if diff := difference(image[:len(plain)], want); diff != "" {
					t.Fatalf("sectors of %d: the image: %s", size, diff)
				}
				if !bytes.Equal(image[len(plain):], make([]byte, 7)) {
					t.Fatal("written behind the disk")
				}
				if size < 100 { // it reads single bytes, and so a sector for each
					if err := iotest.TestReader(io.NewSectionReader(disk, 0, disk.Size()), plain); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// accessDisk writes some bytes and reads some.
func accessDisk(t *testing.T, rng *random, disk *kcrypto.Disk, plain []byte) {
	t.Helper()
	off := rng.IntN(len(plain))
	p := rng.bytes(rng.upTo(len(plain) - off))
	before := bytes.Clone(p)
	if n, err := disk.WriteAt(p, int64(off)); n != len(p) || err != nil || !bytes.Equal(p, before) {
		t.Fatalf("WriteAt of %d bytes at %d: %d, %v", len(p), off, n, err)
	}
	copy(plain[off:], p)
	off = rng.IntN(len(plain) + 1)
	got := make([]byte, rng.upTo(len(plain)))
	n, err := disk.ReadAt(got, int64(off))
	want := plain[off:min(off+len(got), len(plain))]
	short := len(want) < len(got) // else io.EOF may come with the last byte, or not
	if n != len(want) || short && err == nil || err != nil && err != io.EOF {
		t.Fatalf("ReadAt of %d bytes at %d of %d: %d, %v", len(got), off, len(plain), n, err)
	}
	if diff := difference(got[:n], want); diff != "" {
		t.Fatalf("ReadAt of %d bytes at %d: %s", len(got), off, diff)
	}
}

// TestDiskErrors: what a Disk refuses, and what becomes of an image's errors.
func TestDiskErrors(t *testing.T) {
	s := must(kcrypto.NewSkcipher("xts(aes)", bytes.Repeat([]byte{1, 2}, 16)))
	image := make(memory, 4096)
	for what, c := range map[string]struct {
		size   int64
		sector int
		iv     kcrypto.SectorIV
		want   error
	}{
		"no whole sectors":  {4095, 512, kcrypto.SectorIV{}, registry.ErrLength},
		"a size below zero": {-512, 512, kcrypto.SectorIV{}, registry.ErrLength},
		"tiny sectors":      {4096, 8, kcrypto.SectorIV{}, registry.ErrLength},
		"numbers past 2^64": {4096, 512, kcrypto.SectorIV{First: 1<<64 - 7}, registry.ErrLength},
		"no such form":      {4096, 512, kcrypto.SectorIV{Form: 9}, registry.ErrConfig},
		"the last number":   {4096, 512, kcrypto.SectorIV{First: 1<<64 - 8}, nil},
		"an empty disk":     {0, 512, kcrypto.SectorIV{}, nil},
	} {
		if _, err := s.Disk(image, c.size, c.sector, c.iv); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	ctr := must(kcrypto.NewSkcipher("ctr(aes)", make([]byte, 16)))
	_, err := ctr.Disk(image, 4096, 512, kcrypto.SectorIV{})
	wantError(t, "a disk of a stream cipher", err, registry.ErrType)

	disk, p := must(s.Disk(image, 4096, 512, kcrypto.SectorIV{})), make([]byte, 600)
	_, err = disk.ReadAt(p, -1)
	wantError(t, "ReadAt of -1", err, registry.ErrLength)
	_, err = disk.ReadAt(p, 4096)
	wantError(t, "ReadAt of the end", err, io.EOF)
	_, err = disk.WriteAt(p, -1)
	wantError(t, "WriteAt of -1", err, registry.ErrLength)
	for _, off := range []int64{3497, 4096, 5000, 1<<63 - 1} {
		_, err = disk.WriteAt(p, off)
		wantError(t, "WriteAt past the end", err, registry.ErrLength)
	}
	if !bytes.Equal(image, make([]byte, 4096)) {
		t.Error("a refused WriteAt has written")
	}
	if n, err := disk.WriteAt(nil, 4096); n != 0 || err != nil {
		t.Errorf("WriteAt of nothing at the end: %d, %v", n, err)
	}
	cut := must(s.Disk(image[:1000], 4096, 512, kcrypto.SectorIV{}))
	_, err = cut.ReadAt(p, 100)
	wantError(t, "ReadAt of an image that is cut", err, io.ErrUnexpectedEOF)
	_, err = cut.WriteAt(p[:10], 600)
	wantError(t, "WriteAt of a part to an image that is cut", err, io.ErrUnexpectedEOF)
	_, err = cut.WriteAt(p[:512], 512)
	wantError(t, "WriteAt to an image that is cut", err, io.ErrShortWrite)
	_, err = cut.WriteAt(p[:512], 1024)
	wantError(t, "WriteAt behind an image that is cut", err, errBroken)
	readOnly := must(s.Disk(bytes.NewReader(image), 4096, 512, kcrypto.SectorIV{}))
	_, err = readOnly.WriteAt(p, 0)
	wantError(t, "WriteAt to what can only be read", err, registry.ErrType)
	s.Close()
	_, err = disk.ReadAt(p, 0)
	wantError(t, "ReadAt after Close", err, registry.ErrClosed)
	_, err = disk.WriteAt(p, 0)
	wantError(t, "WriteAt after Close", err, registry.ErrClosed)
}

// locked is an image that a race detector does not complain about: its accesses are atomic, as those of a file are.
type locked struct {
	memory
	sync.Mutex
}

func (l *locked) ReadAt(p []byte, off int64) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.memory.ReadAt(p, off)
}

func (l *locked) WriteAt(p []byte, off int64) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.memory.WriteAt(p, off)
}

// TestDiskConcurrently: goroutines write and read different parts of the same sectors.
func TestDiskConcurrently(t *testing.T) {
	s := must(kcrypto.NewSkcipher("xts(aes)", bytes.Repeat([]byte{1, 2}, 16)))
	defer s.Close()
	const part, count = 100, 40 // of sectors of 512 bytes
	disk := must(s.Disk(&locked{memory: make(memory, 4096)}, 4096, 512, kcrypto.SectorIV{}))
	if _, err := disk.WriteAt(make([]byte, 4096), 0); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			mine, got := bytes.Repeat([]byte{byte(i)}, part), make([]byte, part)
			for range 20 {
				_, errW := disk.WriteAt(mine, int64(i*part))
				_, errR := disk.ReadAt(got, int64(i*part))
				if errW != nil || errR != nil || !bytes.Equal(got, mine) {
					t.Errorf("part %d: %v, %v, %s", i, errW, errR, difference(got, mine))
					return
				}
			}
		})
	}
	all.Wait()
}

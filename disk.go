package kcrypto

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"kcrypto/registry"
)

// Disk is the plaintext of encrypted sectors that lie in a file, or in anything else with an io.ReaderAt: it reads and
// writes at any offset and of any length, and is an io.ReaderAt and io.WriterAt itself. A part of a sector is written
// by reading the sector, replacing the part, and writing the sector.
//
// It uses its Skcipher's key, so it must not be used after Close of that, nor beside SetKey. Any number of goroutines
// may read and write at once, as long as none writes what another one reads or writes; parts of one sector count as
// different things. It must not be copied.
type Disk struct {
	_       noCopy
	cipher  *Skcipher
	image   io.ReaderAt
	size    int64 // bytes
	sector  int   // bytes
	iv      SectorIV
	buffers sync.Pool    // of *[]byte, whole sectors
	parts   sync.RWMutex // held for writing by who replaces a part of a sector
}

var (
	_ io.ReaderAt = (*Disk)(nil)
	_ io.WriterAt = (*Disk)(nil)
)

// diskBuffer is how many bytes a Disk encrypts at a time, or one sector if that is longer.
const diskBuffer = 64 << 10

// Disk returns the plaintext of the first size bytes of image, which are whole sectors of sectorSize bytes; iv is
// EncryptSectorsIV's. If image is an io.WriterAt, too, the Disk can be written. A volume that begins inside of
// a file is an io.SectionReader of that.
//
// Errors are those of EncryptSectorsIV, and registry.ErrLength for a size that is no multiple of sectorSize.
func (s *Skcipher) Disk(image io.ReaderAt, size int64, sectorSize int, iv SectorIV) (*Disk, error) {
	if err := s.checkSectors(nil, nil, sectorSize, iv); err != nil {
		return nil, err
	}
	if size < 0 || size%int64(sectorSize) != 0 {
		return nil, fmt.Errorf("kcrypto: %w: a disk of %d bytes, want a multiple of the sector size %d",
			registry.ErrLength, size, sectorSize)
	}
	if size > 0 {
		if _, err := iv.At(uint64(size/int64(sectorSize)) - 1); err != nil {
			return nil, err
		}
	}
	d := &Disk{cipher: s, image: image, size: size, sector: sectorSize, iv: iv}
	d.buffers.New = func() any {
		b := make([]byte, max(diskBuffer/sectorSize, 1)*sectorSize)
		return &b
	}
	return d, nil
}

// Size is the number of bytes of the plaintext.
func (d *Disk) Size() int64 { return d.size }

// ReadAt reads len(p) bytes of plaintext from byte off on. Fewer are read at the end, with io.EOF.
//
// Errors: registry.ErrLength for an off below 0, ErrNoKey, ErrClosed, and the image's own; io.ErrUnexpectedEOF if that
// has ended early.
func (d *Disk) ReadAt(p []byte, off int64) (n int, err error) {
	if d.cipher == nil {
		return 0, errClosed
	}
	switch {
	case off < 0:
		return 0, errOffset(off)
	case off >= d.size:
		return 0, io.EOF
	}
	var end error
	if left := d.size - off; int64(len(p)) > left {
		p, end = p[:left], io.EOF
	}
	d.parts.RLock()
	defer d.parts.RUnlock()
	for n < len(p) && err == nil {
		at, rest := off+int64(n), p[n:]
		done := 0
		if whole := d.whole(at, len(rest)); whole > 0 {
			err = d.read(rest[:whole], at)
			done = whole
		} else {
			done, err = d.readPart(rest, at)
		}
		if err == nil {
			n += done
		}
	}
	if err == nil {
		err = end
	}
	return n, err
}

// WriteAt writes p to the plaintext from byte off on, and does not change p.
//
// Errors: registry.ErrType if the image is no io.WriterAt and ErrLength if p does not fit, with nothing written;
// ErrNoKey, ErrClosed, and the image's own, with n bytes written.
func (d *Disk) WriteAt(p []byte, off int64) (n int, err error) {
	if d.cipher == nil {
		return 0, errClosed
	}
	w, ok := d.image.(io.WriterAt)
	switch {
	case !ok:
		return 0, fmt.Errorf("kcrypto: %w: the image of this disk is no io.WriterAt and can only be read", registry.ErrType)
	case off < 0:
		return 0, errOffset(off)
	case off > d.size || int64(len(p)) > d.size-off:
		return 0, fmt.Errorf("kcrypto: %w: %d bytes from %d on are more than the disk's %d have",
			registry.ErrLength, len(p), off, d.size)
	}
	for n < len(p) {
		at, rest := off+int64(n), p[n:]
		var done int
		if whole := d.whole(at, len(rest)); whole > 0 {
			done, err = d.write(w, rest[:whole], at)
		} else {
			done, err = d.writePart(w, rest, at)
		}
		if err != nil {
			return n, err
		}
		n += done
	}
	return n, nil
}

func errOffset(off int64) error {
	return fmt.Errorf("kcrypto: %w: an offset of %d, want 0 or more", registry.ErrLength, off)
}

// whole is how many of n bytes from at on are whole sectors; 0 if at is inside of one.
func (d *Disk) whole(at int64, n int) int {
	if at%int64(d.sector) != 0 {
		return 0
	}
	return n - n%d.sector
}

// ivs are the IVs of the sectors from byte at on.
func (d *Disk) ivs(at int64) SectorIV {
	iv, _ := d.iv.At(uint64(at / int64(d.sector))) // Disk has checked that there are enough
	return iv
}

// read reads and decrypts whole sectors.
func (d *Disk) read(p []byte, at int64) error {
	if n, err := d.image.ReadAt(p, at); n < len(p) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return d.cipher.DecryptSectorsIV(p, p, d.sector, d.ivs(at))
}

// readPart reads as much of a single sector as p has space for.
func (d *Disk) readPart(p []byte, at int64) (n int, err error) {
	b := d.buffers.Get().(*[]byte)
	defer d.buffers.Put(b)
	sector := (*b)[:d.sector]
	defer clear(sector)
	in := int(at % int64(d.sector))
	if err := d.read(sector, at-int64(in)); err != nil {
		return 0, err
	}
	return copy(p, sector[in:]), nil
}

// write encrypts and writes some whole sectors, and returns how many bytes they have.
func (d *Disk) write(w io.WriterAt, p []byte, at int64) (n int, err error) {
	b := d.buffers.Get().(*[]byte)
	defer d.buffers.Put(b)
	n = min(len(p), len(*b))
	d.parts.RLock()
	defer d.parts.RUnlock()
	return n, d.put(w, (*b)[:n], p[:n], at)
}

// writePart replaces as much of a single sector as p has.
func (d *Disk) writePart(w io.WriterAt, p []byte, at int64) (n int, err error) {
	b := d.buffers.Get().(*[]byte)
	defer d.buffers.Put(b)
	sector := (*b)[:d.sector]
	defer clear(sector)
	in := int(at % int64(d.sector))
	d.parts.Lock()
	defer d.parts.Unlock()
	if err := d.read(sector, at-int64(in)); err != nil {
		return 0, err
	}
	n = copy(sector[in:], p)
	return n, d.put(w, sector, sector, at-int64(in))
}

// put encrypts whole sectors into buffer, which may be p, and writes them.
func (d *Disk) put(w io.WriterAt, buffer, p []byte, at int64) error {
	if err := d.cipher.EncryptSectorsIV(buffer, p, d.sector, d.ivs(at)); err != nil {
		return err
	}
	if n, err := w.WriteAt(buffer, at); err != nil || n < len(buffer) {
		if err == nil {
			err = io.ErrShortWrite
		}
		return err
	}
	return nil
}

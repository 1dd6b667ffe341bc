package selftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// checkSkcipher encrypts and decrypts m in layout l.
func (r *run) checkSkcipher(m *message, l *layout) error {
	c, err := r.keyedSkcipher(m, l)
	if err != nil {
		return err
	}
	iv := r.mem.iv.place(l.iv, m.iv)
	for _, d := range []direction{encryption, decryption} {
		in, want := m.in, m.out
		if d == decryption {
			in, want = want, in
		}
		src, dst := r.mem.operands(l, in, len(want))
		if err := r.crypt(c, d, l, dst, src, iv, m.offset); err != nil {
			return r.failed(d, "error", words(err))
		}
		if !bytes.Equal(dst, want) {
			return r.failed(d, "wrong result", difference(want, dst))
		}
		if err := r.checkSurroundings(d, l); err != nil {
			return err
		}
		if r.traits.sectors && l.manner == whole {
			if err := r.checkSectors(c, d, l, in, m.iv); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyedSkcipher returns the subject's transform with m's key.
func (r *run) keyedSkcipher(m *message, l *layout) (Skcipher, error) {
	c, err := r.subject.skcipher(l.chunk)
	if err != nil {
		return nil, r.fail("allocation failed", words(err))
	}
	if err := c.SetKey(r.mem.key.place(l.key, m.key)); err != nil {
		return nil, r.fail("setkey failed", "expected success, got "+words(err))
	}
	return c, nil
}

// crypt hands src to c in the manner of l. The message begins offset bytes into the keystream.
func (r *run) crypt(c Skcipher, d direction, l *layout, dst, src, iv []byte, offset uint64) error {
	switch {
	case l.manner == whole && offset == 0 && d == encryption:
		return c.Encrypt(dst, src, iv)
	case l.manner == whole && offset == 0:
		return c.Decrypt(dst, src, iv)
	case l.manner == whole || l.manner == anywhere:
		return lastFirst(l.pieces(len(src)), func(from, to int) error {
			return c.XORKeyStreamAt(dst[from:to:to], src[from:to:to], iv, offset+uint64(from))
		})
	}
	s, err := r.subject.Stream(c, iv)
	if err != nil {
		return err
	}
	if closer, ok := s.(io.Closer); ok {
		defer closer.Close()
	}
	if l.manner == seeking {
		return lastFirst(l.pieces(len(src)), func(from, to int) error {
			if err := s.Seek(offset + uint64(from)); err != nil {
				return err
			}
			s.XORKeyStream(dst[from:to:to], src[from:to:to])
			return nil
		})
	}
	if offset > 0 {
		if err := s.Seek(offset); err != nil {
			return err
		}
	}
	from := 0
	for _, to := range l.pieces(len(src)) {
		s.XORKeyStream(dst[from:to:to], src[from:to:to])
		from = to
	}
	return nil
}

// lastFirst calls f with the bounds of every piece, the last piece first.
func lastFirst(ends []int, f func(from, to int) error) error {
	for i := len(ends) - 1; i >= 0; i-- {
		from := 0
		if i > 0 {
			from = ends[i-1]
		}
		if err := f(from, ends[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkCounter checks where the keystream goes on after m: at the IV that Linux's ciphers hand back as the next one.
// Random access at the next block and a message under that next IV must give the same block.
func (r *run) checkCounter(m *message) error {
	l := &commonLayouts[0]
	r.at = place{m, l}
	c, err := r.keyedSkcipher(m, l)
	if err != nil {
		return err
	}
	size := uint64(r.subject.Driver.ChunkSize)
	blocks := (m.offset + uint64(len(m.in)) + size - 1) / size
	next := bytes.Clone(m.iv)
	if !r.traits.counter.advance(next, blocks) {
		return nil // the keystream ends here
	}
	want, got := make([]byte, size), make([]byte, size)
	if err := c.Encrypt(want, want, next); err != nil {
		return r.failed(encryption, "error", "of a block under the next IV: "+words(err))
	}
	if err := c.XORKeyStreamAt(got, got, m.iv, blocks*size); err != nil {
		return r.failed(encryption, "error", "of the block after the message: "+words(err))
	}
	if !bytes.Equal(got, want) {
		return r.failed(encryption, "wrong output IV",
			fmt.Sprintf("the block after the message is not the first one under IV %x: %s", next, difference(want, got)))
	}
	return nil
}

// sectorCount is how many data units one call of the sector check has.
const sectorCount = 3

// checkSectors checks that one call over several sectors equals one call a sector, each of them in, from the sector
// whose number is the low half of tweak.
func (r *run) checkSectors(c Skcipher, d direction, l *layout, in, tweak []byte) error {
	first, n := binary.LittleEndian.Uint64(tweak), len(in)
	first = min(first, math.MaxUint64-sectorCount+1) // numbers past 2^64 are refused
	want := make([]byte, sectorCount*n)
	for i := range sectorCount {
		var iv [16]byte
		binary.LittleEndian.PutUint64(iv[:], first+uint64(i))
		if err := r.crypt(c, d, l, want[i*n:(i+1)*n], in, iv[:], 0); err != nil {
			return r.failed(d, "error", fmt.Sprintf("of data unit %d: %s", first+uint64(i), words(err)))
		}
	}
	src, dst := r.mem.operands(l, bytes.Repeat(in, sectorCount), len(want))
	call := c.EncryptSectors
	if d == decryption {
		call = c.DecryptSectors
	}
	if err := call(dst, src, n, first); err != nil {
		return r.failed(d, "error", fmt.Sprintf("of %d sectors from %d: %s", sectorCount, first, words(err)))
	}
	if !bytes.Equal(dst, want) {
		return r.failed(d, "wrong result in sectors",
			fmt.Sprintf("%d sectors from %d: %s", sectorCount, first, difference(want, dst)))
	}
	return r.checkSurroundings(d, l)
}

package selftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"kcrypto/registry"
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
			return r.failed(d, "error", errorText(err))
		}
		if !bytes.Equal(dst, want) {
			return r.failed(d, "wrong result", difference(want, dst))
		}
		if err := r.checkSurroundings(d, l); err != nil {
			return err
		}
	}
	return nil
}

// keyedSkcipher returns the subject's transform with m's key.
func (r *run) keyedSkcipher(m *message, l *layout) (Skcipher, error) {
	c, err := r.subject.skcipher(l.chunk)
	if err != nil {
		return nil, r.fail("allocation failed", errorText(err))
	}
	if err := c.SetKey(r.mem.key.place(l.key, m.key)); err != nil {
		return nil, r.fail("setkey failed", "expected success, got "+errorText(err))
	}
	return c, nil
}

// crypt hands src to c by the method of l. The message begins offset bytes into the keystream.
func (r *run) crypt(c Skcipher, d direction, l *layout, dst, src, iv []byte, offset uint64) error {
	switch {
	case l.method == sectored && len(src) > 0:
		return oneSector(iv, len(src)).call(c, d, dst, src)
	case l.method == sectored || l.method == whole && offset == 0:
		return unitCall(c, d)(dst, src, iv)
	case l.method == whole || l.method == anywhere:
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
	if l.method == seeking {
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

// unitCall is the method of c that takes one message.
func unitCall(c Skcipher, d direction) func(dst, src, iv []byte) error {
	if d == encryption {
		return c.Encrypt
	}
	return c.Decrypt
}

// oneSector is a run of one sector with that IV.
func oneSector(iv []byte, size int) *sectorRun {
	s := &sectorRun{size, 1, registry.SectorIV{
		First: binary.LittleEndian.Uint64(iv), High: binary.LittleEndian.Uint64(iv[8:]),
	}}
	if s.iv.High > 0 {
		s.iv.Form = registry.IVPlain128
	}
	return s
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
	r.at = position{m, l}
	c, err := r.keyedSkcipher(m, l)
	if err != nil {
		return err
	}
	size := uint64(r.subject.Driver.ChunkSize)
	blocks := (m.offset + uint64(len(m.in)) + size - 1) / size
	next := bytes.Clone(m.iv)
	end := r.subject.Driver.MaxSize
	if !r.traits.counter.advance(next, blocks) || end > 0 && (blocks+1)*size > end {
		return nil // the keystream ends here
	}
	want, got := make([]byte, size), make([]byte, size)
	if err := c.Encrypt(want, want, next); err != nil {
		return r.failed(encryption, "error", "of a block under the next IV: "+errorText(err))
	}
	if err := c.XORKeyStreamAt(got, got, m.iv, blocks*size); err != nil {
		return r.failed(encryption, "error", "of the block after the message: "+errorText(err))
	}
	if !bytes.Equal(got, want) {
		return r.failed(encryption, "wrong output IV",
			fmt.Sprintf("the block after the message is not the first one under IV %x: %s", next, difference(want, got)))
	}
	return nil
}

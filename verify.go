package kcrypto

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kcrypto/registry"
)

// readSize is how many bytes of ciphertext Verify, OpenSeeker and OpenTo have in memory, besides the tag.
const readSize = 64 << 10

// Verify reads a message, which ends with its tag, to the end of r, and returns nil if it is authentic. Nothing is
// decrypted.
//
// Errors: registry.ErrAuth, also for a message shorter than the tag; the errors of AEAD.Sealer; ErrLength; r's own.
func (a *AEAD) Verify(r io.Reader, nonce, additionalData []byte) error {
	var m message
	if err := m.begin(a, nonce, additionalData); err != nil {
		return err
	}
	defer m.drop()
	tag, err := m.read(r, func(ciphertext []byte) error {
		m.hash(ciphertext)
		return nil
	})
	return m.verdict(tag, err)
}

// OpenSeeker reads a message, which ends with its tag, to the end of r twice: it verifies it, and then decrypts it to
// w. So w gets nothing of a message that is not authentic. If what r has changes between the two, that is
// registry.ErrAuth, and w has got what it must not use: a file that others can write needs OpenTo.
//
// It returns the number of bytes that were written. Errors are Verify's, r's and w's.
func (a *AEAD) OpenSeeker(w io.Writer, r io.ReadSeeker, nonce, additionalData []byte) (int64, error) {
	if err := a.complaint(nonce, 0, additionalData); err != nil {
		return 0, err
	}
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if err := a.Verify(r, nonce, additionalData); err != nil {
		return 0, err
	}
	if _, err := r.Seek(start, io.SeekStart); err != nil {
		return 0, err
	}
	return a.open(w, r, nonce, additionalData)
}

// OpenTo reads a message, which ends with its tag, to the end of r, and writes its plaintext to a new file in the
// folder of name, for this user alone. If the message is authentic, that becomes the file name, whatever was there; if
// it is not, or anything fails, it is deleted. Errors are Verify's, r's and the file's.
func (a *AEAD) OpenTo(name string, r io.Reader, nonce, additionalData []byte) (err error) {
	if err := a.complaint(nonce, 0, additionalData); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = a.open(f, r, nonce, additionalData)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// open decrypts what r has to w, which must not be used before it returns without an error.
func (a *AEAD) open(w io.Writer, r io.Reader, nonce, additionalData []byte) (written int64, err error) {
	var m message
	if err := m.begin(a, nonce, additionalData); err != nil {
		return 0, err
	}
	defer m.drop()
	tag, err := m.read(r, func(text []byte) error {
		m.crypt(text, text, true)
		n, err := w.Write(text)
		clear(text)
		written += int64(n)
		return err
	})
	return written, m.verdict(tag, err)
}

// read hands what r has, but for the tag, to piece, and returns the tag. All pieces but the last have readSize bytes.
func (m *message) read(r io.Reader, piece func(ciphertext []byte) error) (tag []byte, err error) {
	buf := make([]byte, readSize+m.tag)
	for have := 0; ; {
		n, err := io.ReadFull(r, buf[have:])
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return nil, err
		}
		n += have - m.tag // of text
		if n < 0 {
			return nil, fmt.Errorf("%w: a message of %d bytes has no room for a tag of %d (%w)",
				errAuth, n+m.tag, m.tag, registry.ErrLength)
		}
		if err := m.complaint(n); err != nil {
			return nil, err
		}
		if err := piece(buf[:n]); err != nil {
			return nil, err
		}
		if end {
			return buf[n:][:m.tag], nil
		}
		have = copy(buf, buf[n:])
	}
}

// verdict ends the message with a tag, if there was no error.
func (m *message) verdict(tag []byte, err error) error {
	if err == nil && !m.endsWith(tag) {
		err = errAuth
	}
	return err
}

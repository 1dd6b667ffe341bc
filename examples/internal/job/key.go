package job

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// MakeKey writes a new random key of size bytes, as hexadecimal digits, to a new file that only its owner can read.
//
// Keys in files are what an example can afford. Who may read them, where their copies are, and when they are replaced
// is key management, which these programs leave to you.
func MakeKey(path string, size int) error {
	key := make([]byte, size)
	rand.Read(key)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%x\n", key)
	return errors.Join(err, f.Close())
}

// ReadKey reads a key of size bytes: raw, or as hexadecimal digits.
func ReadKey(path string, size int) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(text) == size {
		return text, nil
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != size {
		return nil, fmt.Errorf("%s is no key: want %d bytes or %d hexadecimal digits; keygen makes one", path, size, 2*size)
	}
	return key, nil
}

package chacha

import (
	"crypto/cipher"
	"errors"
	"testing"
)

// TestStdlibKey: what Go's own code says of a key is what SetKey says.
func TestStdlibKey(t *testing.T) {
	refused := errors.New("refused")
	s := &stdlib{new: func([]byte) (cipher.AEAD, error) { return nil, refused }}
	if err := s.SetKey(make([]byte, 32)); !errors.Is(err, refused) {
		t.Errorf("SetKey gives %v", err)
	}
}

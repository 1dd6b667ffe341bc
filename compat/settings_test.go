package compat_test

import (
	stdaes "crypto/aes"
	"crypto/cipher"
	"strings"
	"testing"

	"kcrypto/compat/aes"
	"kcrypto/compat/chacha20"
	"kcrypto/compat/chacha20poly1305"
	"kcrypto/compat/internal/equiv"
	"kcrypto/compat/xts"
)

// TestBadSettings: a KCRYPTO variable that cannot be understood is never passed over in silence. It is the error of
// every constructor that has one to return, and the panic of the others.
func TestBadSettings(t *testing.T) {
	equiv.InChild(t, "KCRYPTO=nonsense=1", func(t *testing.T) {
		key := make([]byte, 32)
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		for name, call := range map[string]func() error{
			"cipher.NewGCM":              func() error { _, err := cipher.NewGCM(block); return err },
			"cipher.NewGCMWithNonceSize": func() error { _, err := cipher.NewGCMWithNonceSize(block, 16); return err },
			"cipher.NewCTR":              func() error { cipher.NewCTR(block, key[:16]); return nil },
			"cipher.NewCBCEncrypter":     func() error { cipher.NewCBCEncrypter(block, key[:16]); return nil },
			"cipher.NewCBCDecrypter":     func() error { cipher.NewCBCDecrypter(block, key[:16]); return nil },
			"EncryptBlocks":              func() error { block.(*aes.Block).EncryptBlocks(key, key); return nil },
			"xts.NewCipher":              func() error { _, err := xts.NewCipher(stdaes.NewCipher, key); return err },
			"chacha20": func() error {
				_, err := chacha20.NewUnauthenticatedCipher(key, key[:12])
				return err
			},
			"chacha20poly1305.New":  func() error { _, err := chacha20poly1305.New(key); return err },
			"chacha20poly1305.NewX": func() error { _, err := chacha20poly1305.NewX(key); return err },
		} {
			o := equiv.Of(func() ([]byte, error) { return nil, call() })
			if !strings.Contains(o.Err+o.Panic, "nonsense") {
				t.Errorf("%s: error %q, panic %q; want one that names the setting", name, o.Err, o.Panic)
			}
			hasNoError := name == "cipher.NewCTR" || strings.HasPrefix(name, "cipher.NewCBC") || name == "EncryptBlocks"
			if (o.Panic != "") != hasNoError {
				t.Errorf("%s: error %q, panic %q", name, o.Err, o.Panic)
			}
		}
	})
}

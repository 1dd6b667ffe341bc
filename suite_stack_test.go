package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestStackOperands has IVs, additional data and packets in the caller's stack frame, and begins at every depth of new
// stacks, so that each function below may be the one that makes the stack grow, and move.
func TestStackOperands(t *testing.T) {
	eachAlgorithm(t, registry.TypeAEAD, func(t *testing.T, algorithm string) {
		l := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), func(s *messageMaker) {
			for n := range 8 {
				s.add(n*23, 20)
			}
		})[0]
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			a := newAEAD(t, d, l)
			everyDepth(t, func() error { return sealOnStack(a, &l.messages[5]) })
			everyDepth(t, func() error { return batchOnStack(a, l.messages) })
		})
	})
	eachAlgorithm(t, registry.TypeSkcipher, func(t *testing.T, algorithm string) {
		u := makeUnits(newRandom(t.Name()+algorithm), skModelOf(t, algorithm), func(s *unitMaker) { s.add(160) })[0]
		eachDriver(t, algorithm, func(t *testing.T, d registry.Info) {
			s := newSkcipher(t, d, u.key)
			stream := skModelOf(t, algorithm).keystream != nil
			everyDepth(t, func() error { return encryptOnStack(s, &u.list[0], stream) })
		})
	})
}

// everyDepth calls f on new stacks, deeper and deeper by some 250 bytes: past the sizes of 2 to 32 KiB.
func everyDepth(t *testing.T, f func() error) {
	t.Helper()
	for depth := range 130 {
		failure := make(chan error, 1)
		go func() { failure <- deep(depth, f) }()
		if err := <-failure; err != nil {
			t.Fatalf("%d frames deep: %v", depth, err)
		}
	}
}

func sealOnStack(a *kcrypto.AEAD, m *message) error {
	var nonce, aad [32]byte
	n, l := copy(nonce[:], m.nonce), copy(aad[:], m.aad)
	sealed := a.Seal(make([]byte, 0, 300), nonce[:n], m.text, aad[:l])
	text, err := a.Open(make([]byte, 0, 300), nonce[:n], m.sealed, aad[:l])
	if err != nil || !bytes.Equal(sealed, m.sealed) || !bytes.Equal(text, m.text) {
		return fmt.Errorf("Seal: %s; Open: %s (%w)", difference(sealed, m.sealed), difference(text, m.text), err)
	}
	return nil
}

// batchOnStack seals eight packets and opens them, the third with a bit flipped.
func batchOnStack(a *kcrypto.AEAD, messages []message) error {
	var packets, back [8]kcrypto.Packet
	var nonces [8][32]byte
	for i := range packets {
		m := &messages[i]
		n := copy(nonces[i][:], m.nonce)
		packets[i] = kcrypto.Packet{Nonce: nonces[i][:n], AAD: m.aad, Src: m.text, Dst: make([]byte, 0, 300)}
		back[i] = kcrypto.Packet{Nonce: nonces[i][:n], AAD: m.aad, Src: bytes.Clone(m.sealed), Dst: make([]byte, 0, 300)}
	}
	back[2].Src[0] ^= 1
	a.SealBatch(packets[:])
	if failed := a.OpenBatch(back[:]); failed != 1 || !errors.Is(back[2].Err, registry.ErrAuth) {
		return fmt.Errorf("%d packets failed, the forged one with %w", failed, back[2].Err)
	}
	for i := range packets {
		m := &messages[i]
		if !bytes.Equal(packets[i].Dst, m.sealed) || i != 2 && !bytes.Equal(back[i].Dst, m.text) {
			return fmt.Errorf("packet %d: %w, %w", i, packets[i].Err, back[i].Err)
		}
	}
	return nil
}

func encryptOnStack(s *kcrypto.Skcipher, u *unit, stream bool) error {
	var iv [32]byte
	n := copy(iv[:], u.iv)
	out := make([]byte, len(u.plain))
	if err := s.Encrypt(out, u.plain, iv[:n]); err != nil || !bytes.Equal(out, u.cipher) {
		return fmt.Errorf("Encrypt: %s (%w)", difference(out, u.cipher), err)
	}
	if err := s.Decrypt(out, out, iv[:n]); err != nil || !bytes.Equal(out, u.plain) {
		return fmt.Errorf("Decrypt: %s (%w)", difference(out, u.plain), err)
	}
	if !stream {
		return nil
	}
	if err := s.XORKeyStreamAt(out[7:], out[7:], iv[:n], 7); err != nil || !bytes.Equal(out[7:], u.cipher[7:]) {
		return fmt.Errorf("XORKeyStreamAt: %s (%w)", difference(out[7:], u.cipher[7:]), err)
	}
	return nil
}

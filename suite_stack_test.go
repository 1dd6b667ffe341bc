package kcrypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestStackOperands has IVs, additional data and packets in the caller's stack frame. It starts at every depth of new
// stacks, so that the stack grows, and moves, in each of the functions below.
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

// everyDepth calls f on new stacks, each time some 250 bytes deeper: past the stack sizes of 2 to 32 KiB.
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

// batchOnStack seals eight packets and opens them in place. All memory of the packets is on the stack. One of them is
// forged, and one has no nonce, which ends a run of packets that a driver takes at once.
func batchOnStack(a *kcrypto.AEAD, messages []message) error {
	const forged, noNonce = 2, 5
	var sealing, opening [8]kcrypto.Packet
	var nonces, aads [8][32]byte
	var memory [8][2][192]byte
	for i := range sealing {
		m := &messages[i]
		nonce, aad := nonces[i][:copy(nonces[i][:], m.nonce)], aads[i][:copy(aads[i][:], m.aad)]
		plain, sealed := &memory[i][0], &memory[i][1]
		sealing[i] = kcrypto.Packet{Nonce: nonce, AAD: aad, Src: plain[:copy(plain[:], m.text)], Dst: plain[:0]}
		opening[i] = kcrypto.Packet{Nonce: nonce, AAD: aad, Src: sealed[:copy(sealed[:], m.sealed)], Dst: sealed[:0]}
	}
	opening[forged].Src[0] ^= 1
	opening[noNonce].Nonce = nil
	a.SealBatch(sealing[:])
	failed := a.OpenBatch(opening[:])
	if failed != 2 || !errors.Is(opening[forged].Err, registry.ErrAuth) ||
		!errors.Is(opening[noNonce].Err, registry.ErrNonceSize) {
		return fmt.Errorf("%d packets failed, the forged one with %w, the one without a nonce with %w",
			failed, opening[forged].Err, opening[noNonce].Err)
	}
	for i := range sealing {
		m := &messages[i]
		opened := i == forged || i == noNonce || bytes.Equal(opening[i].Dst, m.text)
		if !bytes.Equal(sealing[i].Dst, m.sealed) || !opened {
			return fmt.Errorf("packet %d: %w, %w", i, sealing[i].Err, opening[i].Err)
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

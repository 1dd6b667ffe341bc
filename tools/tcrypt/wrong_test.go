package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"strings"
	"sync/atomic"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// wrongDriver is gcm(aes) by Go's own code, as a user might bring it. It passes its self-test and computes something
// wrong once wrong is set.
type wrongDriver struct {
	block cipher.Block
	wrong *atomic.Bool
}

func (d *wrongDriver) SetKey(key []byte) (err error) {
	d.block, err = aes.NewCipher(key)
	return err
}

func (d *wrongDriver) Seal(dst, nonce, plaintext, aad []byte) {
	gcm, err := cipher.NewGCMWithTagSize(d.block, len(dst)-len(plaintext))
	if err != nil {
		panic(err)
	}
	copy(dst, gcm.Seal(nil, nonce, plaintext, aad))
	if d.wrong.Load() {
		dst[len(dst)-1] ^= 0x80
	}
}

func (d *wrongDriver) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	gcm, err := cipher.NewGCMWithTagSize(d.block, len(tag))
	if err != nil {
		panic(err)
	}
	plaintext, err := gcm.Open(nil, nonce, append(bytes.Clone(ciphertext), tag...), aad)
	copy(dst, plaintext)
	return err == nil
}

func (d *wrongDriver) Wipe() { d.block = nil }

// A driver that computes something wrong is never timed, whatever its self-test said, and that is an error.
func TestWrongDriver(t *testing.T) {
	var wrong atomic.Bool
	err := kcrypto.Default().Register([]registry.Driver{{
		Algorithm: "gcm(aes)", Name: "gcm-aes-wrong", Impl: "wrong", Module: "wrong.example", Priority: 1,
		Type: registry.TypeAEAD, BlockSize: 1, IVSize: 12, ChunkSize: 16, KeySizes: []int{16, 24, 32},
		AuthSizes: []int{12, 13, 14, 15, 16}, MaxSize: 1<<36 - 32,
		NewAEAD: func(registry.Config) registry.AEAD { return &wrongDriver{wrong: &wrong} },
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := kcrypto.Default().Unregister("gcm-aes-wrong"); err != nil {
			t.Error(err)
		}
	}()
	const want = "tcrypt: gcm(aes), 64 bytes, 128-bit key: gcm-aes-wrong and gcm-aes-generic disagree: nothing was timed\n"
	for _, args := range []string{
		"speed gcm(aes) --drivers all --sizes 64 --keys 128 --time 1ms",
		"speed gcm-aes-wrong --sizes 64 --keys 128 --time 1ms -o csv",
		"compare gcm-aes-wrong go --sizes 64 --keys 128 --time 6ms --count 6",
		"tune gcm(aes) --sizes 64 --keys 128 --time 6ms --count 6",
	} {
		for _, computesWrong := range []bool{false, true} {
			wrong.Store(computesWrong)
			var out, errs strings.Builder
			code := run(t.Context(), strings.Fields(args), &out, &errs)
			if !computesWrong && (code != exitOK || !strings.Contains(out.String(), "gcm-aes-wrong")) {
				t.Errorf("%s: exit code %d, stderr %q, stdout\n%s", args, code, errs.String(), out.String())
			}
			if computesWrong && (code != exitFailed || errs.String() != want || strings.Contains(out.String(), "\n  64")) {
				t.Errorf("%s: exit code %d, stderr %q, stdout\n%s", args, code, errs.String(), out.String())
			}
		}
	}
}

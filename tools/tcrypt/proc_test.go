package main

import (
	"bytes"
	"testing"

	"kcrypto/registry"
)

// The first record is one of a real /proc/crypto (Linux 6.18); the second has its form for an AEAD.
const procGolden = `name         : ecb(cipher_null)
driver       : ecb-cipher_null
module       : kernel
priority     : 100
refcnt       : 1
selftest     : passed
internal     : no
type         : skcipher
async        : no
blocksize    : 1
min keysize  : 0
max keysize  : 0
ivsize       : 0
chunksize    : 1
walksize     : 1
statesize    : 0

name         : gcm(aes)
driver       : gcm-aes-generic
module       : kcrypto
priority     : 100
refcnt       : 2
selftest     : unknown
internal     : no
type         : aead
async        : no
blocksize    : 1
ivsize       : 12
maxauthsize  : 16
geniv        : <none>

`

func TestProc(t *testing.T) {
	var out bytes.Buffer
	writeProc(&out, []registry.Info{
		{
			Algorithm: "ecb(cipher_null)", Driver: "ecb-cipher_null", Module: "kernel", Priority: 100, Refcount: 1,
			SelfTest: registry.Passed, Type: registry.TypeSkcipher, BlockSize: 1, ChunkSize: 1, KeySizes: []int{0},
		},
		{
			Algorithm: "gcm(aes)", Driver: "gcm-aes-generic", Module: "kcrypto", Priority: 100, Refcount: 2,
			SelfTest: registry.Failed, Type: registry.TypeAEAD, BlockSize: 1, IVSize: 12, ChunkSize: 16,
			MaxAuthSize: 16, KeySizes: []int{16, 24, 32},
		},
	})
	if out.String() != procGolden {
		t.Errorf("got\n%swant\n%s", out.String(), procGolden)
	}
}

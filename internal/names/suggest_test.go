package names

import (
	"slices"
	"strings"
	"testing"
)

var ours = []string{"gcm(aes)", "xts(aes)", "ctr(aes)", "xctr(aes)", "cbc(aes)", "cts(cbc(aes))", "ecb(aes)",
	"chacha20",
	"xchacha20", "xchacha12", "rfc7539(chacha20,poly1305)", "xchacha20poly1305", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))",
	"rfc3686(ctr(aes))", "rfc7539esp(chacha20,poly1305)", "essiv(cbc(aes),sha256)", "ccm(aes)",
	"gcm-aes-generic", "gcm-aes-vaes-avx512", "xts-aes-generic", "chacha20-generic", "chacha20poly1305-avx2"}

// TestSuggest: names of OpenSSL, cryptsetup, Go, Java, TLS, JOSE, COSE, SSH, libsodium and the kernel's drivers.
func TestSuggest(t *testing.T) {
	for want, words := range map[string]string{
		"gcm(aes)": "aes-256-gcm AES-128-GCM id-aes192-GCM aes256gcm EVP_aes_256_gcm cipher.NewGCM AES-GCM " +
			"AES/GCM/NoPadding A256GCM TLS_AES_128_GCM_SHA256 aes128-gcm@openssh.com AEAD_AES_256_GCM GCM",
		"ctr(aes)":          "AES-128-CTR aes256-ctr NewCTR AES/CTR/NoPadding aes-ctr",
		"xts(aes)":          "aes-xts-plain64 AES-256-XTS aes-xts XTS-AES-128 xts-plain64",
		"ecb(aes)":          "aes-128-ecb AES/ECB/NoPadding",
		"cbc(aes)":          "aes-256-cbc NewCBCEncrypter AES/CBC/PKCS5Padding aes-cbc-plain64",
		"cts(cbc(aes))":     "aes-128-cbc-cts AES-256-CBC-CTS",
		"ccm(aes)":          "aes-128-ccm AES/CCM/NoPadding TLS_AES_128_CCM_SHA256 NewCCM",
		"chacha20":          "ChaCha20 CHACHA20",
		"xchacha20":         "XChaCha20",
		"xchacha12":         "XChaCha12",
		"xchacha20poly1305": "XChaCha20-Poly1305 crypto_aead_xchacha20poly1305_ietf xchacha20_poly1305",
		"rfc7539(chacha20,poly1305)": "chacha20-poly1305 ChaCha20-Poly1305 TLS_CHACHA20_POLY1305_SHA256 " +
			"chacha20poly1305.New AEAD_CHACHA20_POLY1305 chacha20poly1305_ietf",
		"essiv(cbc(aes),sha256)": "aes-cbc-essiv:sha256",
		"rfc4106(gcm(aes))":      "rfc4106-gcm-aes rfc4106",
		"gcm-aes-generic":        "gcm-aes-generc",
		"gcm-aes-vaes-avx512":    "gcm-aes-vaes_avx512",
		"": "aes-256-ocb camellia-256-gcm aes-256-gcm-siv A128CBC-HS256 " +
			"chacha20-poly1305@openssh.com twofish 1 A128GCMKW",
	} {
		for word := range strings.FieldsSeq(words) {
			if slices.Contains(ours, word) {
				t.Errorf("%s is a name of ours: nobody would ask", word)
			}
			var got string
			if list := Suggest(word, ours); len(list) > 0 {
				got = list[0]
			}
			if got != want {
				t.Errorf("%s: %q is suggested, want %q", word, got, want)
			}
		}
	}
	if got := Suggest("aes-256-gcm", []string{"xts(aes)"}); len(got) > 0 {
		t.Errorf("aes-256-gcm where there is no GCM: %q", got)
	}
}

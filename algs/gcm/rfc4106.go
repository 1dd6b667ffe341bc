package gcm

import (
	"kcrypto/algs/internal/esp"
	"kcrypto/registry"
)

// rfc4106Template is AES-GCM as ESP encrypts with it (RFC 4106). The nonce of its calls is the 8 bytes of explicit IV.
// The additional data is SPI|SN, 8 or 12 bytes, and passes unchanged.
func rfc4106Template() registry.Template {
	return espTemplate("rfc4106", []int{8, 12, 16},
		func(*registry.Driver) {},
		func(s esp.Salted) registry.AEAD { return &esp.AEAD{Salted: s} })
}

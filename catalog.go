package kcrypto

import (
	"slices"

	"kcrypto/algs/cbc"
	"kcrypto/algs/ccm"
	"kcrypto/algs/chacha"
	"kcrypto/algs/ctr"
	"kcrypto/algs/ecb"
	"kcrypto/algs/gcm"
	"kcrypto/algs/xts"
	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// catalog is the table of this module's drivers with their priorities on a machine with the features f.
func catalog(f cpu.Features, s *settings) []registry.Driver {
	all := slices.Concat(
		gcm.Drivers(), xts.Drivers(), ctr.Drivers(), cbc.Drivers(), ccm.Drivers(), ecb.Drivers(), chacha.Drivers())
	ymm := preferYMM(s.preferYMM, f)
	for i := range all {
		all[i].Priority = priority(&all[i], ymm)
	}
	for _, d := range slices.Concat(
		gcm.StdlibDrivers(), ctr.StdlibDrivers(), cbc.StdlibDrivers(), chacha.StdlibDrivers()) {
		d.Priority = stdlibPriority(d.Accelerated)
		if d.AES && s.masksAES() {
			d.Unavailable = func() string { return "aes is masked by configuration, which Go's own code does not honour" }
		}
		all = append(all, d.Driver)
	}
	return all
}

// templates is the table of constructors that wrap a driver of one algorithm into one of another.
func templates() []registry.Template {
	return slices.Concat(gcm.Templates(), ccm.Templates(), ctr.Templates(), cbc.Templates(), chacha.Templates())
}

// aliases maps names that Linux knows, or knew, to ours. Linux renamed drivers more than once and broke the programs
// that had asked for them by name; an explicit table costs nothing.
var aliases = map[string]string{
	"chacha20poly1305":                                        "rfc7539(chacha20,poly1305)",
	"xchacha20-poly1305":                                      "xchacha20poly1305",
	"generic-gcm-aesni":                                       "gcm-aes-aesni",
	"generic-gcm-aesni-avx":                                   "gcm-aes-aesni-avx",
	"generic-gcm-vaes-avx2":                                   "gcm-aes-vaes-avx2",
	"generic-gcm-vaes-avx512":                                 "gcm-aes-vaes-avx512",
	"generic-gcm-vaes-avx10_512":                              "gcm-aes-vaes-avx512",
	"rfc4106-gcm-aesni":                                       "rfc4106(gcm-aes-aesni)",
	"rfc4106-gcm-aesni-avx":                                   "rfc4106(gcm-aes-aesni-avx)",
	"rfc4106-gcm-vaes-avx2":                                   "rfc4106(gcm-aes-vaes-avx2)",
	"rfc4106-gcm-vaes-avx512":                                 "rfc4106(gcm-aes-vaes-avx512)",
	"gcm_base(ctr(aes),ghash)":                                "gcm(aes)",
	"gcm_base(ctr(aes-generic),ghash-generic)":                "gcm-aes-generic",
	"gcm-aes-lib":                                             "gcm-aes-generic",
	"rfc4106-gcm-aes-lib":                                     "rfc4106(gcm-aes-generic)",
	"ccm-aes-lib":                                             "ccm-aes-generic",
	"ccm_base(ctr(aes),cbcmac(aes))":                          "ccm(aes)",
	"ccm_base(ctr(aes-generic),cbcmac(aes-generic))":          "ccm-aes-generic",
	"ccm_base(ctr(aes-lib),cbcmac(aes-lib))":                  "ccm-aes-generic",
	"ccm_base(ctr(aes-lib),cbcmac-aes-lib)":                   "ccm-aes-generic",
	"rfc4309(ccm_base(ctr(aes-generic),cbcmac(aes-generic)))": "rfc4309(ccm-aes-generic)",
	"rfc4309(ccm_base(ctr(aes-lib),cbcmac(aes-lib)))":         "rfc4309(ccm-aes-generic)",
	"rfc4309(ccm_base(ctr(aes-lib),cbcmac-aes-lib))":          "rfc4309(ccm-aes-generic)",
	"ctr(aes-generic)":                                        "ctr-aes-generic",
	"ctr(aes-lib)":                                            "ctr-aes-generic",
	"ctr-aes-lib":                                             "ctr-aes-generic",
	"xctr(aes-generic)":                                       "xctr-aes-generic",
	"xctr(aes-lib)":                                           "xctr-aes-generic",
	"xctr-aes-lib":                                            "xctr-aes-generic",
	"cbc(aes-generic)":                                        "cbc-aes-generic",
	"cbc(ecb(aes-generic))":                                   "cbc-aes-generic",
	"cbc(aes-lib)":                                            "cbc-aes-generic",
	"cbc(ecb(aes-lib))":                                       "cbc-aes-generic",
	"cbc-aes-lib":                                             "cbc-aes-generic",
	"cts(cbc(aes-generic))":                                   "cts-cbc-aes-generic",
	"cts(cbc(ecb(aes-generic)))":                              "cts-cbc-aes-generic",
	"cts(cbc(aes-lib))":                                       "cts-cbc-aes-generic",
	"cts(cbc(ecb(aes-lib)))":                                  "cts-cbc-aes-generic",
	"cts(cbc-aes-lib)":                                        "cts-cbc-aes-generic",
	"cts(cbc-aes-aesni)":                                      "cts-cbc-aes-aesni",
	"cts-cbc-aes-lib":                                         "cts-cbc-aes-generic",
	"essiv(cbc(aes-generic),sha256-lib)":                      "essiv(cbc-aes-generic,sha256)",
	"essiv(cbc(aes-generic),sha256-generic)":                  "essiv(cbc-aes-generic,sha256)",
	"essiv(cbc(ecb(aes-generic)),sha256-generic)":             "essiv(cbc-aes-generic,sha256)",
	"essiv(cbc-aes-lib,sha256-lib)":                           "essiv(cbc-aes-generic,sha256)",
	"essiv(cbc-aes-aesni,sha256-generic)":                     "essiv(cbc-aes-aesni,sha256)",
	"essiv(cbc-aes-aesni,sha256-lib)":                         "essiv(cbc-aes-aesni,sha256)",
	"essiv(cbc-aes-aesni,sha256-avx2)":                        "essiv(cbc-aes-aesni,sha256)",
	"essiv(cbc-aes-aesni,sha256-ni)":                          "essiv(cbc-aes-aesni,sha256)",
	"ecb(aes-generic)":                                        "ecb-aes-generic",
	"ecb(aes-lib)":                                            "ecb-aes-generic",
	"ecb-aes-lib":                                             "ecb-aes-generic",
	"xts(ecb(aes-generic))":                                   "xts-aes-generic",
	"xts(ecb(aes-lib))":                                       "xts-aes-generic",
	"xts(aes-generic)":                                        "xts-aes-generic",
	"xts-aes-lib":                                             "xts-aes-generic",
	"xts-aes-vaes-avx10_512":                                  "xts-aes-vaes-avx512",
	"chacha20-simd":                                           "chacha20",
	"chacha20-lib":                                            "chacha20",
	"xchacha20-simd":                                          "xchacha20",
	"xchacha20-lib":                                           "xchacha20",
	"xchacha12-simd":                                          "xchacha12",
	"xchacha12-lib":                                           "xchacha12",
	"rfc7539(chacha20-generic,poly1305-generic)":              "chacha20poly1305-generic",
	"rfc7539(chacha20-simd,poly1305-simd)":                    "rfc7539(chacha20,poly1305)",
	"rfc7539(chacha20-lib,poly1305-generic)":                  "rfc7539(chacha20,poly1305)",
	"rfc7539esp(chacha20-generic,poly1305-generic)":           "rfc7539esp(chacha20poly1305-generic)",
}

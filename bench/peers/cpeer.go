package main

/*
#cgo CFLAGS: -O2 -Wall
#cgo LDFLAGS: -lIPSec_MB -lcrypto -lgcrypt
#include "peer.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

var libraries = []struct {
	name    string
	version func() *C.char
	make    func(alg C.enum_peer_alg, key *C.uint8_t, n C.size_t, decrypt C.int) *C.peer
}{
	{"ipsecmb", func() *C.char { return C.ipsecmb_version() },
		func(a C.enum_peer_alg, k *C.uint8_t, n C.size_t, d C.int) *C.peer { return C.ipsecmb_new(a, k, n, d) }},
	{"openssl", func() *C.char { return C.openssl_version() },
		func(a C.enum_peer_alg, k *C.uint8_t, n C.size_t, d C.int) *C.peer { return C.openssl_new(a, k, n, d) }},
	{"gcrypt", func() *C.char { return C.gcrypt_version() },
		func(a C.enum_peer_alg, k *C.uint8_t, n C.size_t, d C.int) *C.peer { return C.gcrypt_new(a, k, n, d) }},
}

var cAlgs = map[string]C.enum_peer_alg{
	"gcm(aes)": C.PEER_GCM, "ctr(aes)": C.PEER_CTR, "xts(aes)": C.PEER_XTS, "cbc(aes)": C.PEER_CBC,
	"cts(cbc(aes))":              C.PEER_CTS,
	"chacha20":                   C.PEER_CHACHA20,
	"rfc7539(chacha20,poly1305)": C.PEER_CHACHAPOLY,
}

// cPeers makes a contender of every C library that has the algorithm.
func cPeers(c test) []contender {
	alg, ok := cAlgs[c.alg]
	if !ok {
		return nil
	}
	var list []contender
	for _, lib := range libraries {
		decrypt := C.int(0)
		if c.decrypt {
			decrypt = 1
		}
		p := lib.make(alg, (*C.uint8_t)(&c.key[0]), C.size_t(len(c.key)), decrypt)
		if p == nil {
			continue
		}
		x := contender{name: lib.name, run: cRun(p)}
		if lib.name == "ipsecmb" && c.alg == "cbc(aes)" && !c.decrypt {
			x.most = 1<<16 - 1 // its lanes count bytes in 16 bits
		}
		list = append(list, x)
	}
	return list
}

// cRun loops inside C: a cgo call costs about 46 ns, which would say more about Go than about the library.
func cRun(p *C.peer) func(m *message, rounds int) error {
	return func(m *message, rounds int) error {
		dst, src := (*C.uint8_t)(unsafe.Pointer(&m.dst[0])), (*C.uint8_t)(unsafe.Pointer(&m.src[0]))
		bad := C.peer_run(p, C.long(rounds), dst, src, C.size_t(m.n), (*[16]C.uint8_t)(unsafe.Pointer(&m.ivs)),
			C.uint(m.turn), (*C.uint8_t)(&m.aad[0]), (*C.uint8_t)(&m.tag[0]))
		if p.decrypt == 0 {
			m.turn += rounds
		}
		if bad != 0 {
			return fmt.Errorf("the library reports an error")
		}
		return nil
	}
}

func versions() map[string]string {
	v := map[string]string{}
	for _, lib := range libraries {
		v[lib.name] = C.GoString(lib.version())
	}
	return v
}

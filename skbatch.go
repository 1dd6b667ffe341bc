package kcrypto

import (
	"runtime"

	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// Request is one message of a batch: see Skcipher.EncryptBatch and Skcipher.DecryptBatch.
//
// Dst, Src and IV are Encrypt's: the result is written to Dst[:len(Src)]. To work in place use Src as Dst. Err is set
// by every call: nil, or what was wrong with this request, for which nothing is written then.
type Request = registry.Request

// EncryptBatch is Encrypt for each of the requests, and faster where the driver works on several messages at once:
// encryption by cbc(aes), whose blocks depend on each other within a message. Sizes may be mixed; equal ones are
// fastest. The order does not matter. Nothing is allocated. Concurrency is as for Encrypt.
//
// It returns how many requests failed. What is wrong with one stands in its Err, and the others are done. The errors
// are those of Encrypt, and ErrDriver, or the driver's own, if one of another module failed.
//
// What is written for one request must not share memory with anything of another request; else what comes out for those
// is unspecified. Inputs may be shared.
func (s *Skcipher) EncryptBatch(requests []Request) (failed int) {
	return s.batch(requests, registry.EncryptAll)
}

// DecryptBatch is the inverse of EncryptBatch, with the same rules.
func (s *Skcipher) DecryptBatch(requests []Request) (failed int) {
	return s.batch(requests, registry.DecryptAll)
}

// batch gives runs of requests without a mistake to the driver.
func (s *Skcipher) batch(requests []Request, crypt func(c registry.Skcipher, run []Request)) (failed int) {
	for len(requests) > 0 {
		most := noescape.Slice(requests[:min(len(requests), maxBatch)])
		n := 0
		for n < len(most) && s.accepts(&most[n]) {
			n++
		}
		if n > 0 {
			crypt(s.impl, most[:n])
			for i := range most[:n] { // a driver of another module may fail
				if most[i].Err != nil {
					failed++
				}
			}
		}
		if n < len(most) {
			failed++
			n++
		}
		requests = requests[n:]
	}
	runtime.KeepAlive(s) // the cleanup wipes the key
	return failed
}

// accepts sets the error of a request and reports whether there is none.
func (s *Skcipher) accepts(p *Request) bool {
	if err := s.check(p.Dst, p.Src, p.IV); err != nil || p.Err != nil {
		p.Err = err // a store of a pointer costs more than the question
	}
	return p.Err == nil
}

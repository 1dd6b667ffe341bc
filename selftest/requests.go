package selftest

import (
	"bytes"
	"fmt"

	"kcrypto/registry"
)

// requester is a Skcipher that takes many messages at once.
type requester interface {
	Skcipher
	EncryptBatch(requests []registry.Request) (failed int)
	DecryptBatch(requests []registry.Request) (failed int)
}

// requestCounts are the numbers of requests of the batches: few, and one more than the lanes of any driver.
var requestCounts = []int{3, 33}

// checkRequests encrypts and decrypts count messages in one call each, every other one in place, and expects what one
// call a message gives.
func (r *run) checkRequests(count int) error {
	m := r.plainMessage(0)
	r.at = position{m, &layout{label: fmt.Sprintf("batch of %d requests", count)}}
	single, err := r.keyedSkcipher(m, r.at.layout)
	if err != nil {
		return err
	}
	c, ok := single.(requester)
	if !ok {
		return nil
	}
	start := r.rng.IntN(len(batchLengths))
	plain, sealed := make([]registry.Request, count), make([]registry.Request, count)
	for i := range plain {
		text := r.rng.bytes(legalLength(&r.subject.Driver, inTurn(start+i*5, batchLengths)))
		plain[i] = registry.Request{Src: text, IV: bytes.Clone(m.iv), Dst: make([]byte, len(text)), Err: errStale}
		if len(m.iv) > 0 {
			plain[i].IV[0] ^= byte(i)
		}
		if err := c.Encrypt(plain[i].Dst, text, plain[i].IV); err != nil {
			return r.failed(encryption, "error", errorText(err))
		}
		sealed[i] = plain[i]
		sealed[i].Src, sealed[i].Dst = plain[i].Dst, text
	}
	if err := r.batchOf(plain, encryption, c.EncryptBatch); err != nil {
		return err
	}
	return r.batchOf(sealed, decryption, c.DecryptBatch)
}

// batchOf has call do the messages, whose Dst are the right answers.
func (r *run) batchOf(messages []registry.Request, d direction, call func(requests []registry.Request) int) error {
	requests := ownMemory(messages)
	failed := call(requests)
	for i := range requests {
		if p, want := &requests[i], messages[i].Dst; failed != 0 || p.Err != nil || !bytes.Equal(p.Dst, want) {
			return r.failed(d, "wrong batch", fmt.Sprintf("request %d of %d bytes differs from a single call (error %v)",
				i, len(want), p.Err))
		}
	}
	return nil
}

// ownMemory copies messages to memory of their own, without the answers. The odd ones are in place.
func ownMemory(messages []registry.Request) []registry.Request {
	requests := make([]registry.Request, len(messages))
	for i, m := range messages {
		m.Src, m.Dst = bytes.Clone(m.Src), make([]byte, len(m.Src))
		if i%2 == 1 {
			m.Dst = m.Src
		}
		requests[i] = m
	}
	return requests
}

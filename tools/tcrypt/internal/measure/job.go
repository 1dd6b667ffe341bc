package measure

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"

	"kcrypto"
	"kcrypto/tools/tcrypt/internal/result"
)

// FirstSector is the number of the first sector in calls for many.
const FirstSector = 1 << 33

// A skcipher is what the transforms of kcrypto and of Go that are no AEAD have in common.
type skcipher interface {
	Encrypt(dst, src, iv []byte) error
	Decrypt(dst, src, iv []byte) error
}

// A sectorCipher is a skcipher that takes many sectors in one call.
type sectorCipher interface {
	EncryptSectors(dst, src []byte, sectorSize int, first uint64) error
	DecryptSectors(dst, src []byte, sectorSize int, first uint64) error
}

// A job is one message, or one run of sectors, to be encrypted, or decrypted, over and over.
type job struct {
	in, out  arena  // where src and dst lie
	side     arena  // where iv and aad lie
	src, dst []byte // dst is as long as the result: with a tag after encryption by an AEAD
	want     []byte // the result
	iv, aad  []byte
	sector   int // bytes; 0: one message
	decrypt  bool
	batched  bool   // a run does the message and those beside it, in one call where there is one for many
	beside   []*job // the same in other places
}

// newJob makes a message of size bytes, and what must come out according to reference.
func (s *Series) newJob(size int, reference *Contender) (*job, error) {
	plain, text := pattern(size), make([]byte, size+s.Tag)
	j := &job{src: plain, dst: text, iv: IV(s.Info.IVSize), aad: pattern(s.AAD), sector: s.Sector,
		batched: s.Batch > 0}
	if err := j.do(reference.transform); err != nil {
		return nil, err
	}
	j.want = text
	if s.Direction == result.Decrypt {
		j.src, j.want, j.decrypt = text, plain, true
	}
	one := *j
	for range s.Batch - 1 {
		other := one
		j.beside = append(j.beside, &other)
	}
	for _, one := range append(j.beside, j) {
		one.in, one.out, one.side = newArena(len(j.src)), newArena(len(j.want)), newArena(len(j.iv)+len(j.aad))
	}
	j.move()
	return j, nil
}

// move brings the message, or all of them, to another place.
func (j *job) move() {
	src, iv, aad := j.src, slices.Clone(j.iv), slices.Clone(j.aad)
	j.src, j.dst = j.in.place(), j.out.place()
	side := j.side.place()
	j.iv, j.aad = side[:len(iv):len(iv)], side[len(iv):]
	copy(j.iv, iv)
	copy(j.aad, aad)
	copy(j.src, src)
	for _, one := range j.beside {
		one.move()
	}
}

// messages is how many a run does.
func (j *job) messages() int { return 1 + len(j.beside) }

// errCannot is what check returns for a contender that does not do such jobs.
var errCannot = errors.New("cannot do it")

// check has c do the job, and compares.
func (j *job) check(c *Contender, reference string) error {
	clear(j.dst)
	if err := j.do(c.transform); err != nil {
		return fmt.Errorf("%s %w: %w", c.Driver, errCannot, err)
	}
	if !bytes.Equal(j.dst, j.want) {
		return fmt.Errorf("%s and %s disagree", c.Driver, reference)
	}
	return j.checkBatch(c)
}

// checkBatch does a run, and compares the results of a call for many messages.
func (j *job) checkBatch(c *Contender) error {
	if !j.batched {
		return nil
	}
	all := append([]*job{j}, j.beside...)
	for _, one := range all {
		clear(one.dst)
	}
	j.op(c.transform)(1)
	for i, one := range all {
		if !bytes.Equal(one.dst, j.want) {
			return fmt.Errorf("%s computes another result for message %d of %d than for one alone", c.Driver, i+1, len(all))
		}
	}
	return nil
}

// do runs the job once with transform t, which is a cipher.AEAD or a skcipher.
func (j *job) do(t any) error {
	if j.sector > 0 {
		return j.sectors(t)(j.dst, j.src, j.sector, FirstSector)
	}
	switch t := t.(type) {
	case cipher.AEAD:
		if j.decrypt {
			_, err := t.Open(j.dst[:0], j.iv, j.src, j.aad)
			return err
		}
		t.Seal(j.dst[:0], j.iv, j.src, j.aad)
		return nil
	case skcipher:
		if j.decrypt {
			return t.Decrypt(j.dst, j.src, j.iv)
		}
		return t.Encrypt(j.dst, j.src, j.iv)
	}
	return fmt.Errorf("%T is no transform", t)
}

// op is do as something to time, for all messages of the job: in one call where t has one, else in turn.
func (j *job) op(t any) Op {
	if !j.batched {
		return j.one(t)
	}
	switch b := t.(type) {
	case batcher:
		return j.batch(b)
	case requester:
		return j.requests(b)
	}
	ops := []Op{j.one(t)}
	for _, one := range j.beside {
		ops = append(ops, one.one(t))
	}
	return func(n int) {
		for range n {
			for _, op := range ops {
				op(1)
			}
		}
	}
}

// A batcher is an AEAD that takes many messages in one call.
type batcher interface {
	SealBatch([]kcrypto.Packet)
	OpenBatch([]kcrypto.Packet) (failed int)
}

// batch is op for a batcher.
func (j *job) batch(b batcher) Op {
	all := append([]*job{j}, j.beside...)
	packets := make([]kcrypto.Packet, len(all))
	for i, one := range all {
		packets[i] = kcrypto.Packet{Nonce: one.iv, Src: one.src, AAD: one.aad}
	}
	call := b.SealBatch
	if j.decrypt {
		call = func(packets []kcrypto.Packet) { b.OpenBatch(packets) }
	}
	return func(n int) {
		for range n {
			for i, one := range all {
				packets[i].Dst = one.dst[:0] // the result was appended there
			}
			call(packets)
		}
	}
}

// A requester is a skcipher that takes many messages in one call.
type requester interface {
	EncryptBatch([]kcrypto.Request) (failed int)
	DecryptBatch([]kcrypto.Request) (failed int)
}

// requests is op for a requester.
func (j *job) requests(b requester) Op {
	var requests []kcrypto.Request
	for _, one := range append([]*job{j}, j.beside...) {
		requests = append(requests, kcrypto.Request{Dst: one.dst, Src: one.src, IV: one.iv})
	}
	call := b.EncryptBatch
	if j.decrypt {
		call = b.DecryptBatch
	}
	return func(n int) {
		for range n {
			call(requests)
		}
	}
}

// one is op for one message. The loops have nothing in them but the call; what do returned for the same job was
// checked before.
func (j *job) one(t any) Op {
	dst, src, iv, aad := j.dst, j.src, j.iv, j.aad
	if a, ok := t.(cipher.AEAD); ok {
		if j.decrypt {
			return func(n int) {
				for range n {
					_, _ = a.Open(dst[:0], iv, src, aad)
				}
			}
		}
		return func(n int) {
			for range n {
				a.Seal(dst[:0], iv, src, aad)
			}
		}
	}
	if j.sector > 0 {
		call, sector := j.sectors(t), j.sector
		return func(n int) {
			for range n {
				_ = call(dst, src, sector, FirstSector)
			}
		}
	}
	call := t.(skcipher).Encrypt
	if j.decrypt {
		call = t.(skcipher).Decrypt
	}
	return func(n int) {
		for range n {
			_ = call(dst, src, iv)
		}
	}
}

// sectors is the method of t for a run of sectors.
func (j *job) sectors(t any) func(dst, src []byte, sectorSize int, first uint64) error {
	if j.decrypt {
		return t.(sectorCipher).DecryptSectors
	}
	return t.(sectorCipher).EncryptSectors
}

// pattern returns n bytes that look like nothing in particular.
func pattern(n int) []byte {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// Key returns the key of n bytes that is measured with.
func Key(n int) []byte { return pattern(n) }

// IV returns an IV of n bytes whose block counter, if it has one, is far from its end: that is the first four
// bytes of chacha20's and the last eight of xchacha20's.
func IV(n int) []byte {
	iv := make([]byte, n)
	copy(iv[min(4, n):], pattern(4))
	return iv
}

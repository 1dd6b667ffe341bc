package main

import (
	"bytes"
	"context"
	"crypto/cipher"
	"fmt"

	"kcrypto"
	"kcrypto/internal/limits"
	"kcrypto/registry"
)

// A contender is one implementation with a key, ready to be timed.
type contender struct {
	driver    string       // or goName
	impl      string       // or goName
	transform any          // a cipher.AEAD or a skcipher
	setKey    func() error // sets the same key again
	close     func() error
}

// contend makes the transform of driver, or Go's, with a key.
func contend(info registry.Info, driver string, key []byte) (contender, error) {
	if driver == goName {
		build := goPeers[info.Algorithm]
		t, err := build(key)
		setKey := func() error { _, err := build(key); return err }
		return contender{goName, goName, t, setKey, func() error { return nil }}, err
	}
	if info.Type == registry.TypeAEAD {
		a, err := kcrypto.NewAEAD(driver, key)
		if err != nil {
			return contender{}, err
		}
		return contender{a.Driver(), a.Info().Impl, a, func() error { return a.SetKey(key) }, a.Close}, nil
	}
	s, err := kcrypto.NewSkcipher(driver, key)
	if err != nil {
		return contender{}, err
	}
	return contender{s.Driver(), s.Info().Impl, s, func() error { return s.SetKey(key) }, s.Close}, nil
}

// reference makes the driver that the others are compared with: the generic one or, where that cannot be had, the
// first of those that are timed.
func (s series) reference(key []byte) (contender, error) {
	for _, info := range kcrypto.Drivers(s.info.Algorithm) {
		if info.Impl != "generic" {
			continue
		}
		if c, err := contend(info, info.Driver, key); err == nil {
			return c, nil
		}
	}
	return contend(s.info, s.drivers[0], key)
}

// A runner carries out a plan.
type runner struct {
	meter    meter
	rates    limits.Rates // of the machine
	progress *progress
	done     int // steps of the plan
	total    int
}

// series measures s. When ctx ends it returns what it has, with ctx's error.
func (r *runner) series(ctx context.Context, s series) ([]result, error) {
	key := keyOf(s.keySize)
	reference, err := s.reference(key)
	if err != nil {
		return nil, err
	}
	defer reference.close()
	var cs []contender
	for _, d := range s.drivers {
		c, err := contend(s.info, d, key)
		if err != nil {
			return nil, err
		}
		defer c.close()
		cs = append(cs, c)
	}
	setKey, err := r.setKey(ctx, s, cs)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, size := range s.sizes {
		r.step(s, fmt.Sprintf("%d bytes", size))
		rs, err := r.size(ctx, s, size, reference, cs)
		for i := range rs {
			rs[i].SetKeyNS = setKey[rs[i].Driver]
			rs[i].compare(r.rates, s)
		}
		all = append(all, rs...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func (r *runner) step(s series, what string) {
	r.progress.say(r.done, r.total, fmt.Sprintf("%s, %d-bit key, %s", s.info.Algorithm, 8*s.keySize, what))
	r.done++
}

// setKey measures the key set-up in ns, by driver.
func (r *runner) setKey(ctx context.Context, s series, cs []contender) (map[string]float64, error) {
	r.step(s, "key set-up")
	ops := make([]op, len(cs))
	for i, c := range cs {
		ops[i] = func(n int) {
			for range n {
				_ = c.setKey() // the same key was accepted before
			}
		}
	}
	samples := r.meter.interleave(ctx, ops)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	ns := map[string]float64{}
	for i, c := range cs {
		ns[c.driver], _ = median(samples[i])
	}
	return ns, nil
}

// size measures one message size, after a look at what each contender computes. Go's code is left out where it
// cannot do the job.
func (r *runner) size(ctx context.Context, s series, size int, reference contender, cs []contender) ([]result, error) {
	j, want, err := newJob(s, size, reference)
	if err != nil {
		return nil, err
	}
	var ready []contender
	var ops []op
	for _, c := range cs {
		clear(j.dst)
		if err := j.do(c.transform); err != nil && c.driver == goName {
			continue
		} else if err != nil {
			return nil, err
		}
		if !bytes.Equal(j.dst, want) {
			return nil, fmt.Errorf("%s and %s disagree on %s with %d bytes and a %d-bit key: nothing more was timed",
				c.driver, reference.driver, s.info.Algorithm, size, 8*s.keySize)
		}
		ready, ops = append(ready, c), append(ops, j.op(c.transform))
	}
	samples := r.meter.interleave(ctx, append(ops, chain))
	if len(samples[len(ops)]) < minRounds {
		return nil, ctx.Err()
	}
	return summarize(s, j, size, ready, samples), ctx.Err()
}

// newJob makes a message of size bytes, and what must come out according to reference.
func newJob(s series, size int, reference contender) (j job, want []byte, err error) {
	tag := 0
	j = job{iv: ivOf(s.info.IVSize), sector: s.sector}
	if a, ok := reference.transform.(cipher.AEAD); ok {
		tag, j.aad = a.Overhead(), pattern(aadSize(s.info))
	}
	plain, text := pattern(size), make([]byte, size+tag)
	j.src, j.dst = plain, text
	if err := j.do(reference.transform); err != nil {
		return j, nil, err
	}
	if s.decrypt {
		j.src, j.dst, j.decrypt = text, make([]byte, size), true
		return j, plain, nil
	}
	j.dst = make([]byte, size+tag)
	return j, text, nil
}

// aadSize is how many bytes of additional data go with each message: the IPsec templates take SPI and sequence
// number, others anything.
func aadSize(info registry.Info) int {
	if info.IVSize == 8 {
		return 8
	}
	return 16
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

func keyOf(n int) []byte { return pattern(n) }

// ivOf returns an IV of n bytes whose block counter, if it has one, is far from its end: that is the first four
// bytes of chacha20's and the last eight of xchacha20's.
func ivOf(n int) []byte {
	iv := make([]byte, n)
	copy(iv[min(4, n):], pattern(4))
	return iv
}

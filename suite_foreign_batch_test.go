package kcrypto_test

import (
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// foreignBatch is a foreign driver that works on batches in another goroutine.
type foreignBatch struct {
	foreignGCM
	batches *int // how many it was given
}

func (f *foreignBatch) inGoroutine(work func()) {
	*f.batches++
	done := make(chan bool)
	go func() { work(); close(done) }()
	<-done
}

func (f *foreignBatch) SealBatch(packets []registry.Packet, tag int) {
	f.inGoroutine(func() { registry.SealEach(f, packets, tag) })
}

func (f *foreignBatch) OpenBatch(packets []registry.Packet, tag int) (ok bool) {
	f.inGoroutine(func() { ok = registry.OpenEach(f, packets, tag) })
	return ok
}

// TestForeignBatch: batches of foreign drivers with and without SealBatch and OpenBatch, alone and under templates.
func TestForeignBatch(t *testing.T) {
	r, batches := newRegistry(t, ""), 0
	batching := foreignGCMDriver("gcm-aes-batch", 900, noFlaw)
	batching.NewAEAD = func(registry.Config) registry.AEAD { return &foreignBatch{batches: &batches} }
	if err := r.Register([]registry.Driver{batching, foreignGCMDriver("gcm-aes-single", 901, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	for _, algorithm := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))"} {
		all := makeMessages(newRandom(t.Name()+algorithm), aeadModelOf(t, algorithm), batchMessages)
		for _, inner := range []string{"gcm-aes-batch", "gcm-aes-single"} {
			driver := inner
			if algorithm != "gcm(aes)" {
				driver = algorithm[:8] + inner + ")"
			}
			a, err := kcrypto.NewAEAD(driver, all[0].key, kcrypto.WithRegistry(r), kcrypto.WithAuthSize(all[0].tagSize))
			if err != nil {
				t.Fatal(err)
			}
			rng := newRandom(t.Name() + driver)
			runBatch(t, rng, a, &all[0], 50, false)
			runBatch(t, rng, a, &all[0], 50, true)
			stackBatch(a, a.NonceSize())
			a.Close()
		}
	}
	if batches == 0 {
		t.Error("the driver that has batches got none")
	}
}

// foreignRequests is a foreign stream cipher that works on batches in another goroutine.
type foreignRequests struct {
	foreignCTR
	batches *int // how many it was given
}

func (f *foreignRequests) EncryptBatch(requests []registry.Request) {
	*f.batches++
	done := make(chan bool)
	go func() { registry.EncryptEach(f, requests); close(done) }()
	<-done
}

func (f *foreignRequests) DecryptBatch(requests []registry.Request) { f.EncryptBatch(requests) }

// TestForeignRequests: batches of foreign ciphers with and without EncryptBatch, alone and under a template, with all
// of the requests on the stack, too.
func TestForeignRequests(t *testing.T) {
	r, batches := newRegistry(t, ""), 0
	err := r.Register([]registry.Driver{
		foreignCTRDriver("ctr-aes-batch", 900, func() registry.Skcipher { return &foreignRequests{batches: &batches} }),
		foreignCTRDriver("ctr-aes-single", 901, func() registry.Skcipher { return new(foreignCTR) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	for driver, algorithm := range map[string]string{
		"ctr-aes-batch": "ctr(aes)", "rfc3686(ctr-aes-batch)": "rfc3686(ctr(aes))",
		"ctr-aes-single": "ctr(aes)", "rfc3686(ctr-aes-single)": "rfc3686(ctr(aes))",
	} {
		before := batches
		all := makeUnits(newRandom(t.Name()+driver), skModelOf(t, algorithm), batchUnits)
		s := must(kcrypto.NewSkcipher(driver, all[0].key, kcrypto.WithRegistry(r)))
		runRequests(t, s, &all[0], 0, 50)
		stackRequests(s)
		s.Close()
		if got := batches > before; got != strings.Contains(driver, "batch") {
			t.Errorf("%s: batches reached the driver: %v", driver, got)
		}
	}
}

package kcrypto_test

import (
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// Drivers of other people, registered through the public API.

func TestForeignDriverByPriority(t *testing.T) {
	r := newHouse(t, "")
	newCTR := func() registry.Skcipher { return new(foreignCTR) }
	err := r.Register([]registry.Driver{
		foreignGCMDriver("gcm-aes-acme", 9000, noFlaw), foreignGCMDriver("gcm-aes-slow", 1, noFlaw),
		foreignCTRDriver("ctr-aes-acme", 9000, newCTR), foreignOFBDriver(),
	})
	if err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "gcm(aes)", "gcm-aes-acme")
	wantServed(t, r, "gcm-aes-slow", "gcm-aes-slow")
	wantServed(t, r, "rfc4106(gcm(aes))", "rfc4106(gcm-aes-acme)")
	wantServed(t, r, "ctr(aes)", "ctr-aes-acme")
	wantServed(t, r, "rfc3686(ctr(aes))", "rfc3686(ctr-aes-acme)")
	wantServed(t, r, "ofb(aes)", "ofb-aes-acme")
	if err := r.SetPriority("gcm-aes-acme", 0); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "gcm(aes)", usable(t, newHouse(t, ""), "gcm(aes)")[0])
}

// TestForeignDriversAnswer holds them, and our templates over them, to the models.
func TestForeignDriversAnswer(t *testing.T) {
	r := newHouse(t, "")
	err := r.Register([]registry.Driver{
		foreignGCMDriver("gcm-aes-acme", 9000, noFlaw),
		foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher { return new(foreignCTR) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	with := kcrypto.WithRegistry(r)
	for _, algorithm := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))"} {
		for _, l := range write(roll(t.Name()), aeadModelOf(t, algorithm), func(s *script) { s.add(0, 8); s.add(333, 12) }) {
			rd := reader{t: t, a: newAEAD(t, r.List(algorithm)[0], l, with), key: l.key}
			for i := range l.messages {
				rd.read(&l.messages[i])
			}
		}
	}
	for _, algorithm := range []string{"ctr(aes)", "rfc3686(ctr(aes))"} {
		model := skModelOf(t, algorithm)
		for _, u := range writeUnits(roll(t.Name()), model, func(s *skScript) { s.add(0); s.add(333) }) {
			s := newSkcipher(t, r.List(algorithm)[0], u.key, with)
			rd := unitReader{t: t, s: s, key: u.key}
			for i := range u.list {
				rd.read(&u.list[i])
			}
			f := &flow{dice: roll(t.Name()), key: u.key, iv: u.list[1].iv, plain: u.list[1].plain, cipher: u.list[1].cipher, s: s}
			f.pieces(t, "pieces of a foreign stream", func() int { return 17 })
			f.compareAt(t, &model, f.stream(t), 1<<34+5)
		}
	}
}

// TestFlawsAreFound: a wrong driver fails its self-test, is skipped, and says why.
func TestFlawsAreFound(t *testing.T) {
	for _, flaw := range []string{wrongIfLong, forgiving, deafToAAD, shortNonce, wrongInPlace, panics, refusesItsKey} {
		d := foreignGCMDriver("gcm-aes-acme", 9000, flaw)
		flawFound(t, flaw, d)
	}
	flawFound(t, "a counter of 32 bits", foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher {
		return &foreignCTR{narrow: true}
	}))
	flawFound(t, "a stream that always starts at the beginning", foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher {
		return &foreignCTR{noSplit: true}
	}))
	wrong := foreignOFBDriver()
	wrong.Vectors[0].Out = wrong.Vectors[0].In
	r := newHouse(t, "")
	if err := r.Register([]registry.Driver{wrong}); err != nil {
		t.Fatal(err)
	}
	_, err := served(r, "ofb(aes)")
	wantError(t, "a foreign algorithm that is wrong by its own vector", err, registry.ErrSelfTest)
}

func flawFound(t *testing.T, flaw string, d registry.Driver) {
	t.Helper()
	r := newHouse(t, "")
	log, next := listen(r), usable(t, r, d.Algorithm)[0]
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, d.Algorithm, next)
	_, err := served(r, d.Name)
	wantError(t, flaw+", by name", err, registry.ErrSelfTest)
	if info := r.List(d.Name)[0]; info.SelfTest != registry.Failed || info.Reason == "" {
		t.Errorf("%s: listed as %s, reason %q", flaw, info.SelfTest, info.Reason)
	} else {
		t.Logf("%s: %s", flaw, info.Reason)
	}
	if !strings.Contains(log.text(), d.Name) {
		t.Errorf("%s: not logged", flaw)
	}
}

// TestForeignDriverGetsCopies: a foreign driver may do to a nonce what ours may not.
func TestForeignDriverGetsCopies(t *testing.T) {
	r := newHouse(t, "")
	d := foreignGCMDriver("gcm-aes-acme", 9000, changesNonce)
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	a, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16), kcrypto.WithRegistry(r))
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, 12)
	if a.Seal(nil, nonce, []byte("text"), nil); a.Driver() != d.Name || nonce[0] != 0 {
		t.Errorf("%s changed the caller's nonce to % x", a.Driver(), nonce)
	}
}

// TestRefusedRegistrations: names that are taken, and algorithms that nothing can test.
func TestRefusedRegistrations(t *testing.T) {
	r := newHouse(t, "")
	for _, taken := range []string{"gcm-aes-generic", "ctr(aes)", "rfc4106(gcm-aes-generic)"} {
		wantError(t, taken, r.Register([]registry.Driver{foreignGCMDriver(taken, 1, noFlaw)}), registry.ErrExists)
	}
	untestable := foreignOFBDriver()
	untestable.Vectors = nil
	batch := []registry.Driver{foreignGCMDriver("gcm-aes-acme", 1, noFlaw), untestable}
	wantError(t, "an algorithm without vectors", r.Register(batch), registry.ErrDriver)
	if len(r.List("gcm-aes-acme")) != 0 {
		t.Error("half of a refused batch is there")
	}
}

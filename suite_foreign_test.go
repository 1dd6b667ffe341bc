package kcrypto_test

import (
	"strings"
	"testing"
	"unsafe"

	"kcrypto"
	"kcrypto/internal/noescape"
	"kcrypto/registry"
)

// Drivers of other modules, registered through the public API.

func TestForeignDriverByPriority(t *testing.T) {
	r := newRegistry(t, "")
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
	wantServed(t, r, "gcm(aes)", usable(t, newRegistry(t, ""), "gcm(aes)")[0])
}

// TestForeignDriverOfFewerAbilities: a driver with the highest priority that lacks some sizes serves those that it has,
// and the others fall to the next driver, which explain says.
func TestForeignDriverOfFewerAbilities(t *testing.T) {
	r := newRegistry(t, "")
	best := usable(t, r, "gcm(aes)")[0]
	d := foreignGCMDriver("gcm-aes-acme", 9000, noFlaw)
	d.AuthSizes, d.AnyNonce = []int{12, 13, 14, 15, 16}, false
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		opts []kcrypto.Option
		want string
	}{
		{nil, d.Name},
		{[]kcrypto.Option{kcrypto.WithAuthSize(12), kcrypto.WithNonceSize(12)}, d.Name},
		{[]kcrypto.Option{kcrypto.WithAuthSize(8)}, best},
		{[]kcrypto.Option{kcrypto.WithNonceSize(16)}, best},
		{[]kcrypto.Option{kcrypto.WithAuthSize(16), kcrypto.WithNonceSize(1)}, best},
	} {
		if got, err := served(r, "gcm(aes)", c.opts...); got != c.want {
			t.Errorf("served by %q (%v), want %s", got, err, c.want)
		}
	}
	_, err := served(r, "gcm(aes)", kcrypto.WithAuthSize(5))
	wantError(t, "a tag that no driver has", err, registry.ErrAuthSize)
	_, err = served(r, d.Name, kcrypto.WithAuthSize(8))
	wantError(t, "by name, a tag that it lacks", err, registry.ErrAuthSize)
	_, err = kcrypto.NewAEAD("gcm(aes)", make([]byte, 17), kcrypto.WithRegistry(r))
	wantError(t, "a key that no driver takes", err, registry.ErrKeySize)
	e, err := r.Explain("gcm(aes)")
	want := best + " serves nonces that are not of 12 bytes, tags of 4 bytes, tags of 8 bytes"
	if err != nil || !strings.HasSuffix(e.Why, want) {
		t.Errorf("explained as %q, %v; want at its end %q", e.Why, err, want)
	}
}

// TestForeignDriverOfFewerKeys: a key goes to the best driver that takes one of its size. (Where kcrypto has a generic
// driver, the others must take the same keys.)
func TestForeignDriverOfFewerKeys(t *testing.T) {
	r := newRegistry(t, "")
	sealer := must(kcrypto.NewAEAD("gcm-aes-generic", pattern(16)))
	answer := registry.Vector{Source: "its maker", Key: pattern(16), IV: pattern(12), In: []byte("text"),
		Out: sealer.Seal(nil, pattern(12), []byte("text"), nil)}
	var drivers []registry.Driver
	for _, kind := range []struct {
		name     string
		priority int
		keys     []int
	}{{"few", 9000, []int{16}}, {"all", 8000, []int{16, 24, 32}}} {
		aead := foreignGCMDriver("gcm-acme-"+kind.name, kind.priority, noFlaw)
		aead.Algorithm, aead.Vectors = "gcm(acme)", []registry.Vector{answer}
		skcipher := foreignOFBDriver()
		skcipher.Name, skcipher.Priority = "ofb-acme-"+kind.name, kind.priority
		aead.KeySizes, skcipher.KeySizes = kind.keys, kind.keys
		drivers = append(drivers, aead, skcipher)
	}
	if err := r.Register(drivers); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int]string{16: "acme-few", 24: "acme-all", 32: "acme-all"} {
		a, err := kcrypto.NewAEAD("gcm(acme)", make([]byte, size), kcrypto.WithRegistry(r))
		if err != nil || a.Driver() != "gcm-"+want {
			t.Errorf("gcm(acme), a key of %d bytes: %v; want gcm-%s", size, err, want)
		}
		s, err := kcrypto.NewSkcipher("ofb(aes)", make([]byte, size), kcrypto.WithRegistry(r))
		if err != nil || s.Driver() != "ofb-"+want {
			t.Errorf("ofb(aes), a key of %d bytes: %v; want ofb-%s", size, err, want)
		}
	}
}

// TestPanicsOfOneDriver: a panic in any callback of a driver makes that one unusable, with the reason, and no other.
func TestPanicsOfOneDriver(t *testing.T) {
	r := newRegistry(t, "")
	best := map[string]string{}
	for _, name := range everyAlgorithm(r) {
		best[name] = usable(t, r, name)[0]
	}
	noCTR := foreignCTRDriver("ctr-aes-panics", 9000, func() registry.Skcipher { panic("no ctr") })
	nilCTR := foreignCTRDriver("ctr-aes-nil", 9001, func() registry.Skcipher { return nil })
	noGCM := foreignGCMDriver("gcm-aes-panics", 9000, noFlaw)
	noGCM.NewAEAD = func(registry.Config) registry.AEAD { panic("no gcm") }
	unsure := foreignGCMDriver("gcm-aes-unsure", 9001, noFlaw)
	unsure.Unavailable = func() string { panic("do not ask") }
	if err := r.Register([]registry.Driver{noCTR, nilCTR, noGCM, unsure}); err != nil {
		t.Fatal(err)
	}
	for name, want := range best {
		wantServed(t, r, name, want)
		if _, err := r.Explain(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	reasons := map[string]string{
		"ctr-aes-panics": "no ctr", "ctr-aes-nil": "made no object",
		"gcm-aes-panics": "no gcm", "gcm-aes-unsure": "do not ask",
	}
	for name, want := range reasons {
		if d := r.List(name)[0]; !strings.Contains(d.Reason, want) {
			t.Errorf("%s: %s, reason %q; want %q in it", name, d.SelfTest, d.Reason, want)
		}
	}
	_, err := served(r, "rfc3686(ctr-aes-panics)")
	wantError(t, "a template over a driver that panics", err, registry.ErrDriver)
	r.List() // must not panic
	// A constructor that panics only later.
	calls := 0
	late := foreignGCMDriver("gcm-aes-late", 1, noFlaw)
	late.NewAEAD = func(registry.Config) registry.AEAD {
		if calls++; calls > 100 {
			panic("too many")
		}
		return new(foreignGCM)
	}
	if err := r.Register([]registry.Driver{late}); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "gcm-aes-late", "gcm-aes-late")
	calls = 1000
	_, err = served(r, "gcm-aes-late")
	wantError(t, "a constructor that panics later", err, registry.ErrDriver)
}

// TestForeignDriversAnswer compares them, and our templates over them, with the models.
func TestForeignDriversAnswer(t *testing.T) {
	r := newRegistry(t, "")
	err := r.Register([]registry.Driver{
		foreignGCMDriver("gcm-aes-acme", 9000, noFlaw),
		foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher { return new(foreignCTR) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	with := kcrypto.WithRegistry(r)
	for _, algorithm := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))"} {
		for _, l := range makeMessages(newRandom(t.Name()), aeadModelOf(t, algorithm),
			func(s *messageMaker) { s.add(0, 8); s.add(333, 12) }) {
			rd := aeadChecker{t: t, a: newAEAD(t, r.List(algorithm)[0], l, with), key: l.key}
			for i := range l.messages {
				rd.check(&l.messages[i])
			}
		}
	}
	for _, algorithm := range []string{"ctr(aes)", "rfc3686(ctr(aes))"} {
		model := skModelOf(t, algorithm)
		for _, u := range makeUnits(newRandom(t.Name()), model, func(s *unitMaker) { s.add(0); s.add(333) }) {
			s := newSkcipher(t, r.List(algorithm)[0], u.key, with)
			rd := unitChecker{t: t, s: s, key: u.key}
			for i := range u.list {
				rd.check(&u.list[i])
			}
			f := &streamCase{random: newRandom(t.Name()), key: u.key, iv: u.list[1].iv, plain: u.list[1].plain,
				cipher: u.list[1].cipher, s: s}
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
	flawFound(t, "a stream that always starts at the beginning",
		foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher {
			return &foreignCTR{noSplit: true}
		}))
	wrong := foreignOFBDriver()
	wrong.Vectors[0].Out = wrong.Vectors[0].In
	r := newRegistry(t, "")
	if err := r.Register([]registry.Driver{wrong}); err != nil {
		t.Fatal(err)
	}
	_, err := served(r, "ofb(aes)")
	wantError(t, "a foreign algorithm that is wrong by its own vector", err, registry.ErrSelfTest)
}

func flawFound(t *testing.T, flaw string, d registry.Driver) {
	t.Helper()
	r := newRegistry(t, "")
	log, next := captureLog(r), usable(t, r, d.Algorithm)[0]
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

// keeper records the slices that it is called with.
type keeper struct{ kept [][]byte }

func (k *keeper) keep(args ...[]byte) { k.kept = append(k.kept, args...) }

// stackSize is more stack than the calls take that are watched.
const stackSize = 64 << 10

// growStack makes the goroutine's stack grow by stackSize, so that it does not move during the next call.
//
//go:noinline
func growStack() byte {
	var b [stackSize]byte
	for i := range b {
		b[i] = byte(i)
	}
	return b[stackSize/3]
}

// watch makes a call and checks that none of the recorded slices is on its stack. It calls again if the stack has moved
// meanwhile, as it does when a garbage collection makes it smaller: nobody knows then what was on it.
func (k *keeper) watch(t *testing.T, call string, f func()) {
	t.Helper()
	for range 20 {
		k.kept = nil
		growStack()
		var here byte
		top := uintptr(unsafe.Pointer(&here))
		f()
		if top != uintptr(unsafe.Pointer(&here)) {
			continue
		}
		if len(k.kept) == 0 {
			t.Errorf("%s: the driver was not called", call)
		}
		for _, b := range k.kept {
			if top-uintptr(unsafe.Pointer(unsafe.SliceData(b))) < stackSize {
				t.Errorf("%s: the driver has got %d bytes of the caller's stack", call, len(b))
			}
		}
		return
	}
	t.Errorf("%s: the stack moved during each of 20 calls", call)
}

type keepingGCM struct {
	foreignGCM
	*keeper
}

func (k *keepingGCM) Seal(dst, nonce, plaintext, aad []byte) {
	k.keep(dst, nonce, plaintext, aad)
	k.foreignGCM.Seal(dst, nonce, plaintext, aad)
}

func (k *keepingGCM) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	k.keep(dst, nonce, ciphertext, tag, aad)
	return k.foreignGCM.Open(dst, nonce, ciphertext, tag, aad)
}

type keepingCTR struct {
	foreignCTR
	*keeper
}

func (k *keepingCTR) Encrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

func (k *keepingCTR) Decrypt(dst, src, iv []byte) { k.XORBlocks(dst, src, iv, 0) }

func (k *keepingCTR) Blocks(iv []byte) uint64 {
	k.keep(iv)
	return k.foreignCTR.Blocks(iv)
}

func (k *keepingCTR) Bind(iv []byte) (registry.StreamCipher, []byte) {
	k.keep(iv)
	bound, boundIV := k.foreignCTR.Bind(iv)
	return &keepingCTR{*bound.(*foreignCTR), k.keeper}, boundIV
}

func (k *keepingCTR) XORBlocks(dst, src, iv []byte, block uint64) {
	k.keep(dst, src, iv)
	k.foreignCTR.XORBlocks(dst, src, iv, block)
}

// TestNoStackForForeignDrivers: nothing on a caller's stack, or on that of a template, reaches a foreign driver.
func TestNoStackForForeignDrivers(t *testing.T) {
	r, k := newRegistry(t, ""), new(keeper)
	gcm := foreignGCMDriver("gcm-aes-acme", 9000, noFlaw)
	gcm.NewAEAD = func(registry.Config) registry.AEAD { return &keepingGCM{keeper: k} }
	err := r.Register([]registry.Driver{
		gcm, foreignCTRDriver("ctr-aes-acme", 9000, func() registry.Skcipher { return &keepingCTR{keeper: k} }),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gcm(aes)", "rfc4106(gcm(aes))", "rfc4543(gcm(aes))"} {
		a := must(kcrypto.AllocAEAD(name, kcrypto.WithRegistry(r)))
		if err := a.SetKey(make([]byte, a.Info().KeySizes[0])); err != nil {
			t.Fatal(err)
		}
		var sealed []byte
		k.watch(t, name+": Seal", func() { sealed = sealFromStack(a) })
		k.watch(t, name+": Open", func() { openFromStack(a, sealed) })
		k.watch(t, name+": batches", func() { stackBatch(a, a.NonceSize()) })
	}
	for _, name := range []string{"ctr(aes)", "rfc3686(ctr(aes))"} {
		s := must(kcrypto.AllocSkcipher(name, kcrypto.WithRegistry(r)))
		if err := s.SetKey(make([]byte, s.Info().KeySizes[0])); err != nil {
			t.Fatal(err)
		}
		for call, f := range map[string]func(iv, out []byte) error{
			"Encrypt":        func(iv, out []byte) error { return s.Encrypt(out, out, iv) },
			"Decrypt":        func(iv, out []byte) error { return s.Decrypt(out, out, iv) },
			"XORKeyStreamAt": func(iv, out []byte) error { return s.XORKeyStreamAt(out, out, iv, 16) },
			"within a block": func(iv, out []byte) error { return s.XORKeyStreamAt(out, out, iv, 5) },
		} {
			k.watch(t, name+": "+call, func() {
				if err := cryptFromStack(f, s.IVSize()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

//go:noinline
func sealFromStack(a *kcrypto.AEAD) []byte {
	var nonce, aad [12]byte
	return a.Seal(nil, nonce[:a.NonceSize()], make([]byte, 40), aad[:8])
}

//go:noinline
func openFromStack(a *kcrypto.AEAD, sealed []byte) {
	var nonce, aad [12]byte
	must(a.Open(nil, nonce[:a.NonceSize()], sealed, aad[:8]))
}

//go:noinline
func cryptFromStack(f func(iv, out []byte) error, ivSize int) error {
	var iv [16]byte
	return f(noescape.Bytes(iv[:ivSize]), make([]byte, 100))
}

// TestRefusedRegistrations: names that are taken, and algorithms that nothing can test.
func TestRefusedRegistrations(t *testing.T) {
	r := newRegistry(t, "")
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

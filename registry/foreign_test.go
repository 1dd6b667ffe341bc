package registry

import (
	"bytes"
	"errors"
	"testing"
	"unsafe"

	"kcrypto/internal/ours"
)

// recorder is a key object that notes what it is called with.
type recorder struct {
	fakeSkcipher
	calls int
	args  [][]byte
}

func (r *recorder) record(args ...[]byte) {
	r.calls++
	r.args = append(r.args, args...)
}

func (r *recorder) Encrypt(dst, src, iv []byte) { r.record(iv) }
func (r *recorder) Decrypt(dst, src, iv []byte) { r.record(iv) }

type recordingStream struct{ *recorder }

func (r recordingStream) Blocks(iv []byte) uint64 { r.record(iv); return 1 << 20 }
func (r recordingStream) XORBlocks(dst, src, iv []byte, block uint64) {
	if r.record(iv); len(src) <= maxChunkSize {
		r.args = append(r.args, dst, src)
	}
	for i := range src {
		dst[i] = src[i] ^ byte(block)
	}
}
func (r recordingStream) Bind(iv []byte) (StreamCipher, []byte) { r.record(iv); return r, iv }

type recordingSectors struct{ *recorder }

func (r recordingSectors) EncryptSectors(dst, src []byte, sectorSize int, first uint64) { r.record() }
func (r recordingSectors) DecryptSectors(dst, src []byte, sectorSize int, first uint64) { r.record() }

type recordingWeak struct{ *recorder }

func (r recordingWeak) WeakKey([]byte) string { r.record(); return "weak" }

// TestGuardedSkcipherAbilities: what stands before a foreign key object can do what that can and no more, and every
// method reaches it, with copies of what callers may have on their stacks.
func TestGuardedSkcipherAbilities(t *testing.T) {
	rec := new(recorder)
	stream, sectors, weak := recordingStream{rec}, recordingSectors{rec}, recordingWeak{rec}
	for _, c := range []Skcipher{
		rec, stream,
		struct {
			*recorder
			sectorMethods
		}{rec, sectors},
		struct {
			*recorder
			WeakKeyChecker
		}{rec, weak},
		struct {
			*recorder
			sectorMethods
			WeakKeyChecker
		}{rec, sectors, weak},
		struct {
			recordingStream
			sectorMethods
		}{stream, sectors},
		struct {
			recordingStream
			WeakKeyChecker
		}{stream, weak},
		struct {
			recordingStream
			sectorMethods
			WeakKeyChecker
		}{stream, sectors, weak},
	} {
		g := guardSkcipher(c)
		if _, ok := g.(ours.Guarded); !ok {
			t.Errorf("%T does not say that it is guarded", g)
		}
		*rec = recorder{}
		iv, buf := []byte("an iv of 16 byte"), make([]byte, 100)
		want := 2
		g.Encrypt(buf, buf, iv)
		g.Decrypt(buf, buf, iv)
		_, has := c.(StreamCipher)
		s, ok := g.(StreamCipher)
		if has != ok {
			t.Errorf("%T: a StreamCipher is %v, want %v", g, ok, has)
		} else if ok {
			bound, boundIV := s.Bind(iv)
			for _, s := range []StreamCipher{s, bound} {
				if s.Blocks(iv) != 1<<20 {
					t.Errorf("%T: Blocks is not the driver's", g)
				}
				checkXORBlocks(t, rec, s, iv)
				want += 4
			}
			if want++; !bytes.Equal(boundIV, iv) {
				t.Errorf("bound to %q", boundIV)
			}
		}
		_, has = c.(SectorCipher)
		if s, ok := g.(SectorCipher); has != ok {
			t.Errorf("%T: a SectorCipher is %v, want %v", g, ok, has)
		} else if ok {
			s.EncryptSectors(buf, buf, 50, 1)
			s.DecryptSectors(buf, buf, 50, 1)
			want += 2
		}
		_, has = c.(WeakKeyChecker)
		if w, ok := g.(WeakKeyChecker); has != ok {
			t.Errorf("%T: a WeakKeyChecker is %v, want %v", g, ok, has)
		} else if ok {
			if want++; w.WeakKey(nil) != "weak" {
				t.Errorf("%T: WeakKey is not the driver's", g)
			}
		}
		if rec.calls != want {
			t.Errorf("%T: %d calls reached the driver, want %d", g, rec.calls, want)
		}
		for _, arg := range rec.args {
			if shares(arg, iv) {
				t.Errorf("%T: the caller's own IV reached the driver", g)
			}
		}
	}
}

// checkXORBlocks makes three calls: in place and elsewhere on a block, which must be copies, and on more.
func checkXORBlocks(t *testing.T, rec *recorder, s StreamCipher, iv []byte) {
	t.Helper()
	block, out := []byte("a block of sixty-four bytes, or some less"), make([]byte, 64)
	before := len(rec.args)
	s.XORBlocks(out[:len(block)], block, iv, 0)
	if !bytes.Equal(out[:len(block)], block) {
		t.Errorf("XORBlocks wrote %q", out)
	}
	s.XORBlocks(out, out, iv, 1)
	if out[0] != 'a'^1 || out[63] != 1 {
		t.Errorf("XORBlocks in place wrote %q", out)
	}
	for _, arg := range rec.args[before:] {
		if shares(arg, block) || shares(arg, out) {
			t.Error("a caller's own block reached the driver")
		}
	}
	if dst, src := rec.args[before+4], rec.args[before+5]; &dst[0] != &src[0] {
		t.Error("a call in place reached the driver as another")
	}
	if dst, src := rec.args[before+1], rec.args[before+2]; &dst[0] == &src[0] || bytes.Trim(dst, "\x00") != nil {
		t.Error("a call that is not in place reached the driver as one that is, or left its text")
	}
	long := make([]byte, 65)
	if s.XORBlocks(long, long, iv, 2); long[64] != 2 {
		t.Errorf("XORBlocks wrote %q", long)
	}
}

func shares(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 && unsafe.SliceData(a) == unsafe.SliceData(b)
}

// recordingAEAD is a foreign AEAD; many makes it one that takes batches.
type recordingAEAD struct {
	fakeAEAD
	args [][]byte
	ok   bool
}

func (r *recordingAEAD) Seal(dst, nonce, plaintext, aad []byte) {
	r.args = append(r.args, nonce, aad)
	copy(dst, "sealed")
}

func (r *recordingAEAD) Open(dst, nonce, ciphertext, tag, aad []byte) bool {
	r.args = append(r.args, nonce, aad)
	copy(dst, "opened")
	return r.ok
}

type recordingBatch struct {
	*recordingAEAD
	batches int
	failed  []int // packets that OpenBatch names
}

func (r *recordingBatch) SealBatch(packets []Packet, tag int) {
	r.batches++
	SealEach(r, packets, tag)
}

func (r *recordingBatch) OpenBatch(packets []Packet, tag int) (ok bool) {
	r.batches++
	for i := range packets {
		p := &packets[i]
		r.args = append(r.args, p.Dst, p.Src, p.Nonce, p.AAD)
		copy(p.Dst, "opened")
	}
	for _, i := range r.failed {
		packets[i].Err = errors.New("not authentic")
	}
	return r.ok
}

// TestGuardedAEAD: nonces, additional data and whole packets reach a foreign driver as copies, which are wiped.
func TestGuardedAEAD(t *testing.T) {
	one := &recordingAEAD{ok: true}
	many := &recordingBatch{recordingAEAD: one}
	nonce, aad, text := []byte("nonce"), []byte("aad"), []byte("some text")
	for _, inner := range []AEAD{one, many} {
		one.args = nil
		g := guardedAEAD{inner}
		dst := make([]byte, 20)
		if g.Seal(dst, nonce, text, aad); string(dst[:6]) != "sealed" {
			t.Errorf("sealed to %q", dst)
		}
		if ok := g.Open(dst, nonce, text, nil, aad); !ok || string(dst[:6]) != "opened" {
			t.Errorf("opened to %q: %v", dst, ok)
		}
		packets := []Packet{{Dst: make([]byte, 2+13), Nonce: nonce, Src: text, AAD: aad}}
		if g.SealBatch(packets, 4); string(packets[0].Dst[:8]) != "\x00\x00sealed" {
			t.Errorf("sealed to %q", packets[0].Dst)
		}
		packets[0].Dst = make([]byte, 2+5)
		if ok := g.OpenBatch(packets, 4); !ok || packets[0].Err != nil || string(packets[0].Dst) != "\x00\x00opene" {
			t.Errorf("opened to %q: %v, %v", packets[0].Dst, ok, packets[0].Err)
		}
		for _, arg := range one.args {
			if shares(arg, nonce) || shares(arg, aad) || shares(arg, text) || shares(arg, packets[0].Dst) {
				t.Errorf("%q of the caller's own reached the driver", arg)
			}
			if string(arg) != "nonce" && string(arg) != "aad" && len(bytes.Trim(arg, "\x00")) > 0 {
				t.Errorf("%q is left in a copy", arg)
			}
		}
	}
	if many.batches != 2 {
		t.Errorf("the driver got %d batches, want 2", many.batches)
	}
}

// TestGuardedBatchFailures: a packet counts as authentic only if the driver says so of all, or names others.
func TestGuardedBatchFailures(t *testing.T) {
	for _, c := range []struct {
		ok     bool
		failed []int
		want   [2]bool // opened
	}{
		{true, nil, [2]bool{true, true}},
		{false, []int{1}, [2]bool{true, false}},
		{false, nil, [2]bool{}},
		{true, []int{0}, [2]bool{false, true}},
	} {
		g := guardedAEAD{&recordingBatch{recordingAEAD: &recordingAEAD{ok: c.ok}, failed: c.failed}}
		packets := make([]Packet, 2)
		for i := range packets {
			packets[i] = Packet{Dst: make([]byte, 5), Src: make([]byte, 9)}
		}
		all := g.OpenBatch(packets, 4)
		for i, p := range packets {
			if opened := string(p.Dst) == "opene"; opened != c.want[i] || (p.Err == nil) != opened {
				t.Errorf("ok %v, failed %v: packet %d is %q, %v", c.ok, c.failed, i, p.Dst, p.Err)
			}
		}
		if all != (c.want == [2]bool{true, true}) {
			t.Errorf("ok %v, failed %v: OpenBatch returned %v", c.ok, c.failed, all)
		}
	}
}

// TestWhoIsGuarded: drivers that package kcrypto vouches for are not, and neither are its templates over them. All else
// is, whatever it says of itself.
func TestWhoIsGuarded(t *testing.T) {
	copied := wrap("copied") // makes the inner driver's objects
	replaced := wrap("replaced")
	replaced.Build = func(inner *Driver) Driver {
		d := wrap("replaced").Build(inner)
		d.NewAEAD = func(Config) AEAD { return fakeAEAD{} }
		return d
	}
	own := aead("gcm(aes)", "gcm-own", 1)
	own.Module = ours.Module
	templates := []Template{copied, replaced}
	vouched := Options{Drivers: []Driver{own}, Templates: templates, Own: ours.Vouch()}.New()
	own.Module = "elsewhere"
	others := Options{Drivers: []Driver{own}, Templates: templates}.New()
	h, err := vouched.Acquire("gcm-own", Want{})
	must(t, err)
	defer h.Release()
	changed := *h.Driver() // a copy of one of ours, with other code in it
	changed.Name, changed.Module = "gcm-changed", "elsewhere"
	changed.NewAEAD = func(Config) AEAD { return fakeAEAD{} }
	must(t, vouched.Register([]Driver{changed}))
	for _, c := range []struct {
		r       *Registry
		name    string
		guarded bool
	}{
		{vouched, "gcm-own", false}, {vouched, "copied(gcm-own)", false}, {vouched, "replaced(gcm-own)", false},
		{vouched, "gcm-changed", true}, {vouched, "copied(gcm-changed)", true}, {vouched, "replaced(gcm-changed)", true},
		{others, "gcm-own", true}, {others, "copied(gcm-own)", true}, {others, "replaced(gcm-own)", true},
	} {
		h, err := c.r.Acquire(c.name, Want{})
		must(t, err)
		if _, guarded := h.Driver().NewAEAD(Config{}).(ours.Guarded); guarded != c.guarded {
			t.Errorf("%s: guarded %v, want %v", c.name, guarded, c.guarded)
		}
		h.Release()
	}
}

// contrary is a foreign AEAD whose batches do what call does, and whose Open leaves plaintext and panics.
type contrary struct {
	fakeAEAD
	call func(packets []Packet) (ok bool)
}

func (c contrary) SealBatch(packets []Packet, _ int)      { c.call(packets) }
func (c contrary) OpenBatch(packets []Packet, _ int) bool { return c.call(packets) }

func (c contrary) Open(dst, _, _, _, _ []byte) bool {
	copy(dst, "plaintext")
	panic("a fault in Open")
}

// TestGuardedContradictions: whatever a foreign driver changes in packets, or says of them, a packet has its result, or
// an error and the Dst that it had before it was lengthened. In OpenBatch, the root shortens those with an error.
func TestGuardedContradictions(t *testing.T) {
	fill := func(packets []Packet) {
		for i := range packets {
			copy(packets[i].Dst, "result")
		}
	}
	own := []byte("the driver's own")
	for name, change := range map[string]func(p *Packet){
		"shortens Dst":     func(p *Packet) { p.Dst = p.Dst[:1] },
		"lengthens Dst":    func(p *Packet) { p.Dst = append(p.Dst, 1, 2, 3) },
		"moves Dst":        func(p *Packet) { p.Dst = bytes.Clone(p.Dst) },
		"takes Dst away":   func(p *Packet) { p.Dst = nil },
		"sets Err":         func(p *Packet) { p.Err = errors.New("wrong") },
		"sets Err and Dst": func(p *Packet) { p.Err, p.Dst = errors.New("wrong"), nil },
		"changes Src":      func(p *Packet) { p.Src = own },
	} {
		for _, opening := range []bool{false, true} {
			for _, says := range []bool{false, true} {
				g := guardedAEAD{contrary{call: func(packets []Packet) bool {
					fill(packets)
					change(&packets[1])
					return says
				}}}
				packets, tag := make([]Packet, 3), 4
				for i := range packets {
					packets[i] = Packet{Dst: make([]byte, 2+10), Src: make([]byte, 10-tag)}
					if opening {
						packets[i].Src = make([]byte, 10+tag)
					}
				}
				ok := false
				if opening {
					ok = g.OpenBatch(packets, tag)
				} else {
					g.SealBatch(packets, tag)
				}
				wrong := name != "changes Src"
				lost := opening && !says && !wrong // a driver that names none has none of them opened
				for i := range packets {
					p := &packets[i]
					refused := wrong && i == 1 || lost
					if refused != (p.Err != nil) || !refused && string(p.Dst[2:8]) != "result" ||
						refused && (len(bytes.Trim(p.Dst, "\x00")) > 0 || !opening && len(p.Dst) != 2) {
						t.Errorf("%s, opening %v, says %v: packet %d has %q, error %v", name, opening, says, i, p.Dst, p.Err)
					}
				}
				if opening && ok != (says && !wrong) {
					t.Errorf("%s, says %v: OpenBatch returned %v", name, says, ok)
				}
			}
		}
	}
	if string(own) != "the driver's own" {
		t.Error("memory of the driver's own was wiped")
	}
}

// TestGuardedPanics: a panic in a driver leaves no plaintext, and each packet the Dst that it had.
func TestGuardedPanics(t *testing.T) {
	g := guardedAEAD{contrary{call: func(packets []Packet) bool {
		copy(packets[0].Dst, "plaintext")
		panic("a fault in a batch")
	}}}
	panics := func(f func()) (did bool) {
		defer func() { did = recover() != nil }()
		f()
		return false
	}
	dst := make([]byte, 9)
	if !panics(func() { g.Open(dst, nil, make([]byte, 9), nil, nil) }) {
		t.Error("the panic of Open is gone")
	}
	if len(bytes.Trim(dst, "\x00")) > 0 {
		t.Errorf("Open left %q", dst)
	}
	packets := []Packet{{Dst: make([]byte, 2+9), Src: make([]byte, 9+4)}}
	if !panics(func() { g.OpenBatch(packets, 4) }) || len(packets[0].Dst) != 2 {
		t.Errorf("OpenBatch: Dst has %d bytes, want 2", len(packets[0].Dst))
	}
	packets = []Packet{{Dst: make([]byte, 2+9), Src: make([]byte, 9-4)}}
	if !panics(func() { g.SealBatch(packets, 4) }) || len(packets[0].Dst) != 2 {
		t.Errorf("SealBatch: Dst has %d bytes, want 2", len(packets[0].Dst))
	}
}

// faultyRequests is a foreign cipher whose batches do what call does.
type faultyRequests struct {
	*recorder
	call func(requests []Request)
}

func (f faultyRequests) EncryptBatch(requests []Request) { f.call(requests) }
func (f faultyRequests) DecryptBatch(requests []Request) { f.call(requests) }

// TestGuardedRequests: a foreign driver works on copies, and a request has its result, or an error and nothing written.
func TestGuardedRequests(t *testing.T) {
	refused := errors.New("refused")
	for what, c := range map[string]struct {
		call func(requests []Request)
		want error
	}{
		"its result":    {func(r []Request) { copy(r[0].Dst, "done") }, nil},
		"an error":      {func(r []Request) { copy(r[0].Dst, "done"); r[0].Err = refused }, refused},
		"another Dst":   {func(r []Request) { r[0].Dst = []byte("done") }, ErrDriver},
		"a shorter Dst": {func(r []Request) { copy(r[0].Dst, "done"); r[0].Dst = r[0].Dst[:3] }, ErrDriver},
		"a panic":       {func(r []Request) { copy(r[0].Dst, "done"); panic("a fault") }, ErrDriver},
	} {
		var got []Request
		g := guardSkcipher(faultyRequests{new(recorder), func(requests []Request) { got = requests; c.call(requests) }})
		for _, call := range []func(BatchSkcipher, []Request){BatchSkcipher.EncryptBatch, BatchSkcipher.DecryptBatch} {
			mine := []Request{{Dst: []byte("before"), Src: []byte("text"), IV: []byte("iv")}}
			func() {
				defer func() { _ = recover() }()
				call(g.(BatchSkcipher), mine)
			}()
			want := "before"
			if c.want == nil {
				want = "donere"
			}
			if string(mine[0].Dst) != want || !errors.Is(mine[0].Err, c.want) {
				t.Errorf("%s: the request has %q and the error %v, want %q and %v", what, mine[0].Dst, mine[0].Err, want, c.want)
			}
			if &got[0] == &mine[0] || &got[0].Src[0] == &mine[0].Src[0] || &got[0].IV[0] == &mine[0].IV[0] {
				t.Errorf("%s: the driver got what the caller has, not copies", what)
			}
			if string(got[0].Src) != "\x00\x00\x00\x00" {
				t.Errorf("%s: the copy of the text was not wiped: %q", what, got[0].Src)
			}
		}
	}
}

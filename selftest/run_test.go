package selftest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kcrypto/registry"
)

func everyAlgorithm(t *testing.T, f func(t *testing.T, algorithm string)) {
	for name := range known {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

func TestCorrectDriversPass(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		s, g := fakeSubject(algorithm, nil, nil), fakeSubject(algorithm, nil, nil)
		if err := Run(context.Background(), s, nil, Options{}); err != nil {
			t.Errorf("as the reference: %v", err)
		}
		if err := Run(context.Background(), s, &g, Options{}); err != nil {
			t.Errorf("against the reference: %v", err)
		}
	})
}

// TestFullRun: correct drivers pass, and the steps are as many as Linux's extended tests have.
func TestFullRun(t *testing.T) {
	everyAlgorithm(t, func(t *testing.T, algorithm string) {
		t.Parallel()
		oneOfEachKind := []string{"gcm(aes)", "ctr(aes)", "xts(aes)"}
		if testing.Short() && !slices.Contains(oneOfEachKind, algorithm) {
			t.Skip("NOT RUN with -short: full runs of one AEAD, one stream cipher and one block mode will do")
		}
		s, g := fakeSubject(algorithm, nil, nil), fakeSubject(algorithm, nil, nil)
		want := 1 + VectorCount(algorithm)*(1+100) + 64 + 800
		if s.Driver.Type == registry.TypeAEAD {
			want += 800 + 3*22*len(s.Driver.AuthSizes) + 200 // and batches, and messages in parts
		}
		if s.Driver.Type == registry.TypeSkcipher {
			want += len(requestCounts)
		}
		if known[algorithm].sectors {
			want += len(sectorRuns)
		}
		steps := 0
		err := Run(context.Background(), s, &g, Options{Full: true, Progress: func(done, total int) {
			if steps++; done != steps || total != want {
				t.Errorf("progress %d of %d, want %d of %d", done, total, steps, want)
			}
		}})
		if err != nil {
			t.Error(err)
		}
		if steps != want {
			t.Errorf("%d steps, want %d", steps, want)
		}
	})
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := fakeSubject("ctr(aes)", nil, nil)
	last := 0
	err := Run(ctx, s, nil, Options{Progress: func(done, total int) {
		if last = done; done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || last != 3 {
		t.Errorf("stopped after step %d with %v, want step 3 and context.Canceled", last, err)
	}
	if err := Run(ctx, s, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// TestSeed: the same seed gives the same failure, word for word; the text names the seed; without one it varies.
func TestSeed(t *testing.T) {
	text := func(seed uint64) string {
		g := fakeSubject("gcm(aes)", nil, nil)
		fault := wrongSealIf(func(_, plaintext, _, _ []byte) bool { return len(plaintext) > 290 })
		err := Run(context.Background(), fakeSubject("gcm(aes)", fault, nil), &g, Options{Seed: seed})
		if err == nil {
			t.Fatal("the self-test passed")
		}
		return err.Error()
	}
	if a, b := text(0x1234), text(0x1234); a != b || !strings.HasSuffix(a, "(seed 0x1234)") {
		t.Errorf("two runs with one seed:\n%s\n%s", a, b)
	}
	if a, b := text(0), text(0); a == b {
		t.Errorf("two runs without a seed are the same: %s", a)
	}
}

// TestForeignVectors: what a foreign driver brings is run too, beside ours and alone.
func TestForeignVectors(t *testing.T) {
	v := known["gcm(aes)"].vectors[3]
	own := registry.Vector{
		Source: "its manual",
		Key:    bytesOf(v.key), IV: bytesOf(v.iv), AAD: bytesOf(v.aad), In: bytesOf(v.in), Out: bytesOf(v.out),
	}
	for _, algorithm := range []string{"gcm(aes)", "gcm(foo)"} {
		s := fakeSubject("gcm(aes)", nil, nil)
		s.Driver.Algorithm, s.Driver.Vectors = algorithm, []registry.Vector{own}
		if err := Run(context.Background(), s, nil, Options{Full: true}); err != nil {
			t.Errorf("%s: %v", algorithm, err)
		}
		wrong := own
		wrong.Out = append([]byte{}, own.Out...)
		wrong.Out[0] ^= 1
		s.Driver.Vectors = []registry.Vector{own, wrong}
		err := Run(context.Background(), s, nil, Options{})
		if err == nil || !strings.Contains(err.Error(), "on the driver's own vector 1 (its manual)") {
			t.Errorf("%s: wrong vector: %v", algorithm, err)
		}
	}
}

// TestNarrowForeignDriver: a driver that has fewer tags and nonces than the algorithm is tested on what it has.
func TestNarrowForeignDriver(t *testing.T) {
	s, g := fakeSubject("gcm(aes)", nil, nil), fakeSubject("gcm(aes)", nil, nil)
	s.Driver.AnyNonce, s.Driver.AuthSizes = false, []int{16}
	tags := map[int]bool{}
	s.AEAD = func(c Setup) (AEAD, error) {
		if c.NonceSize != 0 {
			return nil, registry.ErrNonceSize
		}
		d := s.Driver
		return keying{AEAD: &fakeAEAD{d: &d, seal: sealGCM, nonce: 12, tag: 16}, setAuthSize: func(a AEAD, n int) error {
			tags[n] = true
			return a.SetAuthSize(n)
		}}, nil
	}
	if err := Run(context.Background(), s, &g, Options{}); err != nil {
		t.Error(err)
	}
	if len(tags) != 18 {
		t.Errorf("tag sizes tried: %v, want 0 to 17", tags)
	}
}

func TestNoVectors(t *testing.T) {
	s := fakeSubject("gcm(aes)", nil, nil)
	s.Driver.Algorithm = "gcm(foo)"
	want := "alg: no test for gcm(foo) (gcm-aes-fake): "
	if err := Run(context.Background(), s, nil, Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s...", err, want)
	}
}

// TestDescription: a description that differs from the reference's, or from the transform, is a failure.
func TestDescription(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		change    func(d *registry.Driver)
		says      string
	}{
		{"gcm(aes)", func(d *registry.Driver) { d.KeySizes = []int{16, 32} },
			"key sizes: expected [16 24 32] as gcm-aes-fake has, got [16 32]"},
		{"gcm(aes)", func(d *registry.Driver) { d.IVSize = 16 }, "IV size: expected 12"},
		{"gcm(aes)", func(d *registry.Driver) { d.AuthSizes = []int{12} }, "largest tag: expected 16"},
		{"gcm(aes)", func(d *registry.Driver) { d.BlockSize = 16 }, "block size: expected 1"},
		{"xts(aes)", func(d *registry.Driver) { d.MinSize = 0 }, "shortest message: expected 16"},
		{"ecb(aes)", func(d *registry.Driver) { d.MultipleOf = 0 }, "message unit: expected 16"},
	} {
		s, g := fakeSubject(c.algorithm, nil, nil), fakeSubject(c.algorithm, nil, nil)
		c.change(&s.Driver)
		err := Run(context.Background(), s, &g, Options{})
		if err == nil || !strings.Contains(err.Error(), "description differs: "+c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	for _, algorithm := range []string{"gcm(aes)", "ctr(aes)"} {
		s := fakeSubject(algorithm, nil, nil)
		s.Driver.IVSize++
		err := Run(context.Background(), s, nil, Options{})
		if err == nil || !strings.Contains(err.Error(), "has wrong sizes: expected ") {
			t.Errorf("%s: %v", algorithm, err)
		}
	}
}

func TestFailingConstructors(t *testing.T) {
	for _, algorithm := range []string{"gcm(aes)", "ctr(aes)"} {
		s := fakeSubject(algorithm, nil, nil)
		s.AEAD = func(Setup) (AEAD, error) { return nil, errors.New("no memory") }
		s.Skcipher = func(Setup) (Skcipher, error) { return nil, errors.New("no memory") }
		err := Run(context.Background(), s, nil, Options{})
		if err == nil || !strings.Contains(err.Error(), `allocation failed: "no memory"`) {
			t.Errorf("%s: %v", algorithm, err)
		}
		s.AEAD, s.Skcipher = nil, nil
		if err := Run(context.Background(), s, nil, Options{}); err == nil || !strings.Contains(err.Error(), "constructor") {
			t.Errorf("%s without constructors: %v", algorithm, err)
		}
	}
}

// TestTransformsAreClosed: a run closes what it opened, streams included.
func TestTransformsAreClosed(t *testing.T) {
	open := 0
	s := fakeSubject("ctr(aes)", nil, func(c Skcipher, _ int) Skcipher {
		open++
		return closing{Skcipher: c, closed: func() { open-- }}
	})
	var streams []*fakeStream
	s.Stream = func(c Skcipher, iv []byte) (Stream, error) {
		streams = append(streams, &fakeStream{c: c, iv: append([]byte{}, iv...)})
		return streams[len(streams)-1], nil
	}
	if err := Run(context.Background(), s, nil, Options{}); err != nil {
		t.Fatal(err)
	}
	if open != 0 {
		t.Errorf("%d transforms are left open", open)
	}
	if len(streams) == 0 {
		t.Error("no stream was made")
	}
	for i, s := range streams {
		if !s.closed {
			t.Fatalf("stream %d of %d is left open", i, len(streams))
		}
	}
}

type closing struct {
	Skcipher
	closed func()
}

func (c closing) Close() error {
	c.closed()
	return c.Skcipher.Close()
}

// TestFullRunComparesErrors: a driver that takes what the reference refuses, or refuses it with another error, or
// panics where the other returns, fails a full run.
func TestFullRunComparesErrors(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		aead      aeadFault
		skcipher  skcipherFault
		says      string
	}{
		{algorithm: "rfc4106(gcm(aes))", aead: badSeal(func(a AEAD, dst, nonce, plaintext, aad []byte) []byte {
			if len(aad) == 8 || len(aad) == 12 {
				return a.Seal(dst, nonce, plaintext, aad)
			}
			return make([]byte, len(plaintext)+a.Overhead())
		}), says: "actual_error=success"},
		{algorithm: "xts(aes)", skcipher: func(s Skcipher, _ int) Skcipher {
			return ciphering{Skcipher: s, encrypt: func(c Skcipher, dst, src, iv []byte) error {
				if len(src) < 15 {
					return fmt.Errorf("short: %w", registry.ErrType)
				}
				return c.Encrypt(dst, src, iv)
			}}
		}, says: `expected_error="invalid length", actual_error="short: wrong type of transform"`},
	} {
		s, g := fakeSubject(c.algorithm, c.aead, c.skcipher), fakeSubject(c.algorithm, nil, nil)
		err := Run(context.Background(), s, &g, Options{Full: true})
		what := fmt.Sprintf("encryption test failed (other error than %s) on random full message ", g.Driver.Name)
		if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q and %q", c.algorithm, err, what, c.says)
		}
	}
}

// TestInauthenticMessages: forgeries that only a full run tries.
func TestInauthenticMessages(t *testing.T) {
	fault := badOpen(func(a AEAD, dst, nonce, ciphertext, aad []byte) ([]byte, error) {
		out, err := a.Open(dst, nonce, ciphertext, aad)
		if n := len(ciphertext) - a.Overhead(); err != nil && n > 600 {
			return append(dst, a.Seal(nil, nonce, ciphertext[:n], aad)[:n]...), nil
		}
		return out, err
	})
	s := fakeSubject("gcm(aes)", fault, nil)
	err := Run(context.Background(), s, nil, Options{Full: true}) // as the reference: no comparisons
	if err == nil || !strings.Contains(err.Error(), "decryption unexpectedly succeeded on inauthentic message ") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRun(b *testing.B) {
	for name := range known {
		s, g := fakeSubject(name, nil, nil), fakeSubject(name, nil, nil)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := Run(context.Background(), s, &g, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestFewerAbilities: a correct driver that claims less than the reference passes, in full, too.
func TestFewerAbilities(t *testing.T) {
	g := fakeSubject("gcm(aes)", nil, nil)
	for name, restrict := range map[string]func(d *registry.Driver){
		"tags from 12 bytes":  func(d *registry.Driver) { d.AuthSizes = []int{12, 13, 14, 15, 16} },
		"one tag":             func(d *registry.Driver) { d.AuthSizes = []int{16} },
		"one nonce":           func(d *registry.Driver) { d.AnyNonce = false },
		"short messages":      func(d *registry.Driver) { d.MaxSize = 65 },
		"additional data 20":  func(d *registry.Driver) { d.AADSizes = []int{0, 20} },
		"little of it":        func(d *registry.Driver) { d.MaxAAD = 20 },
		"nothing but a block": func(d *registry.Driver) { d.MaxSize, d.AuthSizes, d.AnyNonce = 16, []int{16}, false },
	} {
		d := describe("gcm(aes)")
		restrict(&d)
		for _, full := range []bool{false, true} {
			s := fakeSubjectOf(d, nil, nil)
			if err := Run(context.Background(), s, &g, Options{Full: full, Seed: 1}); err != nil {
				t.Errorf("%s, full %v: %v", name, full, err)
			}
		}
	}
}

// TestLegalSizes: what is tested is what a driver claims to take, whatever was drawn.
func TestLegalSizes(t *testing.T) {
	for _, c := range []struct {
		d         registry.Driver
		n, length int
		aad       int
	}{
		{registry.Driver{}, 100, 100, 100},
		{registry.Driver{MaxAAD: 1}, 5, 5, 1},
		{registry.Driver{MaxAAD: 7}, 5, 5, 5},
		{registry.Driver{MinSize: 16}, 5, 16, 5},
		{registry.Driver{MultipleOf: 16}, 17, 32, 17},
		{registry.Driver{MultipleOf: 16, MaxSize: 40}, 47, 32, 47},
		{registry.Driver{MaxSize: 1}, 3, 1, 3},
	} {
		if length, aad := legalLength(&c.d, c.n), legalAAD(&c.d, c.n); length != c.length || aad != c.aad {
			t.Errorf("%+v: %d gives %d and %d, want %d and %d", c.d, c.n, length, aad, c.length, c.aad)
		}
	}
}

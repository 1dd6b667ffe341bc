package registry

import (
	"fmt"
	"testing"

	"github.com/rs/zerolog"
)

// fullSize is a registry of a real one's size, tested.
func fullSize(t testing.TB) *Registry {
	var drivers []Driver
	for _, algorithm := range []string{"ctr", "xctr", "ecb", "xts", "gcm", "chacha20", "xchacha20", "xchacha12", "big"} {
		for i := range 6 {
			drivers = append(drivers, aead(algorithm+"(aes)", fmt.Sprintf("%s-aes-impl%d", algorithm, i), i*100))
		}
	}
	drivers = append(drivers, aead("gcm(aes)", "gcm-aes-avx", 900, needs("avx")), aead("gcm(aes)", "gcm-aes-bad", 901))
	templates := []Template{wrap("rfc4106"), wrap("rfc4543")}
	r := reg(t, drivers, Options{SelfTest: newTester("gcm-aes-bad").run, Templates: templates})
	if err := r.Test(t.Context(), "ctr(aes)"); err != nil {
		t.Fatal(err)
	}
	return r
}

var handle *Handle

func BenchmarkAcquire(b *testing.B) {
	for _, name := range []string{"ctr(aes)", "ctr-aes-impl0", "gcm(aes)", "rfc4106(gcm(aes))", "rfc4106(gcm-aes-impl0)"} {
		b.Run(name, func(b *testing.B) {
			r := fullSize(b)
			b.ReportAllocs()
			for b.Loop() {
				h, err := r.Acquire(name, Want{Type: TypeAEAD})
				if err != nil {
					b.Fatal(err)
				}
				h.Release()
			}
		})
	}
	b.Run("bound: one map lookup, one Handle", func(b *testing.B) {
		names := fullSize(b).current.Load().names
		for b.Loop() {
			if names["ctr(aes)"] != nil {
				handle = &Handle{}
			}
		}
	})
	b.Run("parallel", func(b *testing.B) {
		r := fullSize(b)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				h, err := r.Acquire("ctr(aes)", Want{Type: TypeAEAD})
				if err != nil {
					b.Fatal(err)
				}
				h.Release()
			}
		})
	})
}

func TestAcquireAllocatesTheHandleOnly(t *testing.T) {
	r := fullSize(t)
	r.SetLogger(zerolog.New(t.Output()).Level(zerolog.WarnLevel))
	for _, name := range []string{"gcm(aes)", "gcm-aes-impl0", "rfc4106(gcm(aes))", "rfc4106(gcm-aes-impl0)"} {
		n := testing.AllocsPerRun(100, func() {
			h, err := r.Acquire(name, Want{Type: TypeAEAD})
			if err != nil {
				t.Fatal(err)
			}
			h.Release()
		})
		if n > 1 {
			t.Errorf("Acquire(%s) allocates %v times, want 1", name, n)
		}
	}
}

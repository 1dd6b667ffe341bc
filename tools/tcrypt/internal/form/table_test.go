package form

import (
	"bytes"
	"testing"
	"time"

	"kcrypto/tools/tcrypt/internal/result"
)

// sample is a run of two series: one with every field there is, one from a machine whose cycles cannot be counted.
func sample() *result.Run {
	samples := func(ns ...float64) []result.Sample {
		var list []result.Sample
		for _, x := range ns {
			list = append(list, result.Sample{NS: x, GHz: 3.5})
		}
		return list
	}
	gcm := result.Cell{Conditions: result.Conditions{
		Algorithm: "gcm(aes)", KeyBits: 256, Direction: result.Decrypt, AAD: 16, Tag: 16, Threads: 1,
	}, Driver: "gcm-aes-generic", Impl: "generic", SetKeyNS: 1234.5}
	short, peer, long := gcm, gcm, gcm
	short.Size, short.Spread, short.Rounds, short.TimesGo = 16, 0.0123, 60, 0.0834
	short.Samples = samples(812, 813, 810, 812, 811, 840)
	peer.Driver, peer.Impl, peer.Size, peer.Spread, peer.SetKeyNS = result.Go, result.Go, 16, 0.004, 312
	peer.Samples = samples(67.8, 67.8, 67.8, 67.8, 67.8, 67.8)
	long.Size, long.Spread, long.Limit, long.Share, long.TimesGo = 16384, 0.0005, 0.281, 0.01, 0.0334
	long.Samples = samples(123456, 123456, 123457, 123456, 123456, 123455)
	chacha := result.Cell{Conditions: result.Conditions{
		Algorithm: "chacha20", KeyBits: 256, Direction: result.Encrypt, Threads: 2,
	}, Driver: "chacha20-generic", Impl: "generic", Size: 64, SetKeyNS: 9, Samples: []result.Sample{{NS: 100}}}
	run := &result.Run{Cells: []result.Cell{short, peer, long, chacha}}
	for i := range run.Cells {
		run.Cells[i].Summarize()
	}
	run.Machine = result.Machine{CPU: "A CPU", CPUs: 2, Features: []string{"sse2", "aes"},
		Virtualisation: "virtual machine",
		Go:             "go1.26", Platform: "linux/amd64", KCRYPTO: "cpu.avx=off"}
	run.Drivers = []result.Driver{{Algorithm: "gcm(aes)", Driver: "gcm-aes-generic", Impl: "generic", Priority: 100,
		SelfTest: "passed"}}
	run.Command = []string{"speed", "gcm(aes)", "--drivers", "generic,go"}
	run.Date = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return run
}

func write(t *testing.T, name string, run *result.Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(New(name, &out), run); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTable(t *testing.T) {
	want := `A CPU, go1.26 linux/amd64, virtual machine, KCRYPTO=cpu.avx=off
cpuid: not known to this build
features: sse2 aes
virtualisation: virtual machine
kcrypto: cpu.avx=off
date: 2026-11-30T12:00:00Z
command: tcrypt speed 'gcm(aes)' --drivers generic,go
gcm(aes): generic 100
Buffers in cache. ± is the median's 95 % confidence interval, spread half the distance between the
quartiles of all rounds. Cycles are the core's, by a chain of dependent multiplications timed in
between; the limit is what its ports allow at best, of a chain its latency (tcrypt limits).

gcm(aes), 256-bit key, decryption, 16 bytes of additional data
bytes  driver               ns     ±  spread   GB/s  cycles/B  of limit  SetKey ns   x go
   16  gcm-aes-generic     812  3.4%    1.2%  0.020       178         -       1234  0.083
       go                 67.8  0.0%    0.4%  0.236      14.8         -        312
16384  gcm-aes-generic  123456  0.0%    0.1%  0.133      26.4        1%             0.033

chacha20, 256-bit key, encryption, 2 threads at once
bytes  driver             ns  ±  spread  GB/s  cycles/B  of limit  SetKey ns
   64  chacha20-generic  100  -    0.0%  1.28         -         -       9.00
`
	if got := write(t, "table", sample()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

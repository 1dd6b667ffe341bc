package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

func golden(t *testing.T, write func(w io.Writer), want string) {
	t.Helper()
	var out bytes.Buffer
	write(&out)
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// Three drivers of an algorithm in each state, and one of another.
var sampleGroups = []group{
	{"gcm(aes)", "gcm(aes)", []registry.Info{
		{Algorithm: "gcm(aes)", Driver: "gcm-aes-vaes-avx2", Impl: "vaes_avx2", Priority: 600, SelfTest: registry.Unavailable,
			Reason: "lacks vaes", Type: registry.TypeAEAD, KeySizes: []int{16, 24, 32}, IVSize: 12, Needs: []string{"vaes_avx2"},
			Lacks: []string{"vaes"}},
		{Algorithm: "gcm(aes)", Driver: "gcm-aes-stdlib", Impl: "stdlib", Priority: 200, SelfTest: registry.Failed,
			Reason: "wrong result on vector 1", Type: registry.TypeAEAD, KeySizes: []int{16, 24, 32}, IVSize: 12},
		{Algorithm: "gcm(aes)", Driver: "gcm-aes-generic", Impl: "generic", Priority: 100, SelfTest: registry.Passed,
			Type: registry.TypeAEAD, KeySizes: []int{16, 24, 32}, IVSize: 12},
	}},
	{"chacha20", "chacha20", []registry.Info{
		{Algorithm: "chacha20", Driver: "chacha20-generic", Impl: "generic", Priority: 100, SelfTest: registry.Passed,
			Type: registry.TypeSkcipher, KeySizes: []int{32}, IVSize: 16},
	}},
}

func TestWriteList(t *testing.T) {
	golden(t, func(w io.Writer) { writeList(w, sampleGroups, map[string]string{"gcm(aes)": "gcm-aes-generic"}) },
		`   driver             priority  self-test
gcm(aes): aead, keys of 128, 192, 256 bits, IV of 12 bytes
   gcm-aes-vaes-avx2       600  unavailable  lacks vaes
   gcm-aes-stdlib          200  failed       wrong result on vector 1
*  gcm-aes-generic         100  passed
chacha20: skcipher, keys of 256 bits, IV of 16 bytes
   chacha20-generic        100  passed
`)
}

// A reason that would make the table too wide goes below.
func TestLongReason(t *testing.T) {
	list := slices.Clone(sampleGroups[0].drivers[1:])
	list[0].Reason = "alg: aead: gcm-aes-stdlib encryption test failed (wrong result) on vector 12, " +
		"layout \"in place\": got 00, want 01"
	golden(t, func(w io.Writer) { fmt.Fprintln(w, strings.Join(driverRows(list, nil, 0), "\n")) },
		`  driver           priority  self-test
  gcm-aes-stdlib        200  failed     because
      alg: aead: gcm-aes-stdlib encryption test failed (wrong result) on vector 12, layout "in
      place": got 00, want 01
  gcm-aes-generic       100  passed
`)
}

func TestWriteExplanation(t *testing.T) {
	e := registry.Explanation{Name: "gcm(aes)", Winner: "gcm-aes-generic", Why: "the best that works",
		Candidates: sampleGroups[0].drivers}
	golden(t, func(w io.Writer) { writeExplanation(w, e) }, `gcm(aes): gcm-aes-generic
the best that works

   driver             priority  self-test
   gcm-aes-vaes-avx2       600  unavailable  lacks vaes
   gcm-aes-stdlib          200  failed       wrong result on vector 1
*  gcm-aes-generic         100  passed
`)
}

func TestWriteTuning(t *testing.T) {
	var out bytes.Buffer
	tuned := slices.Clone(sampleGroups[0].drivers)
	for i := range tuned {
		tuned[i].Tuning = map[string]string{"gcm.a": "1"}
	}
	writeExplanation(&out, registry.Explanation{Name: "gcm(aes)", Candidates: tuned})
	const want = "\ngcm-aes-stdlib is tuned for this CPU's model: tune.gcm.a=1\n"
	if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "vaes-avx2 is tuned") {
		t.Errorf("no %q, or a driver that cannot run here, in\n%s", want, out.String())
	}
}

func TestWriteOverview(t *testing.T) {
	failed := func(w io.Writer) {
		if n := writeOverview(w, sampleGroups); n != 1 {
			t.Errorf("%d failed, want 1", n)
		}
	}
	golden(t, failed, `algorithm  passed their self-test, best first
gcm(aes)   generic
chacha20   generic
FAILED: gcm-aes-stdlib: wrong result on vector 1
4 drivers: 2 passed, 1 failed, 1 unavailable (tcrypt list says why)
`)
}

func TestWriteTourSpeed(t *testing.T) {
	rows := []tourRow{
		{"gcm-aes-generic", "", map[int]result.Cell{1024: {GBps: 0.25, TimesGo: 0.1}, 16384: {GBps: 0.3, TimesGo: 0.05}},
			map[int]result.Cell{1024: {GBps: 2.5}, 16384: {GBps: 6}}},
		{"xctr-aes-generic", "", map[int]result.Cell{1024: {GBps: 0.5}}, map[int]result.Cell{}},
	}
	golden(t, func(w io.Writer) { writeTourSpeed(w, rows) }, `
Encryption in GB/s on one core, longest key. x go: how many times longer Go's own code takes.
best driver       1024 B    Go   x go  16384 B    Go   x go
gcm-aes-generic    0.250  2.50  0.100    0.300  6.00  0.050
xctr-aes-generic   0.500     -
`)
}

func TestWriteInfo(t *testing.T) {
	r := report{Drivers: 9, Usable: 7, Machine: result.Machine{
		CPU: "A CPU", Vendor: "AuthenticAMD", Family: 25, Model: 17, Stepping: 1,
		CPUs: 4, Usable: 2, GOMAXPROCS: 1, Commit: "0123456789ab",
		Features:    []string{"sse2", "aes"},
		FeaturesOff: map[string]string{"avx": "masked by KCRYPTO", "avx2": "needs avx", "vaes": "needs avx"},
		Go:          "go1.26.8", Platform: "linux/amd64", Build: []string{"GOAMD64=v1"}, KCRYPTO: "cpu.avx=off",
		Virtualisation: "virtual machine",
	}, Tuning: map[string]string{"gcm.a": "1", "chacha.pass": "24"}}
	golden(t, func(w io.Writer) { writeInfo(w, r) }, `CPU             A CPU
                AuthenticAMD family 25 model 0x11 stepping 1
                4 logical CPUs, 2 of them for this process, GOMAXPROCS 1
features        sse2 aes
not in effect   avx (masked by KCRYPTO)
                avx2 vaes (needs avx)
virtualisation  virtual machine
governor        unknown
Go              go1.26.8 linux/amd64 GOAMD64=v1
commit          0123456789ab
KCRYPTO         cpu.avx=off
GODEBUG         not set
tuning          tune.chacha.pass=24,tune.gcm.a=1
drivers         9, of which 7 can run here (tcrypt test tests them)
`)
}

func TestWriteInfoWithoutFeatures(t *testing.T) {
	var out bytes.Buffer
	writeInfo(&out, report{Machine: result.Machine{FeaturesOff: map[string]string{}}})
	for _, want := range []string{"\nfeatures        none\n", "\nnot in effect   nothing: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestNewestFirst(t *testing.T) {
	var got []string
	for _, info := range newestFirst(flatten(sampleGroups)) {
		got = append(got, info.Driver)
	}
	want := []string{"chacha20-generic", "gcm-aes-vaes-avx2", "gcm-aes-stdlib", "gcm-aes-generic"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

package main

import (
	"strings"
	"testing"
)

// A log as memcheck 3.19 writes it, shortened.
const log = `==7== Memcheck, a memory error detector
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x5A8D10: kcrypto/algs/gcm.early (gcm.go:1)
==7== 
== driver: planted
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x5A8D10: main.plantedBranch (planted.go:13)
==7==    by 0x5A8D11: main.main (main.go:20)
==7== 
==7== Use of uninitialised value of size 8
==7==    at 0x5A8D12: main.plantedIndex (planted.go:22)
==7==    by 0x5A8D11: main.main (main.go:20)
==7== 
== driver: some-aes-driver
==7== Use of uninitialised value of size 8
==7==    at 0x41F072: runtime.mallocgcSmallScanNoHeader (malloc.go:970)
==7==    by 0x5A8D11: kcrypto/algs/gcm.(*Key).Seal (gcm.go:20)
==7== 
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x5A8D10: kcrypto.(*AEAD).Open (aead.go:119)
==7== 
==7== Invalid read of size 8
==7==    at 0x44BB76: kcrypto/algs/gcm.other (gcm.go:9)
==7== 
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x5A8D10: memeqbody (equal_amd64.s:50)
==7==    by 0x5A8D11: kcrypto/algs/gcm.(*Key).Open (gcm.go:30)
==7== 
== driver: end
`

// TestParse reads such a log: reports count for the driver that ran, noise of the runtime, verdicts and other kinds of
// report do not, and comparing secrets byte by byte does.
func TestParse(t *testing.T) {
	sections, err := parse([]byte(log))
	if err != nil {
		t.Fatal(err)
	}
	if len(sections) != 2 {
		t.Fatalf("%d sections, want the planted leaks and one driver: %v", len(sections), sections)
	}
	if err := checkPlanted(sections[0]); err != nil {
		t.Error(err)
	}
	driver := sections[1]
	if driver.driver != "some-aes-driver" || len(driver.leaks) != 1 {
		t.Fatalf("%v, want one leak of some-aes-driver", driver)
	}
	const want = "Conditional jump or move depends on a secret: memeqbody at equal_amd64.s:50, " +
		"called by kcrypto/algs/gcm.(*Key).Open"
	if got := driver.leaks[0].String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestParseRefuses logs that prove nothing.
func TestParseRefuses(t *testing.T) {
	cut := log[:strings.Index(log, "== driver: end")]
	if _, err := parse([]byte(cut)); err == nil {
		t.Error("a log without its end passes")
	}
	blind := strings.ReplaceAll(log, "main.plantedIndex", "runtime.plantedIndex")
	sections, err := parse([]byte(blind))
	if err != nil {
		t.Fatal(err)
	}
	if err := checkPlanted(sections[0]); err == nil {
		t.Error("a log without one of the planted leaks passes")
	}
}

// TestCommon: a leak that a second run does not report is none.
func TestCommon(t *testing.T) {
	first, err := parse([]byte(log))
	if err != nil {
		t.Fatal(err)
	}
	second, err := parse([]byte(strings.ReplaceAll(log, "memeqbody", "runtime.memmove")))
	if err != nil {
		t.Fatal(err)
	}
	if common(first, first); len(leaking(first[1:])) != 1 {
		t.Error("a leak that both runs report is gone")
	}
	if common(first, second); len(leaking(first[1:])) != 0 {
		t.Error("a leak that one run reports stays")
	}
}

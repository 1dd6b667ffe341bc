package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestMeasureMistakes(t *testing.T) {
	testMistakes(t, []mistake{
		{"speed aes", "did you mean"},
		{"speed --sizes 16,x", `"x" is no number of bytes from 1 to`},
		{"speed --sizes 0", `"0" is no number of bytes`},
		{"speed xts(aes) --sizes 15", "at least 16"},
		{"speed xts(aes) --sizes 64-16", `"64-16" ends before it begins`},
		{"tune gcm(aes) --sizes 1-2k/1", "more than 1000 sizes; want a wider step"},
		{"compare gcm(aes) go --sectors 4g", `"4g" is no number of bytes from 1 to`},
		{"speed gcm(aes) --both --decrypt", "--both and --decrypt both say what to time; want one of them"},
		{"speed gcm(aes) --batch 0", `"0" is no number of messages from 1 to 256`},
		{"speed gcm(aes) --batch 32 --sizes 1M", "want at most 16777216 bytes a call"},
		{"speed ctr(aes) --batch 32 --sizes 1M", "1048576 bytes for calls of 32 messages"},
		{"speed xts(aes) --batch 2 --sectors 512", "a call is for many messages or for many sectors"},
		{"speed ecb(aes) --sizes 100", "multiple of 16"},
		{"speed gcm(aes) --keys 100", "gcm(aes) has no key of 100 bits; it has 128, 192, 256"},
		{"speed xts(aes) --keys 128", "xts(aes) has no key of 128 bits; it has 256, 384, 512"},
		{"speed --keys 7", "no key of 7 bits"},
		{"speed gcm(aes) --keys 128,7", "gcm(aes) has no key of 7 bits; it has 128, 192, 256"},
		{"compare gcm(aes) go --keys 128,512", "gcm(aes) has no key of 512 bits"},
		{"tune gcm(aes) ctr(aes) --keys 128,256,7", "no key of 7 bits"},
		{"speed gcm(aes) --drivers gcm-aes-genric", "did you mean gcm-aes-generic"},
		{"speed gcm(aes) --drivers xts-aes-generic", "did you mean"},
		{"speed gcm(aes) chacha20 --drivers gcm-aes-generic", "chacha20 has no driver gcm-aes-generic; it has chacha20-"},
		{"speed xctr(aes) --drivers go", "xctr(aes) has no driver go"},
		{"speed --drivers all,generic", `"all" stands alone`},
		{"speed --drivers=", "--drivers is empty"},
		{"speed --time 0s", "want 1ms to 1m"},
		{"speed --time soon", "--time"},
		{"speed -o json --plot", "--plot goes with -o table; -o json is for programs"},
		{"speed --html /nowhere/r.html", "--html /nowhere/r.html: open /nowhere/r.html: no such file or directory"},
		{"speed --svg /", "--svg /: "},
		{"speed -o xml", "want table, json, csv, bench"},
		{"speed gcm(aes) --tag 5", "[4 8 12 13"},
		{"speed gcm(aes) --tag 0", `"0" is no number of bytes from 1 to`},
		{"speed ctr(aes) --aad 8", "ctr(aes) is no AEAD"},
		{"speed rfc4106(gcm(aes)) --aad 9", "[8 12]"},
		{"compare gcm(aes)", "takes two names or files"},
		{"compare gcm(aes) go go", "takes two names or files"},
		{"compare gcm(aes) xts(aes)", "are of two algorithms, gcm(aes) and xts(aes)"},
		{"compare gcm-aes-generic gcm-aes-generic", "are the same"},
		{"compare go go", "are the same"},
		{"compare xctr(aes) go", "Go has no xctr(aes)"},
		{"compare gcm(aes) go --tag 4", "Go has no gcm(aes) of this kind"},
		{"compare gcm(aes) gcm-aes-genric", "did you mean gcm-aes-generic"},
		{"compare gcm(aes) go --count 1", "want 6 to 1000"},
		{"tune", "tune takes algorithms"},
		{"tune rfc7539esp(chacha20,poly1305)", "has the order of rfc7539(chacha20,poly1305); tune that"},
		{"tune gcm-aes-generic", "is one driver, which has no order; tune gcm(aes)"},
		{"tune aes", "did you mean"},
		{"tune gcm(aes) --tag 3", "tag"},
		{"speed xts(aes) --drivers go --sizes 17", "17 bytes for Go's own xts(aes): x/crypto/xts takes multiples of 16"},
		{"speed xts(aes) --drivers go --sizes 32,17", "17 bytes for Go's own xts(aes)"},
		{"speed xts(aes) --drivers go --sectors 520", "Go's own xts(aes)"},
		{"speed xts(aes) --drivers go --sectors 520 --sizes 5200", "Go's own xts(aes)"},
		{"compare xts(aes) go --sizes 17", "17 bytes for Go's own xts(aes)"},
		{"compare go xts(aes) --sizes 32,17", "17 bytes for Go's own xts(aes)"},
		{"compare go xts(aes) --sectors 520", "Go's own xts(aes)"},
		{"tune gcm(aes) --all-cores --threads 2", "want one of them"},
	})
}

// Of two bounds a message names the one that was broken, in every command that has the flag.
func TestBounds(t *testing.T) {
	var list []mistake
	for _, l := range everyLine(t) {
		if l.command.Flags().Lookup("count") == nil || l.helps() {
			continue
		}
		for _, m := range []mistake{
			{"--count 5", "--count 5 is out of range; want 6 to 1000: fewer samples have no 95 % confidence interval\n"},
			{"--count 2000", "--count 2000 is out of range; want 6 to 1000: for narrower intervals give more --time\n"},
			{"--threads 0", fmt.Sprintf("--threads 0 is out of range; want 1 to %d\n", runtime.GOMAXPROCS(0))},
			{"--threads 9999", "no more can run at once here\n"},
			{"--time 0s", "--time 0s is out of range; want 1ms to 1m\n"},
		} {
			list = append(list, mistake{strings.Join(l.args, " ") + " " + m.args, m.want})
		}
	}
	testMistakes(t, list)
}

package kernelmode

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// Lines from real kernel logs (the linux-crypto list and bug trackers), with the time stamps taken off, and what they
// were written from.
func TestLinesAsTheKernelWritesThem(t *testing.T) {
	for _, c := range []struct {
		write func(*Lines)
		want  string
	}{
		{
			func(l *Lines) {
				const alg = "rfc7539esp(chacha20,poly1305)"
				l.Heading(Multibuffer, alg, "rfc7539esp(chacha20-generic,poly1305-generic)", false)
			},
			"tcrypt: testing speed of multibuffer rfc7539esp(chacha20,poly1305) " +
				"(rfc7539esp(chacha20-generic,poly1305-generic)) encryption",
		},
		{
			func(l *Lines) { l.test = 7; l.Cycles(36, 8192, 20168.4) },
			"tcrypt: test 7 (288 bit key, 8192 byte blocks): 1 operation in 20168 cycles (8192 bytes)",
		},
		{
			func(l *Lines) { l.test = 5; l.Seconds(20, 1420, 24372, 1) },
			"tcrypt: test 5 (160 bit key, 1420 byte blocks): 24372 operations in 1 seconds (34608240 bytes)",
		},
		{
			func(l *Lines) { l.Heading(Async, "xts(aes)", "xts-aes-neonbs", false) },
			"tcrypt: testing speed of async xts(aes) (xts-aes-neonbs) encryption",
		},
		{
			func(l *Lines) { l.Seconds(32, 16, 1049916, 1) },
			"tcrypt: test 0 (256 bit key, 16 byte blocks): 1049916 operations in 1 seconds (16798656 bytes)",
		},
		{
			func(l *Lines) { l.Heading(Plain, "rfc4106(gcm(aes))", "rfc4106-gcm-aesni", true) },
			"tcrypt: testing speed of rfc4106(gcm(aes)) (rfc4106-gcm-aesni) decryption",
		},
	} {
		var b bytes.Buffer
		c.write(NewLines(&b))
		if got := b.String(); got != c.want+"\n" {
			t.Errorf("got  %swant %s", got, c.want)
		}
	}
}

// What the kernel's tools/crypto/tcrypt/tcrypt_speed_compare.py looks for in a line, as patterns of ours for the same.
var (
	heading = regexp.MustCompile(`tcrypt: testing speed of (?P<what>.+?) (?P<direction>(?:en|de)cryption)`)
	row     = regexp.MustCompile(`\((?P<bits>\d+) bit key, (?P<bytes>\d+) byte blocks\): ` +
		`(?:(?P<operations>\d+) operations|1 operation in (?P<cycles>\d+) cycles)`)
)

// A log of ours, read with the kernel's patterns: they find each heading and row and take nothing else for one.
func TestKernelPatternsReadLines(t *testing.T) {
	var b bytes.Buffer
	l := NewLines(&b)
	l.Note("AMD EPYC, go1.26.8 linux/amd64, virtual machine")
	l.Missing("lrw(aes)")
	l.Heading(Sync, "ctr(aes)", "ctr-aes-vaes-avx2", false)
	l.Cycles(16, 64, 99.6)
	l.Heading(Multibuffer, "gcm(aes)", "gcm-aes-generic", true)
	l.Seconds(32, 1424, 3, 10)
	var got []string
	for line := range strings.Lines(b.String()) {
		for _, pattern := range []*regexp.Regexp{heading, row} {
			if m := pattern.FindStringSubmatch(line); m != nil {
				got = append(got, strings.Join(m[1:], "|"))
			}
		}
	}
	want := []string{
		"sync ctr(aes) (ctr-aes-vaes-avx2)|encryption", "128|64||100",
		"multibuffer gcm(aes) (gcm-aes-generic)|decryption", "256|1424|3|",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the patterns read %q, want %q", got, want)
	}
}

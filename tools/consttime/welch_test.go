package main

import (
	"context"
	"math"
	"testing"
	"time"

	"kcrypto"
	"kcrypto/internal/cpu"
)

// TestWelch holds the statistic to a case done by hand: means 2 and 5, variances 1 and 4, three samples each.
func TestWelch(t *testing.T) {
	var samples []sample
	for _, pair := range [][2]float64{{1, 3}, {2, 5}, {3, 7}} {
		samples = append(samples, sample{pair[0], 0}, sample{pair[1], 1})
	}
	want := -3 / math.Sqrt(1.0/3+4.0/3)
	if got := welch(samples, 100); math.Abs(got-want) > 1e-12 {
		t.Errorf("t = %v, want %v", got, want)
	}
	if got := welch(samples, 3); got != 0 { // one sample of the second kind is left
		t.Errorf("t = %v of a kind with one sample, want 0", got)
	}
	if got := welch([]sample{{1, 0}, {1, 0}, {2, 1}, {2, 1}}, 2); !math.IsInf(got, 1) {
		t.Errorf("t = %v of two kinds without any spread, want infinity", got)
	}
}

// TestPlantedLeak: what stops at the first difference is found, and far beyond the limit.
func TestPlantedLeak(t *testing.T) {
	if cpu.TSC() == 0 {
		t.Skip("NOT RUN: no time-stamp counter here")
	}
	if got := compare(context.Background(), 200*time.Millisecond, plantedLeak()); got < certainty {
		t.Errorf("|t| = %.1f of a comparison that stops at the first difference, want over %d", got, certainty)
	}
}

// TestOperations runs what is timed of each type once.
func TestOperations(t *testing.T) {
	for _, name := range []string{"gcm-aes-generic", "rfc4106(gcm-aes-generic)", "xts-aes-generic", "chacha20-generic"} {
		d := kcrypto.Drivers(name)[0]
		list, err := operationsOf(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			secret := make([]byte, o.size)
			for i := range secret {
				secret[i] = byte(i)
			}
			o.prepare(secret)
			o.run()
		}
	}
}

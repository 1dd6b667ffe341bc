//go:build !amd64 || purego

package cpu

import (
	"runtime"
	"strings"
	"testing"
)

func TestHost(t *testing.T) {
	if l := Host().List(); l != nil || TSC() != 0 || Host().Why("aes") != notProbed {
		t.Errorf("a build without assembly lists %v, TSC %d, and aes is off because %q", l, TSC(), Host().Why("aes"))
	}
}

// TestNotInThisBuild: what is missing is the build's doing and not the CPU's, and the sentence says whose.
func TestNotInThisBuild(t *testing.T) {
	for arch, want := range map[string]string{"amd64": "purego", "s390x": "s390x"} {
		if got := whyNot(arch); !strings.Contains(got, want) || strings.Contains(got, "CPU") {
			t.Errorf("%s: %q, want %s named", arch, got, want)
		}
	}
	if got := Host().Reason([]string{"aes"}); got != whyNot(runtime.GOARCH) {
		t.Errorf("%q", got)
	}
}

//go:build !amd64 || purego

package cpu

import "testing"

func TestHost(t *testing.T) {
	if l := Host().List(); l != nil || TSC() != 0 || Host().Why("aes") != notProbed {
		t.Errorf("a build without assembly lists %v, TSC %d, and aes is off because %q", l, TSC(), Host().Why("aes"))
	}
}

//go:build !amd64 || purego

package cpu

import "runtime"

var notProbed = whyNot(runtime.GOARCH)

// whyNot says why a build has no assembly.
func whyNot(arch string) string {
	if arch == "amd64" {
		return "not in this build: the tag purego leaves assembly out"
	}
	return "not in this build: the assembly is for amd64, and this is " + arch
}

// TSC returns 0: there is no time-stamp counter that this build can read.
func TSC() uint64 { return 0 }

func host() Features { return Features{} }

//go:build !amd64 || purego

package cpu

const notProbed = "this build has no assembly (it is not for amd64, or has the tag purego)"

// TSC returns 0: there is no time-stamp counter that this build can read.
func TSC() uint64 { return 0 }

func host() Features { return Features{} }

package main

import (
	"fmt"
	"io"
	"slices"

	"kcrypto/registry"
)

// writeProc prints list as /proc/crypto does: the same lines in the same order, a blank line after each record.
// What this module's drivers never are (internal, asynchronous, with exportable state) is a constant.
func writeProc(w io.Writer, list []registry.Info) {
	for _, info := range list {
		field := func(name string, value any) { fmt.Fprintf(w, "%-13s: %v\n", name, value) }
		field("name", info.Algorithm)
		field("driver", info.Driver)
		field("module", info.Module)
		field("priority", info.Priority)
		field("refcnt", info.Refcount)
		field("selftest", procState(info.SelfTest))
		field("internal", "no")
		field("type", info.Type)
		field("async", "no")
		field("blocksize", info.BlockSize)
		if info.Type == registry.TypeAEAD {
			field("ivsize", info.IVSize)
			field("maxauthsize", info.MaxAuthSize)
			field("geniv", "<none>")
		} else {
			field("min keysize", slices.Min(info.KeySizes))
			field("max keysize", slices.Max(info.KeySizes))
			field("ivsize", info.IVSize)
			field("chunksize", info.ChunkSize)
			field("walksize", info.ChunkSize)
			field("statesize", 0)
		}
		fmt.Fprintln(w)
	}
}

// procState is the kernel's word for a self-test's state: it has no third one.
func procState(s registry.SelfTest) string {
	if s == registry.Passed {
		return "passed"
	}
	return "unknown"
}

package main

import (
	"fmt"
	"runtime"

	"kcrypto/tools/tcrypt/internal/result"
)

// version is what --version prints.
func version() string {
	return fmt.Sprintf("tcrypt of kcrypto, commit %s, %s %s/%s", result.Commit(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}

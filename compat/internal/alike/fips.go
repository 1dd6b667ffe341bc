package alike

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// fipsChild marks a process that InFIPSMode started.
const fipsChild = "KCRYPTO_FIPS_CHILD"

// InFIPSMode runs check in a process of its own under GODEBUG=fips140=mode, which Go reads at the start only. It must be all
// that the calling test does.
func InFIPSMode(t *testing.T, mode string, check func(t *testing.T)) {
	t.Helper()
	if os.Getenv(fipsChild) != "" {
		check(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140="+mode, fipsChild+"=1")
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case strings.Contains(text, "panic: fips140: "):
		t.Skipf("NOT RUN HERE: Go itself refuses fips140=%s: %s", mode, text)
	case err != nil || !strings.Contains(text, "--- PASS: "+t.Name()):
		t.Errorf("under fips140=%s: %v\n%s", mode, err, text)
	}
}

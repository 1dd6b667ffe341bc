package equiv

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inChild marks a process that InChild started.
const inChild = "KCRYPTO_COMPAT_CHILD"

// InChild runs check in a process of its own with a setting, NAME=value, in its environment, for what is read at the
// start only. It must be all that the calling test does.
func InChild(t *testing.T, setting string, check func(t *testing.T)) {
	t.Helper()
	if os.Getenv(inChild) != "" {
		check(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), setting, inChild+"=1")
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case strings.Contains(text, "panic: fips140: "):
		t.Skipf("NOT RUN HERE: Go itself refuses %s: %s", setting, text)
	case err != nil || !strings.Contains(text, "--- PASS: "+t.Name()):
		t.Errorf("under %s: %v\n%s", setting, err, text)
	}
}

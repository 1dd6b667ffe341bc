package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// exits is the variable that makes this test binary a program that ends as its value says.
const exits = "KCRYPTO_TEST_JOB_ENDS"

func TestMain(m *testing.M) {
	end, asProgram := os.LookupEnv(exits)
	if !asProgram {
		os.Exit(m.Run())
	}
	Main("prog", func(context.Context, []string) error {
		switch end {
		case "well":
			return nil
		case "usage":
			return fmt.Errorf("%w: prog IN OUT", ErrUsage)
		}
		return errors.New("the disk is full")
	})
}

// TestExitStatus: 0, 1 and 2, and one line that says why.
func TestExitStatus(t *testing.T) {
	for end, want := range map[string]struct {
		code int
		line string
	}{"well": {0, ""}, "badly": {1, "prog: the disk is full\n"}, "usage": {2, "usage: prog IN OUT\n"}} {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), exits+"="+end)
		var line strings.Builder
		c.Stderr = &line
		c.Run()
		if code := c.ProcessState.ExitCode(); code != want.code || line.String() != want.line {
			t.Errorf("%s: status %d, %q; want %d, %q", end, code, &line, want.code, want.line)
		}
	}
}

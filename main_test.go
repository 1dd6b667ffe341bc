package kcrypto_test

import (
	"context"
	"crypto/fips140"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// KCRYPTO, GODEBUG and Configure take effect once in a process, so they are tested in child processes. The test binary
// runs itself with childVariable set, does what that says, and prints a report instead of running tests.

const childVariable = "KCRYPTO_TEST_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(childVariable); role != "" {
		if err := json.NewEncoder(os.Stdout).Encode(childMain(role)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A report is what a child found.
type report struct {
	Configure []outcome          // of each Configure call
	Alloc     map[string]outcome // by algorithm
	ByName    map[string]outcome // by driver
	Keyed     outcome            // of NewAEAD("gcm(aes)") with a key
	Explain   outcome
	SelfTest  outcome
	Retest    outcome // of RunSelfTest
	Drivers   []registry.Info
}

// An outcome is a driver's name or an error's text with its class.
type outcome struct {
	Driver, Error string
	Config        bool // the error is ErrConfig
	Unavailable   bool // the error is ErrUnavailable
}

func outcomeOf(driver string, err error) outcome {
	if err == nil {
		return outcome{Driver: driver}
	}
	return outcome{
		Error:  err.Error(),
		Config: errors.Is(err, registry.ErrConfig), Unavailable: errors.Is(err, registry.ErrUnavailable),
	}
}

// childMain does what role says: settings for Configure, one a line; "late" for one after the first use; "foreign" to
// register a foreign driver first; "without enforcement" for a first use in fips140.WithoutEnforcement.
func childMain(role string) (r report) {
	r.Alloc, r.ByName = map[string]outcome{}, map[string]outcome{}
	for line := range strings.Lines(role) {
		switch line = strings.TrimSpace(line); line {
		case "report":
		case "late":
			kcrypto.Drivers()
			r.Configure = append(r.Configure, outcomeOf("", kcrypto.Configure("chunk=4096")))
		case "without enforcement":
			fips140.WithoutEnforcement(func() { kcrypto.AllocAEAD("gcm(aes)") })
		case "foreign":
			if err := kcrypto.Default().Register([]registry.Driver{foreignGCMDriver("gcm-aes-acme", 90, noFlaw)}); err != nil {
				panic(err)
			}
		default:
			r.Configure = append(r.Configure, outcomeOf("", kcrypto.Configure(line)))
		}
	}
	for _, name := range everyAlgorithm(kcrypto.Default()) {
		r.Alloc[name] = outcomeOf(served(nil, name))
	}
	for _, d := range kcrypto.Drivers() {
		r.ByName[d.Driver] = outcomeOf(served(nil, d.Driver))
	}
	if a, err := kcrypto.NewAEAD("gcm(aes)", make([]byte, 16)); err != nil {
		r.Keyed = outcomeOf("", err)
	} else {
		r.Keyed = outcomeOf(a.Driver(), a.Close())
	}
	e, err := kcrypto.Explain("gcm(aes)")
	r.Explain = outcomeOf(e.Winner, err)
	r.SelfTest = outcomeOf("", kcrypto.SelfTest(context.Background(), "gcm-aes-generic"))
	r.Retest = outcomeOf("", kcrypto.RunSelfTest(context.Background(), kcrypto.SelfTestOptions{}, "gcm-aes-generic"))
	r.Drivers = kcrypto.Drivers()
	return r
}

// child runs the test binary in a role with variables of the form NAME=value.
func child(t *testing.T, role string, variables ...string) report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "KCRYPTO") && !strings.HasPrefix(v, "GODEBUG=") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, childVariable+"="+role), variables...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("child %q with %q: %v\n%s", role, variables, err, out)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("child %q with %q: %v\n%s", role, variables, err, out)
	}
	return r
}

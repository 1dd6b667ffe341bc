package main

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kcrypto/tools/consttime/internal/marker"
)

// section is what memcheck reported while one driver ran.
type section struct {
	driver string
	leaks  []leak
}

// leak is a place that depends on a secret.
type leak struct {
	what     string // memcheck's words
	function string
	place    string // file:line
	stack    []string
}

func (l leak) String() string {
	return fmt.Sprintf("%s: %s at %s, called by %s", l.what, l.function, l.place, strings.Join(l.stack, " < "))
}

var (
	complaint = regexp.MustCompile(`^==\d+== (Conditional jump or move depends on|Use of) uninitialised value`)
	innermost = regexp.MustCompile(`^==\d+==    at 0x[0-9A-F]+: (\S+) \((.*)\)`)
	caller    = regexp.MustCompile(`^==\d+==    by 0x[0-9A-F]+: (\S+) `)
)

// parse sorts memcheck's reports by the driver that ran.
func parse(log []byte) ([]section, error) {
	var list []section
	var now *leak
	lines := bufio.NewScanner(bytes.NewReader(log))
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, marker.Driver); ok {
			list = append(list, section{driver: name})
		} else if m := complaint.FindStringSubmatch(line); m != nil {
			now = &leak{what: m[1] + " a secret"}
		} else if m := innermost.FindStringSubmatch(line); m != nil && now != nil {
			now.function, now.place = m[1], m[2]
		} else if m := caller.FindStringSubmatch(line); m != nil && now != nil {
			now.stack = append(now.stack, m[1])
		} else if now != nil {
			if len(list) > 0 && ours(*now) {
				s := &list[len(list)-1]
				s.leaks = append(s.leaks, *now)
			}
			now = nil
		}
	}
	if n := len(list); n < 3 || list[n-1].driver != marker.End {
		return nil, fmt.Errorf("the subject did not reach its end, its log has %d drivers", n)
	}
	return list[:len(list)-1], lines.Err()
}

// verdicts are the functions that may branch on the outcome of a comparison of secrets, and on nothing else that is
// secret: whether a message is authentic, and whether a key is weak, is public.
var verdicts = map[string]bool{
	"kcrypto/registry.OpenEach":                                     true,
	"kcrypto.(*AEAD).openRun":                                       true,
	"kcrypto.(*AEAD).openChecked":                                   true,
	"kcrypto.(*AEAD).Open":                                          true,
	"kcrypto/algs/gcm.(*rfc4543).Open":                              true,
	"kcrypto/algs/xts.(*asmKey).WeakKey":                            true,
	"kcrypto/algs/xts.(*generic).WeakKey":                           true,
	"crypto/internal/fips140/aes/gcm.open":                          true,
	"golang.org/x/crypto/chacha20poly1305.(*chacha20poly1305).open": true,
}

// common keeps of each section's leaks those that the other run of the same drivers reported too. Memcheck follows Go's
// many stacks with some luck, and takes a fresh one for secret when it loses track; a leak does not come and go.
func common(list, other []section) {
	again := map[string]bool{}
	for _, s := range other {
		for _, l := range s.leaks {
			again[l.function+l.place] = true
		}
	}
	for i := range list {
		list[i].leaks = slices.DeleteFunc(list[i].leaks, func(l leak) bool { return !again[l.function+l.place] })
	}
}

// ours reports whether l is in code that handles secrets. Go's runtime reads memory that it has just been given, which
// memcheck takes for secret; what it does for us with the bytes of a slice (comparing, searching) counts.
func ours(l leak) bool {
	if verdicts[l.function] {
		return false
	}
	for _, onBytes := range []string{"runtime.memequal", "memeqbody", "runtime.cmpstring", "cmpbody",
		"internal/bytealg."} {
		if strings.HasPrefix(l.function, onBytes) {
			return true
		}
	}
	for _, noise := range []string{"runtime.", "internal/runtime/", "gosave_systemstack_switch"} {
		if strings.HasPrefix(l.function, noise) {
			return false
		}
	}
	return true
}

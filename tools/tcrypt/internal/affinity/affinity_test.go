package affinity

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for want, cpus := range map[string][]int{
		"": nil, "0": {0}, "0-1": {0, 1}, "0-3,8": {0, 1, 2, 3, 8}, "1,3,5-6": {1, 3, 5, 6},
	} {
		if got := Text(cpus); got != want {
			t.Errorf("%v: %q, want %q", cpus, got, want)
		}
		if n := Count(want); n != len(cpus) {
			t.Errorf("%q names %d CPUs, want %d", want, n, len(cpus))
		}
	}
	for _, bad := range []string{"x", "1-", "-1", "3-1", "0,,1"} {
		if n := Count(bad); n != 0 {
			t.Errorf("%q names %d CPUs", bad, n)
		}
	}
}

func TestAllowed(t *testing.T) {
	if err := allowed([]int{5}, []int{0, 1}); err == nil || !strings.Contains(err.Error(), "may not use CPU 5, but 0-1") {
		t.Error(err)
	}
	if err := allowed([]int{1}, []int{0, 1}); err != nil {
		t.Error(err)
	}
	if err := allowed([]int{5}, nil); err != nil {
		t.Errorf("the usable ones are not known: %v", err)
	}
}

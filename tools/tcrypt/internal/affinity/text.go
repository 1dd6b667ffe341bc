package affinity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Text writes CPU numbers, in ascending order, as Linux does: 0-3,8.
func Text(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); {
		last := i
		for last+1 < len(cpus) && cpus[last+1] == cpus[last]+1 {
			last++
		}
		part := strconv.Itoa(cpus[i])
		if last > i {
			part += "-" + strconv.Itoa(cpus[last])
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ",")
}

// Count is how many CPUs a text like 0-3,8 names, 0 if it is none.
func Count(text string) int {
	n := 0
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}

// allowed refuses CPUs that are not among those that the process may use.
func allowed(cpus, usable []int) error {
	for _, c := range cpus {
		if usable != nil && !slices.Contains(usable, c) {
			return fmt.Errorf("this process may not use CPU %d, but %s", c, Text(usable))
		}
	}
	return nil
}

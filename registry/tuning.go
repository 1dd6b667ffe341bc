package registry

import (
	"maps"
	"slices"
)

// Tuning is one choice between forms of a driver's code that compute the same. Which of them is the fastest depends on
// the model of the CPU.
type Tuning struct {
	Name   string   // "chacha.pass": a key of Config.Tuning
	Values []string // the forms there are; the first is the one of a Config that does not choose
}

// Value is what c chooses of t's values, "" if there are none.
func (c Config) Value(t Tuning) string {
	if v := c.Tuning[t.Name]; v != "" {
		return v
	}
	if len(t.Values) == 0 {
		return ""
	}
	return t.Values[0]
}

// tuned is what c chooses for all that is tuned about d. It is never nil.
func (c Config) tuned(d *Driver) map[string]string {
	m := make(map[string]string, len(d.Tunings))
	for _, t := range d.Tunings {
		m[t.Name] = c.Value(t)
	}
	return m
}

// Forms lists a choice for every combination of the values of d's Tunings; it is one empty choice if d has none. A
// driver is right if it is right in every form.
func (d *Driver) Forms() []map[string]string {
	forms := []map[string]string{{}}
	for _, t := range d.Tunings {
		var more []map[string]string
		for _, form := range forms {
			for _, v := range t.Values {
				f := maps.Clone(form)
				f[t.Name] = v
				more = append(more, f)
			}
		}
		forms = more
	}
	return forms
}

func cloneTunings(ts []Tuning) []Tuning {
	ts = slices.Clone(ts)
	for i := range ts {
		ts[i].Values = slices.Clone(ts[i].Values)
	}
	return ts
}

// isTuned reports whether each of ts has a name of its own, and forms to choose from.
func isTuned(ts []Tuning) bool {
	names := map[string]bool{}
	for _, t := range ts {
		values := map[string]bool{"": true}
		for _, v := range t.Values {
			if values[v] {
				return false
			}
			values[v] = true
		}
		if t.Name == "" || names[t.Name] || len(t.Values) < 2 {
			return false
		}
		names[t.Name] = true
	}
	return true
}

package kcrypto

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// environment is the one environment variable that this module reads, once, when the default registry is made.
const environment = "KCRYPTO"

// settings are the knobs of KCRYPTO and Configure.
type settings struct {
	mask      []string          // cpu.FEATURE=off
	prefer    map[string]string // prefer.ALGORITHM=DRIVER
	disable   []string          // disable=GLOB[;GLOB]
	preferYMM string            // auto, on, off
	chunk     int               // bytes
	tune      map[string]string // tune.NAME=VALUE
	selfTest  string            // lazy, eager, full
	strict    bool
}

func defaultSettings() settings {
	return settings{
		prefer: map[string]string{}, preferYMM: "auto", chunk: registry.DefaultChunk,
		tune: map[string]string{}, selfTest: "lazy",
	}
}

// Limits of the chunk setting in bytes: smaller ones make calls slow, larger ones make the garbage collector wait.
const minChunk, maxChunkSetting = 1 << 10, 1 << 30

const settingsHelp = "known keys: cpu.FEATURE, prefer.ALGORITHM, " +
	"disable, preferymm, chunk, tune.NAME, selftest, strict"

// parse reads text in GODEBUG's form, key=value pairs split at commas outside parentheses, over what s holds.
// Names of drivers are checked later, by setup.check, since foreign drivers come later too.
func (s *settings) parse(text string) error {
	for _, pair := range splitOutside(text, ',') {
		if pair == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return configError("%q is no key=value pair; %s", pair, settingsHelp)
		}
		if err := s.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) set(key, value string) (err error) {
	group, name, dotted := strings.Cut(key, ".")
	switch {
	case dotted && group == "cpu":
		if !slices.Contains(cpu.Maskable(), name) {
			return configError("%s: unknown feature, want one of %s", key, strings.Join(cpu.Maskable(), ", "))
		}
		if _, err = oneOf(key, value, "off"); err == nil {
			s.mask = append(s.mask, name)
		}
	case dotted && group == "tune":
		if err = checkTuning(name, value); err == nil {
			s.tune[name] = value
		}
	case dotted && group == "prefer" && name != "" && value != "":
		s.prefer[name] = value
	case key == "disable":
		s.disable, err = globs(value)
	case key == "preferymm":
		s.preferYMM, err = oneOf(key, value, "auto", "on", "off")
	case key == "selftest":
		s.selfTest, err = oneOf(key, value, "lazy", "eager", "full")
	case key == "strict":
		value, err = oneOf(key, value, "on", "off")
		s.strict = value == "on"
	case key == "chunk":
		n, bad := strconv.Atoi(value)
		if bad != nil || n < minChunk || n > maxChunkSetting {
			return configError("chunk=%s: want a number of bytes from %d to %d", value, minChunk, maxChunkSetting)
		}
		s.chunk = n
	default:
		return configError("unknown key or empty value %q; %s", key+"="+value, settingsHelp)
	}
	return err
}

// masksAES reports whether the user switched the CPU's AES instructions off.
func (s *settings) masksAES() bool {
	return slices.Contains(s.mask, "aes") || slices.Contains(s.mask, "all")
}

// config is what drivers' constructors are to get on a machine with the features f.
func (s *settings) config(f cpu.Features) registry.Config {
	return registry.Config{Chunk: s.chunk, Tuning: tuned(f, s.tune)}
}

// features is what the machine offers less what the user masked.
func (s *settings) features() cpu.Features {
	f := cpu.Host()
	for _, name := range s.mask {
		f, _ = f.Mask(name) // the name was checked by set
	}
	return f
}

// unknown lists the settings that name no driver or algorithm of r, each as the sentence that mends it.
func (s *settings) unknown(r *registry.Registry) []string {
	var bad []string
	for _, alg := range slices.Sorted(maps.Keys(s.prefer)) {
		name, found := s.prefer[alg], r.List(alg)
		names := driverNames(found)
		switch {
		case len(found) == 0:
			bad = append(bad, fmt.Sprintf("prefer.%s: unknown algorithm; tcrypt list shows them", alg))
		case slices.Contains(names, alg) && found[0].Algorithm != alg:
			bad = append(bad, fmt.Sprintf("prefer.%s: that is a driver; want prefer.%s", alg, found[0].Algorithm))
		case !slices.Contains(names, name) && !oneOfThem(r.List(name), names):
			bad = append(bad, fmt.Sprintf("prefer.%s=%s: unknown driver, want one of %s", alg, name, strings.Join(names, ", ")))
		}
	}
	all := driverNames(r.List())
	for _, glob := range s.disable {
		if !slices.ContainsFunc(all, func(name string) bool { ok, _ := path.Match(glob, name); return ok }) {
			bad = append(bad, fmt.Sprintf("disable=%s: no driver has such a name; tcrypt list shows them", glob))
		}
	}
	return bad
}

// oneOfThem reports whether list is one driver, found by an alias, and among names.
func oneOfThem(list []registry.Info, names []string) bool {
	return len(list) == 1 && slices.Contains(names, list[0].Driver)
}

func driverNames(list []registry.Info) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Driver
	}
	return names
}

func globs(value string) ([]string, error) {
	list := splitOutside(value, ';')
	for _, glob := range list {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return nil, configError("disable=%s: %q is no pattern; want names with * and ?, split by ;", value, glob)
		}
	}
	return list, nil
}

func oneOf(key, value string, valid ...string) (string, error) {
	if !slices.Contains(valid, value) {
		return "", configError("%s=%s: want %s", key, value, strings.Join(valid, ", "))
	}
	return value, nil
}

// splitOutside splits s at sep outside parentheses, since algorithm names have commas within.
func splitOutside(s string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case sep:
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}

func configError(format string, args ...any) error {
	return fmt.Errorf("kcrypto: %w: %s", registry.ErrConfig, fmt.Sprintf(format, args...))
}

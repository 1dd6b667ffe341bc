package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kcrypto"
	"kcrypto/registry"
)

// asmSource is one generated assembly file, by lines, and the drivers that it serves.
type asmSource struct {
	name    string
	lines   []string
	sites   map[string]map[string][]int // function -> instruction's name -> its lines
	drivers []string
}

// families maps a folder to the algorithms that its assembly serves.
var families = map[string]*regexp.Regexp{
	"algs/ctr":     regexp.MustCompile(`^(x?ctr\(|rfc3686)`),
	"algs/cbc":     regexp.MustCompile(`^(?:cbc|cts|essiv)\(`),
	"algs/ecb":     regexp.MustCompile(`^ecb\(`),
	"algs/ccm":     regexp.MustCompile(`^(ccm\(|rfc4309)`),
	"algs/gcm":     regexp.MustCompile(`^(gcm\(|rfc4106|rfc4543)`),
	"algs/xts":     regexp.MustCompile(`^xts\(`),
	"algs/chacha":  regexp.MustCompile(`chacha`),
	"internal/aes": regexp.MustCompile(`aes`),
}

// readAssembly reads the assembly of all drivers whose path fits.
func readAssembly(fits *regexp.Regexp) ([]source, error) {
	var list []source
	for dir, family := range families {
		paths, err := filepath.Glob(dir + "/*.s")
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !fits.MatchString(path) {
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			s := &asmSource{name: path, lines: strings.Split(string(b), "\n"), drivers: served(path, family)}
			if len(s.drivers) == 0 {
				fmt.Printf("left out: %s, whose drivers this CPU cannot run\n", path)
				continue
			}
			s.index()
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no assembly fits %s: run it from the root of kcrypto", fits)
	}
	slices.SortFunc(list, func(a, b source) int { return strings.Compare(a.path(), b.path()) })
	return list, nil
}

// served lists the usable drivers of a family that a file's name fits: those of the implementation in its name, or
// all that are assembly where it names none.
func served(path string, family *regexp.Regexp) []string {
	name, impl := filepath.Base(path), ""
	infos := kcrypto.Drivers()
	for _, d := range infos {
		if strings.Contains(name, "_"+d.Impl) && len(d.Impl) > len(impl) && filepath.Dir(path) != "internal/aes" {
			impl = d.Impl
		}
	}
	var list []string
	for _, d := range infos {
		assembly := d.Impl != "generic" && d.Impl != "stdlib"
		if family.MatchString(d.Algorithm) && assembly && (impl == "" || d.Impl == impl) &&
			d.SelfTest != registry.Unavailable {
			list = append(list, d.Driver)
		}
	}
	return list
}

var (
	function    = regexp.MustCompile(`^TEXT ·(\w+)`)
	instruction = regexp.MustCompile(`^\t([A-Z][A-Z0-9.]*)( |$)`)
	// Alignment changes nothing; RET ends the text, and an execution that falls off it is nobody's mistake to test.
	// What VZEROUPPER does no result shows: the instruction census holds it.
	spared = regexp.MustCompile(`^(PCALIGN|RET|VZEROUPPER)$`)
)

// index finds the instructions that may be broken.
func (s *asmSource) index() {
	s.sites = map[string]map[string][]int{}
	var in string
	for i, line := range s.lines {
		if m := function.FindStringSubmatch(line); m != nil {
			in = m[1]
			s.sites[in] = map[string][]int{}
		}
		if m := instruction.FindStringSubmatch(line); m != nil && in != "" && !spared.MatchString(m[1]) {
			s.sites[in][m[1]] = append(s.sites[in][m[1]], i)
		}
	}
}

func (s *asmSource) path() string { return s.name }

// checks are the self-test of the drivers, the tests of the package, and the suite's tests of those drivers.
func (s *asmSource) checks() []check {
	test := []string{"go", "test", "-vet=off", "-short", "-count=1"}
	return []check{
		{selfTest, append([]string{"go", "run", "./tools/tcrypt", "test"}, s.drivers...)},
		{package_, append(slices.Clone(test), "./"+filepath.Dir(s.name))},
		{suite, append(test, "-run", "/("+strings.Join(s.drivers, "|")+")($|[^-])", ".")},
	}
}

// draw breaks one instruction of s.
func (s *asmSource) draw(random *rand.Rand) *mutant {
	function := pick(random, slices.Sorted(maps.Keys(s.sites)))
	kind := pick(random, slices.Sorted(maps.Keys(s.sites[function])))
	line := pick(random, s.sites[function][kind])
	for {
		if changed, ok := pick(random, ways)(random, s.lines[line]); ok && changed != s.lines[line] {
			lines := slices.Clone(s.lines)
			lines[line] = changed
			return &mutant{s.name, function, line + 1, s.lines[line], changed, strings.Join(lines, "\n")}
		}
	}
}

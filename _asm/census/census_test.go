package census

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kcrypto/algs/cbc"
	"kcrypto/algs/ccm"
	"kcrypto/algs/chacha"
	"kcrypto/algs/ctr"
	"kcrypto/algs/ecb"
	"kcrypto/algs/gcm"
	"kcrypto/algs/xts"
	"kcrypto/internal/cpu"
	"kcrypto/registry"
)

// drivers gives the table of drivers of each package that has assembly.
var drivers = map[string]func() []registry.Driver{
	"algs/cbc":    cbc.Drivers,
	"algs/ccm":    ccm.Drivers,
	"algs/chacha": chacha.Drivers,
	"algs/ctr":    ctr.Drivers,
	"algs/ecb":    ecb.Drivers,
	"algs/gcm":    gcm.Drivers,
	"algs/xts":    xts.Drivers,
}

// beyond says what the functions may need that no driver's table speaks of, as Go code asks for it where it calls them:
// by file, and where one file serves several levels by the end of the function's name.
var beyond = map[string][]string{
	"algs/chacha/block_amd64.s":           {},
	"algs/chacha/poly1305_amd64.s":        {},
	"internal/aes/expand_aesni_amd64.s":   {"aesni"},
	"internal/cpu/cpu_amd64.s":            {"tsc", "osxsave"},
	"internal/limits/loops_amd64.s chain": {},
	"internal/limits/loops_amd64.s SSE":   {"aesni", "pclmulqdq"},
	"internal/limits/loops_amd64.s XMM":   {"aesni_avx", "pclmulqdq"},
	"internal/limits/loops_amd64.s YMM":   {"vaes_avx2"},
	"internal/limits/loops_amd64.s ZMM":   {"vaes_avx512", "ifma"},
}

// needsOf lists what each driver whose function this is asks for: the drivers of the package whose implementation ends
// the file's name, which is <what>_<implementation>_amd64.s.
func needsOf(f function) (all [][]string) {
	for key, needs := range beyond {
		if file, end, _ := strings.Cut(key, " "); file == f.file && strings.HasSuffix(f.name, end) {
			all = append(all, needs)
		}
	}
	table := drivers[path.Dir(f.file)]
	if table == nil || all != nil {
		return all
	}
	var impl string
	for _, d := range table() {
		if strings.HasSuffix(f.file, "_"+d.Impl+"_amd64.s") && len(d.Impl) > len(impl) {
			impl = d.Impl
		}
	}
	for _, d := range table() {
		if d.Impl == impl && impl != "" {
			all = append(all, d.Needs)
		}
	}
	return all
}

// TestCensus takes every assembly function of the main module apart, as it is linked into a test binary.
func TestCensus(t *testing.T) {
	all := link(t, "../..", "test", "-c", ".") // the root's tests run every driver
	for folder, functions := range assembly(t, "../..") {
		t.Run(folder, func(t *testing.T) {
			var own *Program // of the package's own tests, for what the root has no use for
			for _, f := range functions {
				code, err := all.Code("kcrypto/"+folder, f.name)
				if err != nil && own == nil {
					own = link(t, "../..", "test", "-c", "./"+folder)
				}
				if err != nil {
					code, err = own.Code("kcrypto/"+folder, f.name)
				}
				if err != nil {
					t.Errorf("%s: %v", f.file, err)
					continue
				}
				levels := needsOf(f)
				if levels == nil {
					t.Errorf("%s: no driver has the implementation that ends its name, and the table beyond lacks it", f.file)
				}
				for _, needs := range levels {
					if err := Check(code, needs); err != nil {
						t.Errorf("%s: %s:\n%v", f.file, f.name, err)
					}
				}
			}
			t.Logf("%d functions", len(functions))
		})
	}
}

// link runs a go command that builds a program of the module in folder dir for Linux on amd64, and opens the program.
func link(t *testing.T, dir string, command ...string) *Program {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", slices.Insert(command, len(command)-1, "-o", out)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// A function is an assembly function and the file it stands in, by its path in the module.
type function struct{ file, name string }

var textLine = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)

// assembly lists the assembly functions of the module in folder root, by folder.
func assembly(t *testing.T, root string) map[string][]function {
	t.Helper()
	folders := map[string][]function{}
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"_asm", "bench", "tools", ".git"}, name):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_amd64.s"):
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		for _, m := range textLine.FindAllStringSubmatch(string(text), -1) {
			folders[path.Dir(name)] = append(folders[path.Dir(name)], function{name, m[1]})
		}
		return err
	})
	if err != nil || len(folders) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	return folders
}

// TestLevelsAreKnown: a name in the tables that internal/cpu does not have would never be found missing.
func TestLevelsAreKnown(t *testing.T) {
	for _, row := range []map[string][2]string{vexed, evexed} {
		for encoding, columns := range row {
			between := func(r rune) bool { return r == '+' || r == '-' }
			for _, name := range strings.FieldsFunc(columns[0]+"+"+columns[1], between) {
				if cpu.Closure(name) == nil {
					t.Errorf("%s: internal/cpu knows no feature %q", encoding, name)
				}
			}
		}
	}
}

// TestPlanted: the census finds what is wrong with assembly that has one fault a function.
func TestPlanted(t *testing.T) {
	program := link(t, "testdata/planted", "build", ".")
	for _, c := range []struct{ name, needs, want string }{
		{"fine", "avx2", ""},
		{"movbe", "vaes_avx2", "MOVBE needs movbe"},
		{"bmi2", "aesni_avx", "needs bmi2"},
		{"avx2", "aesni_avx", "needs avx2"},
		{"sse41", "ssse3", "PINSRD needs sse41"},
		{"widened", "avx2", "needs avx512vl"},
		{"narrowed", "avx512f", "needs avx512vl"},
		{"unknown", "avx512", "not in the census's table"},
		{"onePathDirty", "avx2", "RET without VZEROUPPER"},
		{"mixed", "avx2", "PXOR is SSE-encoded where"},
		{"runsOff", "sse2", "control runs off the end"},
	} {
		code, err := program.Code("main", c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		switch err := Check(code, []string{c.needs}); {
		case err == nil && c.want != "":
			t.Errorf("%s on %s: nothing found, want %q", c.name, c.needs, c.want)
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s on %s: %v, want %q", c.name, c.needs, err, c.want)
		}
	}
}

package cpu

import (
	"slices"
	"strings"
	"testing"
)

// The raw registers of real CPUs, as their users publish them.
func dump(maxLeaf, sig, ecx1, edx1, ebx7, ecx7 uint32) Leaves {
	return Leaves{
		L0:   Regs{EAX: maxLeaf},
		L1:   Regs{EAX: sig, ECX: ecx1, EDX: edx1},
		L7:   Regs{EBX: ebx7, ECX: ecx7},
		Ext0: Regs{EAX: 0x80000008},
		Ext7: Regs{EDX: 1 << 8},
	}
}

var (
	penryn      = dump(0x0a, 0x00010676, 0x0008e3fd, 0xbfebfbff, 0, 0)
	westmere    = dump(0x0b, 0x000206c2, 0x029ee3ff, 0xbfebfbff, 0, 0)
	airmont     = dump(0x0b, 0x000406c3, 0x43d8e3bf, 0xbfebfbff, 0x00002282, 0)
	sandyBridge = dump(0x0d, 0x000206a7, 0x1fbae3ff, 0xbfebfbff, 0, 0)
	bulldozer   = dump(0x0d, 0x00600f12, 0x1e98220b, 0x178bfbff, 0, 0)
	haswell     = dump(0x0d, 0x000306c3, 0x7ffafbff, 0xbfebfbff, 0x000027ab, 0)
	skylakeX    = dump(0x16, 0x00050654, 0x7ffefbff, 0xbfebfbff, 0xd39ffffb, 0)
	knights     = dump(0x0d, 0x00050671, 0x7ff8f3bf, 0xbfebfbff, 0x1c0d23ab, 0)
	iceLake     = dump(0x1b, 0x000706e5, 0x7ffafbbf, 0xbfebfbff, 0xf2bf27ef, 0x40405f4e)
	zen3        = dump(0x10, 0x00a20f12, 0x7ed8320b, 0x178bfbff, 0x219c97a9, 0x0040068c)
	alderLake   = dump(0x20, 0x00090672, 0x7ffafbff, 0xbfebfbff, 0x239c27eb, 0x98c027ac)
)

func with(l Leaves, change func(*Leaves)) Leaves {
	change(&l)
	return l
}

const (
	sse   = "tsc invtsc sse2 ssse3 sse41 "
	upTo2 = "tsc invtsc sse2 ssse3 sse41 aes pclmulqdq movbe bmi2 adx avx avx2 "
	all   = upTo2 + "vaes vpclmulqdq gfni avx512f avx512bw avx512vl avx512dq ifma vbmi avx512 avx512_ifma " +
		"aesni aesni_avx vaes_avx2 vaes_avx512"
)

// decoded lists what Decode must make of each machine.
var decoded = []struct {
	name   string
	leaves Leaves
	xcr0   uint64
	goos   string
	want   string
}{
	{"nothing at all", Leaves{}, 0, "linux", ""},
	{"Penryn", penryn, 0, "linux", sse},
	{"Westmere", westmere, 0, "linux", sse + "aes pclmulqdq aesni"},
	{"Airmont", airmont, 0, "linux", sse + "aes pclmulqdq movbe aesni"},
	{"Sandy Bridge: AVX without MOVBE", sandyBridge, 7, "linux", sse + "aes pclmulqdq avx aesni aesni_avx"},
	{"Bulldozer: AVX without MOVBE", bulldozer, 7, "linux", sse + "aes pclmulqdq avx aesni aesni_avx"},
	{"Haswell", haswell, 7, "linux", sse + "aes pclmulqdq movbe bmi2 avx avx2 aesni aesni_avx"},
	{"AVX2 without BMI2", with(haswell, func(l *Leaves) { l.L7.EBX &^= 1 << 8 }), 7, "linux",
		sse + "aes pclmulqdq movbe avx avx2 aesni aesni_avx"},
	{"AVX2 without AVX", with(haswell, func(l *Leaves) { l.L1.ECX &^= 1 << 28 }), 7, "linux",
		sse + "aes pclmulqdq movbe bmi2 aesni"},
	{"Skylake-X", skylakeX, 0xe7, "linux", upTo2 + "avx512f avx512bw avx512vl avx512dq avx512 aesni aesni_avx"},
	{"Knights Landing: AVX-512F without VL and BW", knights, 0xe7, "linux", upTo2 + "avx512f aesni aesni_avx"},
	{"Zen 3: VAES without AVX-512", zen3, 7, "linux", upTo2 + "vaes vpclmulqdq aesni aesni_avx vaes_avx2"},
	{"Alder Lake: VAES without AVX-512", alderLake, 7, "linux", upTo2 + "vaes vpclmulqdq gfni aesni aesni_avx vaes_avx2"},
	{"Alder Lake, XCR0 with PKRU", alderLake, 0x207, "linux", upTo2 + "vaes vpclmulqdq gfni aesni aesni_avx vaes_avx2"},
	{"Ice Lake", iceLake, 0xe7, "linux", all},
	{"Ice Lake with AMX state in XCR0", iceLake, 0x602e7, "windows", all},
	{"Ice Lake, XCR0 7", iceLake, 7, "linux", upTo2 + "vaes vpclmulqdq gfni aesni aesni_avx vaes_avx2"},
	{"Ice Lake, XCR0 without opmasks", iceLake, 0xc7, "linux", upTo2 + "vaes vpclmulqdq gfni aesni aesni_avx vaes_avx2"},
	{"Ice Lake, XCR0 3", iceLake, 3, "linux", sse + "aes pclmulqdq movbe bmi2 adx gfni aesni"},
	{"Ice Lake, XCR0 0xe3: ZMM without YMM", iceLake, 0xe3, "linux", sse + "aes pclmulqdq movbe bmi2 adx gfni aesni"},
	{"Ice Lake, OSXSAVE off", with(iceLake, func(l *Leaves) { l.L1.ECX &^= 1 << 27 }), 0xe7, "linux",
		sse + "aes pclmulqdq movbe bmi2 adx gfni aesni"},
	{"Ice Lake on darwin", iceLake, 0xe7, "darwin", upTo2 + "vaes vpclmulqdq gfni aesni aesni_avx vaes_avx2"},
	{"Ice Lake, leaf 7 beyond the limit", with(iceLake, func(l *Leaves) { l.L0.EAX = 6 }), 0xe7, "linux",
		sse + "aes pclmulqdq movbe avx aesni aesni_avx"},
	{"Ice Lake, no extended leaves", with(iceLake, func(l *Leaves) { l.Ext0.EAX = 0x80000004 }), 0xe7, "linux",
		strings.Replace(all, "invtsc ", "", 1)},
	{"AES off, VAES on", with(iceLake, func(l *Leaves) { l.L1.ECX &^= 1 << 25 }), 0xe7, "linux",
		sse + "pclmulqdq movbe bmi2 adx avx avx2 vpclmulqdq gfni " +
			"avx512f avx512bw avx512vl avx512dq ifma vbmi avx512 avx512_ifma"},
	{"PCLMULQDQ off, VPCLMULQDQ on", with(iceLake, func(l *Leaves) { l.L1.ECX &^= 1 << 1 }), 0xe7, "linux",
		sse + "aes movbe bmi2 adx avx avx2 vaes gfni " +
			"avx512f avx512bw avx512vl avx512dq ifma vbmi avx512 avx512_ifma aesni aesni_avx"},
	{"VAES without VPCLMULQDQ", with(iceLake, func(l *Leaves) { l.L7.ECX &^= 1 << 10 }), 0xe7, "linux",
		upTo2 + "vaes gfni avx512f avx512bw avx512vl avx512dq ifma vbmi avx512 avx512_ifma aesni aesni_avx"},
	{"SSSE3 off", with(iceLake, func(l *Leaves) { l.L1.ECX &^= 1 << 9 }), 0xe7, "linux",
		"tsc invtsc sse2 aes pclmulqdq movbe bmi2 adx gfni"},
}

func TestDecode(t *testing.T) {
	for _, c := range decoded {
		t.Run(c.name, func(t *testing.T) {
			got := Decode(c.leaves, c.xcr0, c.goos).List()
			if want := inOrder(c.want); !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// inOrder splits a row's names and puts them into the table's order.
func inOrder(names string) []string {
	s := strings.Fields(names)
	slices.SortFunc(s, func(a, b string) int { return int(byName[a]) - int(byName[b]) })
	if len(s) == 0 {
		return nil
	}
	return s
}

func TestIdentity(t *testing.T) {
	l := skylakeX
	l.L0 = Regs{EAX: 0x16, EBX: 0x756e6547, EDX: 0x49656e69, ECX: 0x6c65746e}
	l.Brand = [3]Regs{
		{0x65746e49, 0x2952286c, 0x6f655820, 0x2952286e}, {0x6c6f4720, 0x31362064, 0x43203834, 0x40205550},
		{0x342e3220, 0x7a484730, 0x00000000, 0x00000000},
	}
	f := Decode(l, 0xe7, "linux")
	if f.Vendor != "GenuineIntel" || f.Brand != "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz" {
		t.Errorf("vendor %q, brand %q", f.Vendor, f.Brand)
	}
	for _, c := range []struct {
		name                    string
		leaves                  Leaves
		family, model, stepping int
		hypervisor              bool
	}{
		{"Skylake-X", skylakeX, 6, 0x55, 4, false},
		{"Ice Lake", iceLake, 6, 0x7e, 5, false},
		{"Zen 3", zen3, 25, 0x21, 2, false},
		{"Bulldozer", bulldozer, 21, 1, 2, false},
		{"a guest", with(zen3, func(l *Leaves) { l.L1.ECX |= 1 << 31 }), 25, 0x21, 2, true},
	} {
		f := Decode(c.leaves, 7, "linux")
		if f.Family != c.family || f.Model != c.model || f.Stepping != c.stepping || f.Hypervisor != c.hypervisor {
			t.Errorf("%s: family %d, model %#x, stepping %d, hypervisor %v", c.name, f.Family, f.Model, f.Stepping, f.Hypervisor)
		}
	}
}

func TestPreferYMM(t *testing.T) {
	for _, c := range []struct {
		vendor        string
		family, model int
		want          bool
	}{
		{"GenuineIntel", 6, 0x55, true}, {"GenuineIntel", 6, 0x6a, true}, {"GenuineIntel", 6, 0x6c, true},
		{"GenuineIntel", 6, 0x7d, true}, {"GenuineIntel", 6, 0x7e, true}, {"GenuineIntel", 6, 0x9d, true},
		{"GenuineIntel", 6, 0x8c, true}, {"GenuineIntel", 6, 0x8d, true},
		{"GenuineIntel", 6, 0xa7, false}, {"GenuineIntel", 6, 0x8f, false}, {"GenuineIntel", 6, 0xcf, false},
		{"GenuineIntel", 25, 0x55, false}, {"AuthenticAMD", 25, 0x11, false}, {"AuthenticAMD", 6, 0x55, false},
		{"", 0, 0, false},
	} {
		if got := (Features{Vendor: c.vendor, Family: c.family, Model: c.model}).PreferYMM(); got != c.want {
			t.Errorf("%s family %d model %#x: got %v", c.vendor, c.family, c.model, got)
		}
	}
}

// TestDecodeLastLeaf: a leaf counts exactly if it is not beyond the last one that the CPU has.
func TestDecodeLastLeaf(t *testing.T) {
	all := Leaves{
		L1: Regs{ECX: ^uint32(0), EDX: ^uint32(0)}, L7: Regs{EBX: ^uint32(0), ECX: ^uint32(0)}, Ext7: Regs{EDX: ^uint32(0)},
	}
	for _, c := range []struct {
		basic, extended uint32
		want            [3]bool // sse2 of leaf 1, bmi2 of leaf 7, invtsc of leaf 0x80000007
	}{
		{0, 0, [3]bool{}}, {1, 0, [3]bool{true, false, false}}, {6, 0x80000006, [3]bool{true, false, false}},
		{7, 0x80000006, [3]bool{true, true, false}}, {6, 0x80000007, [3]bool{true, false, true}},
		{7, 0x80000007, [3]bool{true, true, true}}, {0, 0x80000007, [3]bool{}}, // invtsc needs tsc, of leaf 1
	} {
		l := all
		l.L0.EAX, l.Ext0.EAX = c.basic, c.extended
		f := Decode(l, 7, "linux")
		if got := [3]bool{f.Has("sse2"), f.Has("bmi2"), f.Has("invtsc")}; got != c.want {
			t.Errorf("last leaves %d and %#x: %v, want %v", c.basic, c.extended, got, c.want)
		}
	}
}

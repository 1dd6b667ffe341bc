package lint

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// check builds a function func(p *byte, n int) that ends as body says, and lints it as emit does. Where body returns
// an exception, it holds for the last instruction before its call.
func check(t *testing.T, needs string, body func(*build.Context, func(Rule, string))) error {
	t.Helper()
	c := build.NewContext()
	c.Function("f")
	c.SignatureExpr("func(p *byte, n int)")
	allowed := map[*ir.Instruction]map[Rule]string{}
	body(c, func(rule Rule, reason string) {
		file, _ := c.Result()
		all := file.Functions()[0].Instructions()
		allowed[all[len(all)-1]] = map[Rule]string{rule: reason}
	})
	file, err := c.Result()
	if err != nil {
		t.Fatal(err)
	}
	f := &Func{Function: file.Functions()[0], Needs: strings.Fields(needs), Allowed: allowed}
	for _, p := range []pass.Interface{pass.Verify, pass.FunctionPass(pass.LabelTarget), pass.FunctionPass(pass.CFG)} {
		if err := p.Execute(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Check(); err != nil {
		return err
	}
	for _, p := range []pass.FunctionPass{pass.Liveness, pass.AllocateRegisters, pass.BindRegisters} {
		if err := p.Execute(file); err != nil {
			t.Fatal(err)
		}
	}
	return f.CheckRegisters()
}

type body = func(*build.Context, func(Rule, string))

var mem = operand.Mem{Base: reg.StaticBase, Symbol: operand.NewStaticSymbol("m")}

// pointer loads the argument p.
func pointer(c *build.Context) operand.Mem { return operand.Mem{Base: c.Load(c.Param("p"), c.GP64())} }

// rules gives each rule code that it must refuse, and the nearest code that it must let pass.
var rules = []struct {
	name      string
	rule      Rule
	needs     string
	bad, good body
}{
	{"AVX2 instruction at an AVX level", Level, "aesni_avx",
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.VPADDQ(reg.Y0, reg.Y0, reg.Y1)
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.VPADDQ(reg.X0, reg.X0, reg.X1)
			c.RET()
		}},
	{"VEX at an SSE level", Level, "aesni",
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.MOVOU(pointer(c), reg.X0)
			c.AESENC(reg.X0, reg.X0)
			c.RET()
		}},
	{"IFMA unasked for", Level, "avx512",
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU64(pointer(c), reg.Z0)
			c.VPMADD52LUQ(reg.Z0, reg.Z0, reg.Z0)
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU64(pointer(c), reg.Z0)
			c.VPMULUDQ(reg.Z0, reg.Z0, reg.Z0)
			c.VZEROUPPER()
			c.RET()
		}},
	{"BMI2 at vaes_avx2", Level, "vaes_avx2",
		func(c *build.Context, _ func(Rule, string)) {
			n := c.Load(c.Param("n"), c.GP64())
			c.BZHIQ(n, n, n)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			n := c.Load(c.Param("n"), c.GP64())
			c.SHLQ(operand.U8(3), n)
			c.RET()
		}},
	{"opmask without AVX-512", Level, "vaes_avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.KXORW(reg.K1, reg.K1, reg.K1)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) { c.RET() }},
	{"17 live YMM registers under VEX", Level, "vaes_avx2", manyYMM(17), manyYMM(16)},
	{"an SSE instruction in AVX code", LegacySSE, "aesni_avx",
		func(c *build.Context, _ func(Rule, string)) {
			c.MOVOU(pointer(c), reg.X0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.RET()
		}},
	{"MOVQ from a vector register in AVX code", LegacySSE, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.VPXOR(reg.X0, reg.X0, reg.X0)
			c.MOVQ(reg.X0, reg.RAX)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VPXOR(reg.X0, reg.X0, reg.X0)
			c.VMOVQ(reg.X0, reg.RAX)
			c.RET()
		}},
	{"register 16 in VPXOR", VEXOnly, "vaes_avx512",
		func(c *build.Context, _ func(Rule, string)) {
			c.VPXORD(reg.Y16, reg.Y16, reg.Y16)
			c.VPXOR(reg.Y16, reg.Y16, reg.Y1)
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VPXORD(reg.Y16, reg.Y16, reg.Y16)
			c.VPXORD(reg.Y16, reg.Y16, reg.Y1)
			c.VZEROUPPER()
			c.RET()
		}},
	{"SSE memory operand", Unaligned, "aesni",
		func(c *build.Context, _ func(Rule, string)) {
			c.PXOR(reg.X0, reg.X0)
			c.AESENC(pointer(c), reg.X0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.PXOR(reg.X0, reg.X0)
			c.AESENC(mem.Offset(32), reg.X0)
			c.RET()
		}},
	{"SSE memory operand in the middle of a constant", Unaligned, "aesni",
		func(c *build.Context, _ func(Rule, string)) {
			c.PXOR(reg.X0, reg.X0)
			c.PADDQ(mem.Offset(8), reg.X0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.PXOR(reg.X0, reg.X0)
			c.PINSRQ(operand.U8(1), mem.Offset(8), reg.X0)
			c.RET()
		}},
	{"aligned AVX move", Unaligned, "avx512",
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQA64(mem, reg.Z0)
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQA(mem, reg.X0)
			c.RET()
		}},
	{"virtual register never written", Unwritten, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.VPADDD(c.XMM(), c.XMM(), c.XMM())
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			x := c.XMM()
			c.VPXOR(x, x, x)
			c.VPADDD(x, x, c.XMM())
			c.RET()
		}},
	{"register written on one of two paths", Unwritten, "avx2", onOnePath(false), onOnePath(true)},
	{"base of an address never written", Unwritten, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(operand.Mem{Base: c.GP64()}, reg.X0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.RET()
		}},
	{"merging into a register never written", Unwritten, "avx512",
		func(c *build.Context, _ func(Rule, string)) {
			c.KXNORD(reg.K1, reg.K1, reg.K1)
			c.VMOVDQU32(pointer(c), reg.K1, reg.Z0)
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.KXNORD(reg.K1, reg.K1, reg.K1)
			c.VMOVDQU32_Z(pointer(c), reg.K1, reg.Z0)
			c.VPTERNLOGD(operand.U8(0xff), reg.Z1, reg.Z1, reg.Z1)
			c.VPXORQ(reg.Z2, reg.Z2, reg.Z2)
			c.VZEROUPPER()
			c.RET()
		}},
	{"no RET", Return, "avx2",
		func(c *build.Context, _ func(Rule, string)) { c.VPXOR(reg.X0, reg.X0, reg.X0) },
		func(c *build.Context, _ func(Rule, string)) {
			c.VPXOR(reg.X0, reg.X0, reg.X0)
			c.RET()
		}},
	{"conditional branch at the end", Return, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.Label("top")
			c.DECQ(c.Load(c.Param("n"), c.GP64()))
			c.JNE(operand.LabelRef("top"))
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.Label("top")
			c.DECQ(c.Load(c.Param("n"), c.GP64()))
			c.JNE(operand.LabelRef("top"))
			c.RET()
		}},
	{"empty function", Return, "avx2", func(*build.Context, func(Rule, string)) {},
		func(c *build.Context, _ func(Rule, string)) { c.RET() }},
	{"RET with upper halves in use", VZeroUpper, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.VBROADCASTI128(pointer(c), reg.Y0)
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.VBROADCASTI128(pointer(c), reg.Y0)
			c.VZEROUPPER()
			c.RET()
		}},
	{"upper halves in use on one of two paths", VZeroUpper, "avx2", dirtyOnOnePath(false), dirtyOnOnePath(true)},
	{"call", Call, "avx2",
		func(c *build.Context, _ func(Rule, string)) {
			c.CALL(operand.LabelRef("·helper<>(SB)"))
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) { c.RET() }},
	{"zero-masked store", ZeroMaskedStore, "avx512",
		func(c *build.Context, _ func(Rule, string)) {
			c.KXNORD(reg.K1, reg.K1, reg.K1)
			c.VPXORD(reg.Z0, reg.Z0, reg.Z0)
			c.VMOVDQU8_Z(reg.Z0, reg.K1, pointer(c))
			c.VZEROUPPER()
			c.RET()
		},
		func(c *build.Context, _ func(Rule, string)) {
			c.KXNORD(reg.K1, reg.K1, reg.K1)
			c.VPXORD(reg.Z0, reg.Z0, reg.Z0)
			c.VMOVDQU8(reg.Z0, reg.K1, pointer(c))
			c.VZEROUPPER()
			c.RET()
		}},
}

func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			err := check(t, r.needs, r.bad)
			if err == nil {
				t.Fatal("the bad code passes")
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "f: "+string(r.rule)+": ") {
					t.Errorf("the bad code also breaks another rule: %s", line)
				}
			}
			if err := check(t, r.needs, r.good); err != nil {
				t.Errorf("the good code does not pass: %v", err)
			}
		})
	}
}

// manyYMM keeps n virtual YMM registers alive at once.
func manyYMM(n int) body {
	return func(c *build.Context, _ func(Rule, string)) {
		p := pointer(c)
		var regs []reg.VecVirtual
		for range n {
			r := c.YMM()
			c.VMOVDQU(p, r)
			regs = append(regs, r)
		}
		for _, r := range regs {
			c.VMOVDQU(r, p)
		}
		c.VZEROUPPER()
		c.RET()
	}
}

func onOnePath(both bool) body {
	return func(c *build.Context, _ func(Rule, string)) {
		n := c.Load(c.Param("n"), c.GP64())
		if both {
			c.VPXOR(reg.X0, reg.X0, reg.X0)
		}
		c.TESTQ(n, n)
		c.JEQ(operand.LabelRef("skip"))
		c.VPCMPEQD(reg.X0, reg.X0, reg.X0)
		c.Label("skip")
		c.VMOVDQU(reg.X0, pointer(c))
		c.RET()
	}
}

func dirtyOnOnePath(clean bool) body {
	return func(c *build.Context, _ func(Rule, string)) {
		p, n := pointer(c), c.Load(c.Param("n"), c.GP64())
		c.TESTQ(n, n)
		c.JEQ(operand.LabelRef("done"))
		c.VMOVDQU(p, reg.Y0)
		c.VMOVDQU(reg.Y0, p)
		if clean {
			c.VZEROUPPER()
		}
		c.Label("done")
		c.RET()
	}
}

func TestUnknownNeed(t *testing.T) {
	err := check(t, "vaes_avx1024", func(c *build.Context, _ func(Rule, string)) { c.RET() })
	if err == nil || !strings.Contains(err.Error(), `"vaes_avx1024"`) {
		t.Errorf("got %v", err)
	}
}

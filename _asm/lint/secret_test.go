package lint

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// branch jumps or not, as the flags say.
func branch(c *build.Context) {
	c.JEQ(operand.LabelRef("end"))
	c.NOP()
	c.Label("end")
}

// secretCode is code in which something from the vector register X0 or Z0 decides.
var secretCode = []struct {
	name string
	bad  func(c *build.Context, p operand.Mem)
}{
	{"PTEST", func(c *build.Context, _ operand.Mem) { c.VPTEST(reg.X0, reg.X0) }},
	{"VPMOVMSKB", func(c *build.Context, _ operand.Mem) { c.VPMOVMSKB(reg.X0, reg.EAX) }},
	{"compare into an opmask", func(c *build.Context, _ operand.Mem) {
		c.VPXORD(reg.Z1, reg.Z1, reg.Z1)
		c.VPCMPEQD(reg.Z0, reg.Z1, reg.K1)
	}},
	{"test into an opmask", func(c *build.Context, _ operand.Mem) { c.VPTESTMD(reg.Z0, reg.Z0, reg.K1) }},
	{"sign bits into an opmask", func(c *build.Context, _ operand.Mem) { c.VPMOVQ2M(reg.Z0, reg.K1) }},
	{"gather", func(c *build.Context, p operand.Mem) {
		c.KXNORW(reg.K1, reg.K1, reg.K1)
		c.VPXORD(reg.Z1, reg.Z1, reg.Z1)
		c.VPGATHERDD(operand.Mem{Base: p.Base, Index: reg.Z0, Scale: 4}, reg.K1, reg.Z1)
	}},
	{"branch", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.TESTQ(reg.RAX, reg.RAX)
		branch(c)
	}},
	{"branch on a sum", func(c *build.Context, _ operand.Mem) {
		c.VPEXTRQ(operand.U8(1), reg.X0, reg.RAX)
		c.XORL(reg.ECX, reg.ECX)
		c.LEAQ(operand.Mem{Base: reg.RCX, Index: reg.RCX, Scale: 8}, reg.RDX)
		c.ADDQ(reg.RAX, reg.RCX)
		c.CMPQ(reg.RCX, operand.U8(5))
		branch(c)
	}},
	{"branch after a borrow", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.SHLQ(operand.U8(1), reg.RAX)
		c.SBBQ(reg.RCX, reg.RCX)
		c.MOVQ(reg.RCX, reg.RDX)
		c.ANDL(operand.U32(0x87), reg.EDX)
		branch(c)
	}},
	{"branch on a conditional move", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.XORL(reg.ECX, reg.ECX)
		c.MOVL(operand.U32(1), reg.EDX)
		c.BTQ(operand.U8(3), reg.RAX)
		c.CMOVQCS(reg.RDX, reg.RCX)
		c.TESTL(reg.ECX, reg.ECX)
		branch(c)
	}},
	{"branch through the frame", func(c *build.Context, _ operand.Mem) {
		m := c.AllocLocal(16)
		c.VMOVDQU(reg.X0, m)
		c.MOVQ(m.Offset(8), reg.RAX)
		c.TESTQ(reg.RAX, reg.RAX)
		branch(c)
	}},
	{"branch in a loop, on what the last round left", func(c *build.Context, p operand.Mem) {
		c.MOVQ(p, reg.RAX)
		c.Label("loop")
		c.CMPQ(reg.RAX, operand.U8(1))
		c.JEQ(operand.LabelRef("end"))
		c.VMOVQ(reg.X0, reg.RAX)
		c.JMP(operand.LabelRef("loop"))
		c.Label("end")
	}},
	{"branch after a part of the register was overwritten", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.MOVB(operand.U8(1), reg.AL)
		c.TESTQ(reg.RAX, reg.RAX)
		branch(c)
	}},
	{"address", func(c *build.Context, p operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.MOVBLZX(operand.Mem{Base: p.Base, Index: reg.RAX, Scale: 1}, reg.ECX)
	}},
	{"opmask from a general register", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.KMOVQ(reg.RAX, reg.K1)
	}},
	{"division", func(c *build.Context, _ operand.Mem) {
		c.VMOVQ(reg.X0, reg.RAX)
		c.XORL(reg.EDX, reg.EDX)
		c.MOVL(operand.U32(7), reg.ECX)
		c.DIVQ(reg.RCX)
	}},
}

func TestSecret(t *testing.T) {
	for _, r := range secretCode {
		t.Run(r.name, func(t *testing.T) {
			err := check(t, "vaes_avx512", loaded(r.bad))
			if err == nil {
				t.Fatal("the bad code passes")
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "f: secret: ") {
					t.Errorf("the bad code also breaks another rule: %s", line)
				}
			}
		})
	}
}

// loaded puts what p points to into Z0, runs body, and returns.
func loaded(do func(c *build.Context, p operand.Mem)) body {
	return func(c *build.Context, _ func(Rule, string)) {
		p := pointer(c)
		c.VMOVDQU64(p, reg.Z0)
		do(c, p)
		c.VZEROUPPER()
		c.RET()
	}
}

// TestNotSecret: values from vector registers may be computed with and stored, and public values may decide.
func TestNotSecret(t *testing.T) {
	for _, r := range []struct {
		name string
		good func(c *build.Context, p operand.Mem)
	}{
		{"scalar arithmetic and a store", func(c *build.Context, p operand.Mem) {
			c.VMOVQ(reg.X0, reg.RAX)
			c.MULQ(reg.RAX)
			c.ADDQ(reg.RAX, reg.RDX)
			c.SBBQ(reg.RCX, reg.RCX)
			c.ANDL(operand.U32(0x87), reg.ECX)
			c.XORQ(reg.RCX, reg.RDX)
			c.MOVQ(reg.RDX, p)
		}},
		{"a branch on a length after secret flags were overwritten", func(c *build.Context, _ operand.Mem) {
			n := c.Load(c.Param("n"), c.GP64())
			c.VMOVQ(reg.X0, reg.RAX)
			c.ADDQ(reg.RAX, reg.RAX)
			c.CMPQ(n, operand.U8(16))
			c.JEQ(operand.LabelRef("end"))
			c.NOP()
			c.Label("end")
		}},
		{"a branch on a register that was overwritten", func(c *build.Context, _ operand.Mem) {
			c.VMOVQ(reg.X0, reg.RAX)
			c.XORL(reg.EAX, reg.EAX)
			c.TESTQ(reg.RAX, reg.RAX)
			c.JEQ(operand.LabelRef("end"))
			c.NOP()
			c.Label("end")
		}},
		{"a mask from a length", func(c *build.Context, p operand.Mem) {
			n, ones := c.Load(c.Param("n"), c.GP64()), c.GP64()
			c.MOVQ(operand.I32(-1), ones)
			c.BZHIQ(n, ones, ones)
			c.KMOVQ(ones, reg.K1)
			c.VMOVDQU8(reg.Z0, reg.K1, p)
		}},
	} {
		t.Run(r.name, func(t *testing.T) {
			if err := check(t, "vaes_avx512", loaded(r.good)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestExceptions: an exception needs a reason and must be needed itself; it makes the instruction's result public.
func TestExceptions(t *testing.T) {
	counter := func(rule Rule, reason string, onMove bool) body {
		return func(c *build.Context, allow func(Rule, string)) {
			c.VMOVDQU(pointer(c), reg.X0)
			c.VMOVQ(reg.X0, reg.RAX)
			if onMove {
				allow(rule, reason)
			}
			c.TESTQ(reg.RAX, reg.RAX)
			if !onMove {
				allow(rule, reason)
			}
			c.JEQ(operand.LabelRef("end"))
			c.NOP()
			c.Label("end")
			c.RET()
		}
	}
	for _, r := range []struct {
		name string
		body body
		want string
	}{
		{"on the move", counter(Secret, "the counter is public", true), ""},
		{"on the test", counter(Secret, "the counter is public", false), ""},
		{"no reason", counter(Secret, " ", true), "has no reason"},
		{"wrong rule", counter(Level, "because", true), "is not needed"},
		{"no exceptions from this rule", counter(Return, "because", true), "there is no exception"},
	} {
		t.Run(r.name, func(t *testing.T) {
			err := check(t, "aesni_avx", r.body)
			if r.want == "" && err != nil || r.want != "" && (err == nil || !strings.Contains(err.Error(), r.want)) {
				t.Errorf("got %v, want %q", err, r.want)
			}
		})
	}
}

package vec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/internal/probe"
	"kcrypto/_asm/vec"
)

// ops are all operations of this package on whole registers, on sources a, b and c, with a result in d. d is a source's
// register in some of them, since the SSE forms differ then.
var ops = []struct {
	name string
	emit func(v vec.V, a, b, c, d vec.Reg)
}{
	{"move", func(v vec.V, a, b, c, d vec.Reg) { v.Move(a, d) }},
	{"zero", func(v vec.V, a, b, c, d vec.Reg) { v.Zero(d) }},
	{"xor", func(v vec.V, a, b, c, d vec.Reg) { v.Xor(a, b, d) }},
	{"xor", func(v vec.V, a, b, c, d vec.Reg) { v.Move(a, d); v.Xor(d, b, d) }},
	{"xor", func(v vec.V, a, b, c, d vec.Reg) { v.Move(b, d); v.Xor(a, d, d) }},
	{"and", func(v vec.V, a, b, c, d vec.Reg) { v.And(a, b, d) }},
	{"andnot", func(v vec.V, a, b, c, d vec.Reg) { v.AndNot(a, b, d) }},
	{"or", func(v vec.V, a, b, c, d vec.Reg) { v.Or(a, b, d) }},
	{"xor3", func(v vec.V, a, b, c, d vec.Reg) { v.Move(c, d); v.Xor3(a, b, d) }},
	{"addd", func(v vec.V, a, b, c, d vec.Reg) { v.AddD(a, b, d) }},
	{"addq", func(v vec.V, a, b, c, d vec.Reg) { v.AddQ(a, b, d) }},
	{"subq", func(v vec.V, a, b, c, d vec.Reg) { v.SubQ(a, b, d) }},
	{"shuffle", func(v vec.V, a, b, c, d vec.Reg) { v.Shuffle(a, b, d) }},
	{"unpacklow", func(v vec.V, a, b, c, d vec.Reg) { v.UnpackLowQ(a, b, d) }},
	{"unpackhigh", func(v vec.V, a, b, c, d vec.Reg) { v.UnpackHighQ(a, b, d) }},
	{"clmul00", func(v vec.V, a, b, c, d vec.Reg) { v.Clmul(0x00, a, b, d) }},
	{"clmul01", func(v vec.V, a, b, c, d vec.Reg) { v.Clmul(0x01, a, b, d) }},
	{"clmul10", func(v vec.V, a, b, c, d vec.Reg) { v.Clmul(0x10, a, b, d) }},
	{"clmul11", func(v vec.V, a, b, c, d vec.Reg) { v.Clmul(0x11, a, b, d) }},
	{"shuffled", func(v vec.V, a, b, c, d vec.Reg) { v.ShuffleD(0x93, a, d) }},
	{"bytesleft", func(v vec.V, a, b, c, d vec.Reg) { v.ShiftLeftBytes(5, a, d) }},
	{"bytesright", func(v vec.V, a, b, c, d vec.Reg) { v.ShiftRightBytes(5, a, d) }},
	{"leftq", func(v vec.V, a, b, c, d vec.Reg) { v.ShiftLeftQ(9, a, d) }},
	{"rightq", func(v vec.V, a, b, c, d vec.Reg) { v.ShiftRightQ(9, a, d) }},
	{"leftd", func(v vec.V, a, b, c, d vec.Reg) { v.ShiftLeftD(9, a, d) }},
	{"rightd", func(v vec.V, a, b, c, d vec.Reg) { v.Move(a, d); v.ShiftRightD(9, d, d) }},
	{"sign", func(v vec.V, a, b, c, d vec.Reg) { v.SpreadSignD(a, d) }},
	{"rotate7", func(v vec.V, a, b, c, d vec.Reg) { v.Move(a, d); v.RotateLeftD(7, d, b, nil) }},
	{"rotate16", func(v vec.V, a, b, c, d vec.Reg) {
		v.Broadcast(v.Data("rot16", 0x0504070601000302, 0x0d0c0f0e09080b0a), c)
		v.Move(a, d)
		v.RotateLeftD(16, d, b, c)
	}},
	{"aesenc", func(v vec.V, a, b, c, d vec.Reg) { v.Move(b, d); v.AESEnc(a, d) }},
	{"aesenclast", func(v vec.V, a, b, c, d vec.Reg) { v.AESEncLast(a, b, d) }},
	{"aesdec", func(v vec.V, a, b, c, d vec.Reg) { v.Move(b, d); v.AESDec(a, d) }},
	{"aesdeclast", func(v vec.V, a, b, c, d vec.Reg) { v.AESDecLast(a, b, d) }},
	{"spread", func(v vec.V, a, b, c, d vec.Reg) { v.Spread(a, d) }},
	{"swaphalves", func(v vec.V, a, b, c, d vec.Reg) {
		v.Move(a, d)
		if v.Bytes > 16 {
			v.SwapHalves(a, d)
		}
	}},
	{"lastblock", func(v vec.V, a, b, c, d vec.Reg) {
		// The last block of a goes to all blocks of d, by way of an xmm register.
		v.Move(a, d)
		if v.Bytes > 16 {
			v.ExtractBlock(uint8(v.Blocks()-1), a, b)
			for i := range v.Blocks() {
				v.InsertBlock(uint8(i), b.AsX(), d, d)
			}
		}
	}},
}

// TestOps runs every operation at every width and compares each block with a model in Go.
func TestOps(t *testing.T) {
	var decls, table strings.Builder
	var bodies []func(c *emit.Ctx)
	for _, p := range probe.Variants(t) {
		name, w, needs := p.Name, p.Width, p.Needs
		fmt.Fprintf(&decls, "//go:noescape\nfunc ops%s(dst, src *byte)\n\n", name)
		fmt.Fprintf(&table, "\t{%q, %d, ops%s},\n", name, w.Bytes, name)
		bodies = append(bodies, func(c *emit.Ctx) {
			c.FuncType("ops"+name, "func(dst, src *byte)", needs...)
			v := vec.V{Ctx: c, Width: w}
			dst, src := c.Arg("dst"), c.Arg("src")
			r := w.Range(w.Registers()-4, 4)
			if w.Encoding == vec.Legacy {
				r = w.Range(0, 4)
			}
			for i, op := range ops {
				for j := range 3 {
					v.Load(operand.Mem{Base: src, Disp: j * w.Bytes}, r[j])
				}
				op.emit(v, r[0], r[1], r[2], r[3])
				v.Store(r[3], operand.Mem{Base: dst, Disp: i * w.Bytes})
			}
			v.Return()
		})
	}
	names := make([]string, len(ops))
	for i, op := range ops {
		names[i] = op.name
	}
	fmt.Fprintf(&decls, `var names = %#v

var variants = []struct {
	name string
	bytes int
	run func(dst, src *byte)
}{
%s}
`, names, &table)
	probe.Run(t, "ops_test.go.txt", decls.String(), func(c *emit.Ctx) {
		for _, b := range bodies {
			b(c)
		}
	})
}

// TestPartial runs the partial loads and stores for every length, next to unmapped pages.
func TestPartial(t *testing.T) {
	var decls, table strings.Builder
	var bodies []func(c *emit.Ctx)
	for _, p := range probe.Variants(t) {
		name, w, needs := p.Name, p.Width, p.Needs
		if w.Bytes > 16 && w.Encoding == vec.VEX {
			continue // the same code as XMM
		}
		fmt.Fprintf(&decls, "//go:noescape\nfunc copy%s(dst, src *byte, n int, whole *byte)\n\n", name)
		fmt.Fprintf(&table, "\t{%q, %d, copy%s},\n", name, w.Bytes, name)
		bodies = append(bodies, func(c *emit.Ctx) {
			c.FuncType("copy"+name, "func(dst, src *byte, n int, whole *byte)", needs...)
			copyPart(vec.V{Ctx: c, Width: w})
		})
	}
	fmt.Fprintf(&decls, `var variants = []struct {
	name string
	bytes int
	copy func(dst, src *byte, n int, whole *byte)
}{
%s}
`, &table)
	probe.Run(t, "partial_test.go.txt", decls.String(), func(c *emit.Ctx) {
		for _, b := range bodies {
			b(c)
		}
	})
}

// copyPart loads n bytes from src, stores them to dst, and the whole register to whole.
func copyPart(v vec.V) {
	dst, src, n := v.Arg("dst"), v.Arg("src"), v.Arg("n")
	x := v.Reg(3)
	if v.Encoding == vec.EVEX {
		v.Mask(n, reg.K1)
		v.LoadMasked(operand.Mem{Base: src}, reg.K1, x)
		v.StoreMasked(x, reg.K1, operand.Mem{Base: dst})
	} else {
		v.LoadPart(src, n, x)
		v.StorePart(x, dst, n)
	}
	v.Store(x, operand.Mem{Base: v.Arg("whole")})
	v.Return()
}

// TestNoSuchRegister: a template that outgrows the 16 registers of VEX must fail when it is generated.
func TestNoSuchRegister(t *testing.T) {
	for _, c := range []struct {
		w vec.Width
		i int
	}{{vec.YMM, 16}, {vec.SSE, 16}, {vec.ZMM, 32}, {vec.XMM, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("register %d of %v is handed out", c.i, c.w)
				}
			}()
			c.w.Reg(c.i)
		}()
	}
	if r := vec.ZMM.Reg(31); r != reg.Z31 || vec.XMM.View(r) != reg.X31 || vec.YMM.View(r) != reg.Y31 {
		t.Errorf("got %v", r)
	}
}

func TestSteps(t *testing.T) {
	var s vec.Steps
	done := 0
	for range 10 {
		s.Add(func() { done++ })
	}
	var after []int
	for places := 4; places > 0; places-- {
		s.Share(places)
		after = append(after, done)
	}
	if fmt.Sprint(after) != "[3 6 8 10]" {
		t.Errorf("after each of four places, %v of 10 steps are done", after)
	}
	s.Rest()
	s.Next(3)
	if done != 10 {
		t.Errorf("%d steps ran", done)
	}
}

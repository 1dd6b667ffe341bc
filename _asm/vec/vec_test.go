package vec

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/internal/cpu"
)

// run assembles what body emits in a module of its own, with the declarations in decls, and runs the Go test from
// testdata on it.
func run(t *testing.T, test, decls string, body func(c *emit.Ctx)) {
	t.Helper()
	text, err := emit.Generate("vec_test", "", emit.File{Name: "probe_amd64.s", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join("testdata", test))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":        "module probe\n\ngo 1.26\n",
		"probe.go":      "package probe\n\n" + decls,
		"probe_amd64.s": string(text),
		"probe_test.go": string(code),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"test", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// variants are the widths that this machine can run.
var variants = []struct {
	name  string
	width Width
	needs []string
}{
	{"SSE", SSE, []string{"aesni", "pclmulqdq"}},
	{"XMM", XMM, []string{"aesni_avx", "pclmulqdq"}},
	{"YMM", YMM, []string{"vaes_avx2"}},
	{"XMMEVEX", XMMEVEX, []string{"vaes_avx512"}},
	{"YMMEVEX", YMMEVEX, []string{"vaes_avx512"}},
	{"ZMM", ZMM, []string{"vaes_avx512"}},
}

// eachVariant calls f for what this machine can run, and says loudly what it cannot.
func eachVariant(t *testing.T, f func(name string, w Width, needs []string)) {
	for _, v := range variants {
		if missing := cpu.Host().Missing(v.needs); missing != nil {
			t.Logf("NOT RUN: %s, this CPU has no %v", v.name, missing)
			continue
		}
		f(v.name, v.width, v.needs)
	}
}

// ops are all operations of this package on whole registers, on sources a, b and c, with a result in d. d is a source's
// register in some of them, since the SSE forms differ then.
var ops = []struct {
	name string
	emit func(v V, a, b, c, d Reg)
}{
	{"move", func(v V, a, b, c, d Reg) { v.Move(a, d) }},
	{"zero", func(v V, a, b, c, d Reg) { v.Zero(d) }},
	{"xor", func(v V, a, b, c, d Reg) { v.Xor(a, b, d) }},
	{"xor", func(v V, a, b, c, d Reg) { v.Move(a, d); v.Xor(d, b, d) }},
	{"xor", func(v V, a, b, c, d Reg) { v.Move(b, d); v.Xor(a, d, d) }},
	{"and", func(v V, a, b, c, d Reg) { v.And(a, b, d) }},
	{"andnot", func(v V, a, b, c, d Reg) { v.AndNot(a, b, d) }},
	{"or", func(v V, a, b, c, d Reg) { v.Or(a, b, d) }},
	{"xor3", func(v V, a, b, c, d Reg) { v.Move(c, d); v.Xor3(a, b, d) }},
	{"addd", func(v V, a, b, c, d Reg) { v.AddD(a, b, d) }},
	{"addq", func(v V, a, b, c, d Reg) { v.AddQ(a, b, d) }},
	{"subq", func(v V, a, b, c, d Reg) { v.SubQ(a, b, d) }},
	{"shuffle", func(v V, a, b, c, d Reg) { v.Shuffle(a, b, d) }},
	{"unpacklow", func(v V, a, b, c, d Reg) { v.UnpackLowQ(a, b, d) }},
	{"unpackhigh", func(v V, a, b, c, d Reg) { v.UnpackHighQ(a, b, d) }},
	{"clmul00", func(v V, a, b, c, d Reg) { v.Clmul(0x00, a, b, d) }},
	{"clmul01", func(v V, a, b, c, d Reg) { v.Clmul(0x01, a, b, d) }},
	{"clmul10", func(v V, a, b, c, d Reg) { v.Clmul(0x10, a, b, d) }},
	{"clmul11", func(v V, a, b, c, d Reg) { v.Clmul(0x11, a, b, d) }},
	{"shuffled", func(v V, a, b, c, d Reg) { v.ShuffleD(0x93, a, d) }},
	{"bytesleft", func(v V, a, b, c, d Reg) { v.ShiftLeftBytes(5, a, d) }},
	{"bytesright", func(v V, a, b, c, d Reg) { v.ShiftRightBytes(5, a, d) }},
	{"leftq", func(v V, a, b, c, d Reg) { v.ShiftLeftQ(9, a, d) }},
	{"rightq", func(v V, a, b, c, d Reg) { v.ShiftRightQ(9, a, d) }},
	{"leftd", func(v V, a, b, c, d Reg) { v.ShiftLeftD(9, a, d) }},
	{"rightd", func(v V, a, b, c, d Reg) { v.Move(a, d); v.ShiftRightD(9, d, d) }},
	{"sign", func(v V, a, b, c, d Reg) { v.SpreadSignD(a, d) }},
	{"rotate7", func(v V, a, b, c, d Reg) { v.Move(a, d); v.RotateLeftD(7, d, b, nil) }},
	{"rotate16", func(v V, a, b, c, d Reg) {
		v.Broadcast(v.Data("rot16", 0x0504070601000302, 0x0d0c0f0e09080b0a), c)
		v.Move(a, d)
		v.RotateLeftD(16, d, b, c)
	}},
	{"aesenc", func(v V, a, b, c, d Reg) { v.Move(b, d); v.AESEnc(a, d) }},
	{"aesenclast", func(v V, a, b, c, d Reg) { v.AESEncLast(a, b, d) }},
	{"aesdec", func(v V, a, b, c, d Reg) { v.Move(b, d); v.AESDec(a, d) }},
	{"aesdeclast", func(v V, a, b, c, d Reg) { v.AESDecLast(a, b, d) }},
	{"firstblock", func(v V, a, b, c, d Reg) {
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
	eachVariant(t, func(name string, w Width, needs []string) {
		fmt.Fprintf(&decls, "//go:noescape\nfunc ops%s(dst, src *byte)\n\n", name)
		fmt.Fprintf(&table, "\t{%q, %d, ops%s},\n", name, w.Bytes, name)
		bodies = append(bodies, func(c *emit.Ctx) {
			c.FuncType("ops"+name, "func(dst, src *byte)", needs...)
			v := V{c, w}
			dst, src := c.Load(c.Param("dst"), c.GP64()), c.Load(c.Param("src"), c.GP64())
			r := w.Range(w.Registers()-4, 4)
			if w.Encoding == Legacy {
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
	})
	names := make([]string, len(ops))
	for i, op := range ops {
		names[i] = op.name
	}
	fmt.Fprintf(&decls, "var names = %#v\n\nvar variants = []struct {\n\tname string\n\tbytes int\n\trun func(dst, src *byte)\n}{\n%s}\n", names, &table)
	run(t, "ops_test.go.txt", decls.String(), func(c *emit.Ctx) {
		for _, b := range bodies {
			b(c)
		}
	})
}

// TestPartial runs the partial loads and stores for every length, next to unmapped pages.
func TestPartial(t *testing.T) {
	var decls, table strings.Builder
	var bodies []func(c *emit.Ctx)
	eachVariant(t, func(name string, w Width, needs []string) {
		if w.Bytes > 16 && w.Encoding == VEX {
			return // the same code as XMM
		}
		fmt.Fprintf(&decls, "//go:noescape\nfunc copy%s(dst, src *byte, n int, whole *byte)\n\n", name)
		fmt.Fprintf(&table, "\t{%q, %d, copy%s},\n", name, w.Bytes, name)
		bodies = append(bodies, func(c *emit.Ctx) {
			c.FuncType("copy"+name, "func(dst, src *byte, n int, whole *byte)", needs...)
			copyPart(V{c, w})
		})
	})
	fmt.Fprintf(&decls, "var variants = []struct {\n\tname string\n\tbytes int\n\tcopy func(dst, src *byte, n int, whole *byte)\n}{\n%s}\n", &table)
	run(t, "partial_test.go.txt", decls.String(), func(c *emit.Ctx) {
		for _, b := range bodies {
			b(c)
		}
	})
}

// copyPart loads n bytes from src, stores them to dst, and the whole register to whole.
func copyPart(v V) {
	dst, src, n := arg(v, "dst"), arg(v, "src"), arg(v, "n")
	x := v.Reg(3)
	if v.Encoding == EVEX {
		v.Mask(n, reg.K1)
		v.LoadMasked(operand.Mem{Base: src}, reg.K1, x)
		v.StoreMasked(x, reg.K1, operand.Mem{Base: dst})
	} else {
		v.LoadPart(src, n, x)
		v.StorePart(x, dst, n)
	}
	v.Store(x, operand.Mem{Base: arg(v, "whole")})
	v.Return()
}

func arg(v V, name string) reg.Register { return v.Ctx.Load(v.Param(name), v.GP64()) }

// TestNoSuchRegister: a template that outgrows the 16 registers of VEX must fail when it is generated.
func TestNoSuchRegister(t *testing.T) {
	for _, c := range []struct {
		w Width
		i int
	}{{YMM, 16}, {SSE, 16}, {ZMM, 32}, {XMM, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("register %d of %v is handed out", c.i, c.w)
				}
			}()
			c.w.Reg(c.i)
		}()
	}
	if r := ZMM.Reg(31); r != reg.Z31 || XMM.View(r) != Reg(reg.X31) || YMM.View(r) != Reg(reg.Y31) {
		t.Errorf("got %v", r)
	}
}

func TestSteps(t *testing.T) {
	var s Steps
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

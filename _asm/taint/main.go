// Command taint generates tools/consttime/internal/taint/taint_amd64.s: the one request to valgrind that Go has no
// function for.
//
// Valgrind recognises a client request by an instruction sequence that does nothing elsewhere: four rotations of RDI by
// 3, 13, 61 and 51 bits, which are 128 together and so the identity, and an exchange of RBX with itself. RAX points to
// six words, the request and its arguments; RDX is the answer, 0 unless somebody gives one (valgrind's manual, "The
// Client Request mechanism"; the sequence is part of its stable interface).
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
)

func main() {
	emit.Main("taint", "tools/consttime/internal/taint", emit.File{Name: "taint_amd64.s", Body: request})
}

func request(c *emit.Ctx) {
	c.Func("request")
	c.Load(c.Param("words"), reg.RAX)
	for _, r := range []reg.Register{reg.EDX, reg.EDI, reg.EBX} {
		c.XORL(r, r)
	}
	for _, n := range []operand.U8{3, 13, 61, 51} {
		c.ROLQ(n, reg.RDI)
	}
	c.XCHGQ(reg.RBX, reg.RBX)
	c.Store(reg.RDX, c.ReturnIndex(0))
	c.RET()
}

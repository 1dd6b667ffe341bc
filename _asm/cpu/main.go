// Command cpu generates internal/cpu/cpu_amd64.s: the three instructions that Go has no function for.
package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
)

func main() {
	emit.Main("cpu", "internal/cpu", emit.File{Name: "cpu_amd64.s", Body: func(c *emit.Ctx) {
		cpuid(c)
		xgetbv(c)
		rdtsc(c)
	}})
}

func cpuid(c *emit.Ctx) {
	c.Func("cpuid")
	c.Load(c.Param("leaf"), reg.EAX)
	c.Load(c.Param("subleaf"), reg.ECX)
	c.CPUID()
	c.Store(reg.EAX, c.Return("eax"))
	c.Store(reg.EBX, c.Return("ebx"))
	c.Store(reg.ECX, c.Return("ecx"))
	c.Store(reg.EDX, c.Return("edx"))
	c.RET()
}

func xgetbv(c *emit.Ctx) {
	c.Func("xgetbv")
	c.XORL(reg.ECX, reg.ECX)
	c.XGETBV()
	join(c)
}

// rdtsc fences on both sides: LFENCE waits until all earlier instructions have finished and holds back later ones.
func rdtsc(c *emit.Ctx) {
	c.Func("rdtsc", "tsc")
	c.LFENCE()
	c.RDTSC()
	c.LFENCE()
	join(c)
}

// join returns EDX:EAX as one number. Clobbers RAX and RDX.
func join(c *emit.Ctx) {
	c.SHLQ(operand.U8(32), reg.RDX)
	c.ORQ(reg.RDX, reg.RAX)
	c.Store(reg.RAX, c.ReturnIndex(0))
	c.RET()
}

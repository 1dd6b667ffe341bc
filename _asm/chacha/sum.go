package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// sum is Poly1305 beside the passes of a function with the argument mc. It takes fourteen registers in a pass, and lies in
// memory between them: the sum where it is told to, the text in mc.
type sum struct {
	poly
	m reg.GPVirtual // the address of the sum; 0 if there is none
}

func newSum(v vec.V) *sum {
	s := &sum{poly{V: v, p: v.GP64(), limit: v.GP64()}, v.GP64()}
	for i := range s.h {
		s.h[i] = v.GP64()
	}
	q1 := v.GP64()
	s.r0, s.r1, s.q1 = s.field(s.m, "r", 0), s.field(s.m, "r", 1), q1
	return s
}

// begin takes the sum and the text from mc.
func (s *sum) begin() {
	mac := s.Dereference(s.Param("mc"))
	s.MOVQ(s.Addr(mac.Field("m")), s.m)
	s.MOVQ(s.Addr(mac.Field("text")), s.p)
	s.setLimit()
	for i, h := range s.h {
		s.MOVQ(s.field(s.m, "h", i), h)
	}
	s.setQ1(s.r1, s.q1.(reg.GPVirtual))
}

// setLimit lets the sum go to the end.
func (s *sum) setLimit() {
	mac := s.Dereference(s.Param("mc"))
	s.MOVQ(s.Addr(mac.Field("n")), s.limit)
	s.ADDQ(s.Addr(mac.Field("text")), s.limit)
}

// lag is a value of lag, by its name in the Go package.
func (s *sum) lag(name string) operand.Op { return operand.Imm(uint64(s.Const(name))) }

// none is begin for no sum: the next block is beyond any limit.
func (s *sum) none() {
	for _, r := range append(s.h[:], s.m, s.limit, s.q1.(reg.GPVirtual)) {
		s.XORL(r.As32(), r.As32())
	}
	s.MOVQ(operand.I32(-1), s.p)
}

// atMost lowers the limit to an address.
func (s *sum) atMost(address reg.GPVirtual) {
	s.CMPQ(address, s.limit)
	s.CMOVQCS(address, s.limit)
}

// keep leaves everything in memory.
func (s *sum) keep() {
	mac, done := s.Dereference(s.Param("mc")), s.GP64()
	text, n := s.Addr(mac.Field("text")), s.Addr(mac.Field("n"))
	s.store(s.m)
	s.MOVQ(s.p, done)
	s.SUBQ(text, done)
	s.MOVQ(s.p, text)
	s.SUBQ(done, n)
}

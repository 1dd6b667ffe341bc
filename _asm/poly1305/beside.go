package poly1305

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// Beside is Poly1305 beside the passes of a function with the argument mc. It takes fourteen registers in a pass, and
// lies in memory between them: the sum where it is told to, the text in mc.
type Beside struct {
	Sum
	At reg.GPVirtual // the address of the sum; 0 if there is none
}

// NewBeside takes its general registers. It emits nothing.
func NewBeside(v vec.V) *Beside {
	s := &Beside{Sum{V: v, Next: v.GP64(), Limit: v.GP64()}, v.GP64()}
	for i := range s.H {
		s.H[i] = v.GP64()
	}
	q1 := v.GP64()
	s.R0, s.R1, s.q1 = s.field(s.At, "r", 0), s.field(s.At, "r", 1), q1
	return s
}

// Begin takes the sum and the text from mc, with the text's end as the limit. Clobbers all of its registers.
func (s *Beside) Begin() {
	mac := s.Dereference(s.Param("mc"))
	s.MOVQ(s.Addr(mac.Field("m")), s.At)
	s.MOVQ(s.Addr(mac.Field("text")), s.Next)
	s.setLimit()
	for i, h := range s.H {
		s.MOVQ(s.field(s.At, "h", i), h)
	}
	s.setQ1(s.R1, s.q1.(reg.GPVirtual))
}

// setLimit lets the sum go to the end.
func (s *Beside) setLimit() {
	mac := s.Dereference(s.Param("mc"))
	s.MOVQ(s.Addr(mac.Field("n")), s.Limit)
	s.ADDQ(s.Addr(mac.Field("text")), s.Limit)
}

// Lag is a value of lag, by its name in the Go package.
func (s *Beside) Lag(name string) operand.Op { return operand.Imm(uint64(s.Const(name))) }

// None is Begin for no sum: the next block is beyond any limit.
func (s *Beside) None() {
	for _, r := range append(s.H[:], s.At, s.Limit, s.q1.(reg.GPVirtual)) {
		s.XORL(r.As32(), r.As32())
	}
	s.MOVQ(operand.I32(-1), s.Next)
}

// AtMost lowers the limit to an address. Clobbers flags.
func (s *Beside) AtMost(address reg.GPVirtual) {
	s.CMPQ(address, s.Limit)
	s.CMOVQCS(address, s.Limit)
}

// Keep leaves everything in memory: the sum at At, and in mc what is left of the text. Clobbers H and flags.
func (s *Beside) Keep() {
	mac, done := s.Dereference(s.Param("mc")), s.GP64()
	text, n := s.Addr(mac.Field("text")), s.Addr(mac.Field("n"))
	s.store(s.At)
	s.MOVQ(s.Next, done)
	s.SUBQ(text, done)
	s.MOVQ(s.Next, text)
	s.SUBQ(done, n)
}

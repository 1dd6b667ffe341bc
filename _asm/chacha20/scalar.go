package chacha20

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/vec"
)

// Scalar is one block in general registers, beside blocks in vector registers, which leave so much of the processor
// unused that it costs nothing: on Zen 4 two rounds of four blocks in XMM take 50 cycles without it and with it, of
// eight blocks in YMM with VPROLD 40, of sixteen in ZMM 56. (Two rounds of it alone take about 30.)
//
// It takes all general registers: 13 words, a temporary, and the loop's counter. c_0, c_1 and c_3 stay in memory, and
// are computed with in the temporary, since an addition to memory is slower (two words so: 47 cycles instead of 30).
// Where the counter is in memory too, two words of c are enough: then the block costs nothing beside four blocks in
// rows of YMM either, 32 cycles for two rounds, and 35 with three.
type Scalar struct {
	vec.V
	Words  [16]operand.Op
	tmp    reg.GPVirtual
	area   operand.Mem // 64 bytes: where the block comes out
	memory []int       // the words that stay there
}

// ThreeWords and TwoWords are words for NewScalar to leave in memory.
var ThreeWords, TwoWords = []int{8, 9, 11}, []int{8, 11}

// NewScalar takes 16 general registers less those of the words that stay in memory, and one more; area is 64 bytes. It
// emits nothing.
func NewScalar(v vec.V, area operand.Mem, memory []int) *Scalar {
	s := &Scalar{V: v, tmp: v.GP32(), area: area, memory: memory}
	for i := range s.Words {
		if s.inMemory(i) {
			s.Words[i] = area.Offset(4 * i)
		} else {
			s.Words[i] = v.GP32()
		}
	}
	return s
}

func (s *Scalar) inMemory(i int) bool { return slices.Contains(s.memory, i) }

// Begin takes the input from c.In, with the counter ahead by some blocks, a number of 64 bits; nil is none. Clobbers
// all that NewScalar took.
func (s *Scalar) Begin(c *ChaCha, ahead operand.Op) {
	for i, x := range s.Words {
		if s.inMemory(i) {
			s.MOVL(c.Word(i), s.tmp)
			s.MOVL(s.tmp, x)
		}
	}
	for i, x := range s.Words {
		if !s.inMemory(i) {
			s.MOVL(c.Word(i), x)
		}
	}
	if ahead != nil {
		s.ADDQ(ahead, s.Words[12].(reg.GPVirtual).As64())
	}
}

// BeginRow takes a row of the input from c.In. Rows taken one after the other leave registers for their addresses.
func (s *Scalar) BeginRow(i int, c *ChaCha) {
	for w := 4 * i; w < 4*i+4; w++ {
		if s.inMemory(w) {
			s.MOVL(c.Word(w), s.tmp)
			s.MOVL(s.tmp, s.Words[w])
		} else {
			s.MOVL(c.Word(w), s.Words[w])
		}
	}
}

// TwoRounds returns the steps of two rounds, all four quarter rounds of each side by side. They clobber flags.
func (s *Scalar) TwoRounds() (work vec.Steps) {
	for shift := range 2 {
		turn := func(row, i int) int { return 4*row + (i+shift*row)%4 }
		step := func(n uint64, x, add, y int) { // rows
			for i := range 4 {
				s.addXor(&work, turn(x, i), turn(add, i), turn(y, i))
			}
			for i := range 4 {
				work.Add(func() { s.ROLL(operand.Imm(n), s.Words[turn(y, i)]) })
			}
		}
		step(16, 0, 1, 3)
		step(12, 2, 3, 1)
		step(8, 0, 1, 3)
		step(7, 2, 3, 1)
	}
	return work
}

// addXor adds to work x += add, y ^= x.
func (s *Scalar) addXor(work *vec.Steps, x, add, y int) {
	if !s.inMemory(x) {
		work.Add(func() { s.ADDL(s.Words[add], s.Words[x]) }, func() { s.XORL(s.Words[x], s.Words[y]) })
		return
	}
	work.Add(
		func() { s.MOVL(s.Words[x], s.tmp) },
		func() { s.ADDL(s.Words[add], s.tmp) },
		func() { s.MOVL(s.tmp, s.Words[x]) },
		func() { s.XORL(s.tmp, s.Words[y]) })
}

// Save leaves the block, all but the input's addition, in area.
func (s *Scalar) Save() {
	for i, x := range s.Words {
		if !s.inMemory(i) {
			s.MOVL(x, s.area.Offset(4*i))
		}
	}
}

// Wipe clears the words in memory.
func (s *Scalar) Wipe() {
	for i, x := range s.Words {
		if s.inMemory(i) {
			s.MOVL(operand.I32(0), x)
		}
	}
}

// SaveRow adds the input to a row of the block, and leaves it in area, in pairs of words. ahead is Begin's, for the
// last row. Clobbers the row.
func (s *Scalar) SaveRow(i int, c *ChaCha, ahead operand.Op) {
	var pair [2]reg.GPVirtual
	for w := 4 * i; w < 4*i+4; w++ {
		x, held := s.Words[w].(reg.GPVirtual)
		if !held {
			x = s.GP32()
			s.MOVL(s.Words[w], x)
		}
		s.ADDL(c.Word(w), x)
		if w == 12 && ahead != nil {
			s.ADDQ(ahead, x.As64())
			s.ORL(x, x) // clears the carry, which would come into the next word (avo drops a MOVL from x to x)
		}
		if pair[w%2] = x; w%2 == 1 {
			s.SHLQ(operand.Imm(32), pair[1].As64())
			s.ORQ(pair[1].As64(), pair[0].As64())
			s.MOVQ(pair[0].As64(), s.area.Offset(4*(w-1)))
		}
	}
}

// FinishRow adds the input to a row of the block, and puts it into r, 16 bytes. Reads area, where Save has left the
// block, and c.In; ahead is Begin's. Clobbers t.
func (s *Scalar) FinishRow(i int, c *ChaCha, ahead operand.Op, r, t vec.Reg) {
	x := c.Xmm()
	x.Load(s.area.Offset(16*i), r)
	x.Load(c.In[i], t)
	x.AddD(t, r, r)
	if i == 3 {
		n := s.GP64()
		s.MOVQ(ahead, n)
		x.LoadD(n.As32(), t)
		x.AddD(t, r, r)
	}
}

package chacha20

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Group is some consecutive blocks in rows: a, b, c and d are the rows of the state, first the number of the first
// block counted from the state's own counter.
type Group struct {
	Quarter
	first int
}

// Groups returns n groups in registers from number first on, for the blocks from number block on. It emits nothing.
func (c *ChaCha) Groups(n, first, block int) []Group {
	gs := make([]Group, n)
	for i := range gs {
		r := c.Range(first+4*i, 4)
		gs[i] = Group{Quarter{r[0], r[1], r[2], r[3], nil, nil}, block + i*c.Blocks()}
	}
	return gs
}

// LoadRows puts the input, In in memory, into groups.
func (c *ChaCha) LoadRows(gs []Group) {
	for row := range 4 {
		r := gs[0].Row(row)
		c.Broadcast(c.Word(4*row), r)
		for _, g := range gs[1:] {
			c.Move(r, g.Row(row))
		}
	}
	for _, g := range gs {
		c.AddD(c.Numbers("rows", g.first, 4), g.D, g.D)
	}
}

// AddRows adds the input, In in memory, to groups at the end. Clobbers tmp.
func (c *ChaCha) AddRows(gs []Group, tmp vec.Reg) {
	for row := range 4 {
		c.Broadcast(c.Word(4*row), tmp)
		for _, g := range gs {
			c.AddD(tmp, g.Row(row), g.Row(row))
		}
	}
	for _, g := range gs {
		c.AddD(c.Numbers("rows", g.first, 4), g.D, g.D)
	}
}

// Row is the register of a row.
func (g Group) Row(i int) vec.Reg { return [4]vec.Reg{g.A, g.B, g.C, g.D}[i] }

// RowRounds adds to s two rounds of groups.
//
// Rows are rotated so that row b stays where it is. b is what the last step of a round makes and the first step of the
// next needs; a, c and d are ready earlier, so their rotation costs no time: 12 instructions deep a round and not 13.
// With b_j in lane j, the diagonal a_(j-1), b_j, c_(j+1), d_(j+2) comes together.
//
// With tmp2, a is rotated as soon as it is ready, behind the last addition: 12 cycles a round. With the others at the
// end it gets in the way of the next round's first rotation: 13.5.
func (c *ChaCha) RowRounds(s *vec.Steps, gs []Group) {
	qs := make([]Quarter, len(gs))
	for i, g := range gs {
		qs[i] = g.Quarter
	}
	const right, left, half = 0x93, 0x39, 0x4e // by one lane up, one lane down, two lanes
	round := func(a, cc uint8) {
		var early, turns []func()
		for _, q := range qs {
			if q.Tmp2 != nil {
				early = append(early, func() { c.ShuffleD(a, q.A, q.A) })
			} else {
				turns = append(turns, func() { c.ShuffleD(a, q.A, q.A) })
			}
			turns = append(turns, func() { c.ShuffleD(half, q.D, q.D) }, func() { c.ShuffleD(cc, q.C, q.C) })
		}
		c.Step(s, 16, qs, Quarter.First)
		c.Step(s, 12, qs, Quarter.Second)
		c.Step(s, 8, qs, Quarter.First)
		c.Step(s, 7, qs, Quarter.Second, early...)
		s.Add(turns...)
	}
	round(right, left)
	round(left, right)
}

// FinishRows adds the input, In in memory, to groups in YMM registers and returns their blocks in order, each in a
// register of 64 bytes. Clobbers tmp.
func (c *ChaCha) FinishRows(gs []Group, tmp vec.Reg) []vec.Reg {
	c.AddRows(gs, tmp)
	var blocks []vec.Reg
	for _, g := range gs {
		blocks = append(blocks, c.JoinLanes([4]vec.Reg{g.A, g.B, g.C, g.D})...)
	}
	return blocks
}

// LoopRounds emits a loop over pairs of rounds, made of body. count holds the rounds and is used up.
func (c *ChaCha) LoopRounds(count operand.Op, body func()) {
	c.Align(32)
	c.Loop(emit.NotZero, func() {
		body()
		c.SUBQ(operand.Imm(2), count)
	})
}

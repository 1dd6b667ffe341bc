package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// group is some consecutive blocks in rows: a, b, c and d are the rows of the state, first the number of the first block
// counted from the state's own counter.
type group struct {
	quarter
	first int
}

// groups returns n groups in registers from number first on, for the blocks from number block on.
func (c *chacha) groups(n, first, block int) []group {
	gs := make([]group, n)
	for i := range gs {
		r := c.Range(first+4*i, 4)
		gs[i] = group{quarter{r[0], r[1], r[2], r[3], nil, nil}, block + i*c.Blocks()}
	}
	return gs
}

// loadRows puts the input of the block function into groups.
func (c *chacha) loadRows(gs []group) {
	for row := range 4 {
		r := gs[0].row(row)
		c.Broadcast(c.word(4*row), r)
		for _, g := range gs[1:] {
			c.Move(r, g.row(row))
		}
	}
	for _, g := range gs {
		c.AddD(c.numbers("rows", g.first, 4), g.d, g.d)
	}
}

// addRows adds the input at the end. Clobbers tmp.
func (c *chacha) addRows(gs []group, tmp vec.Reg) {
	for row := range 4 {
		c.Broadcast(c.word(4*row), tmp)
		for _, g := range gs {
			c.AddD(tmp, g.row(row), g.row(row))
		}
	}
	for _, g := range gs {
		c.AddD(c.numbers("rows", g.first, 4), g.d, g.d)
	}
}

func (g group) row(i int) vec.Reg { return [4]vec.Reg{g.a, g.b, g.c, g.d}[i] }

// rowRounds adds to s two rounds of groups.
//
// Rows are rotated so that row b stays where it is. b is what the last step of a round makes and the first step of the
// next needs; a, c and d are ready earlier, so their rotation costs no time: 12 instructions deep a round and not 13.
// With b_j in lane j, the diagonal a_(j-1), b_j, c_(j+1), d_(j+2) comes together.
//
// With tmp2, a is rotated as soon as it is ready, behind the last addition: 12 cycles a round. With the others at the end it
// gets in the way of the next round's first rotation: 13.5.
func (c *chacha) rowRounds(s *vec.Steps, gs []group) {
	qs := make([]quarter, len(gs))
	for i, g := range gs {
		qs[i] = g.quarter
	}
	const right, left, half = 0x93, 0x39, 0x4e // by one lane up, one lane down, two lanes
	round := func(a, cc uint8) {
		var early, turns []func()
		for _, q := range qs {
			if q.tmp2 != nil {
				early = append(early, func() { c.ShuffleD(a, q.a, q.a) })
			} else {
				turns = append(turns, func() { c.ShuffleD(a, q.a, q.a) })
			}
			turns = append(turns, func() { c.ShuffleD(half, q.d, q.d) }, func() { c.ShuffleD(cc, q.c, q.c) })
		}
		c.step(s, 16, qs, quarter.first)
		c.step(s, 12, qs, quarter.second)
		c.step(s, 8, qs, quarter.first)
		c.step(s, 7, qs, quarter.second, early...)
		s.Add(turns...)
	}
	round(right, left)
	round(left, right)
}

// finishRows adds the input to groups in YMM registers and returns their blocks in order, each in a register of 64 bytes.
// Clobbers tmp.
func (c *chacha) finishRows(gs []group, tmp vec.Reg) []vec.Reg {
	c.addRows(gs, tmp)
	var blocks []vec.Reg
	for _, g := range gs {
		blocks = append(blocks, c.joinLanes([4]vec.Reg{g.a, g.b, g.c, g.d})...)
	}
	return blocks
}

// loopRounds emits a loop over pairs of rounds, made of body. count holds the rounds and is used up.
func (c *chacha) loopRounds(count operand.Op, body func()) {
	c.Align(32)
	c.Loop(emit.NotZero, func() {
		body()
		c.SUBQ(operand.Imm(2), count)
	})
}

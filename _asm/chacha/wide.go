package main

import "kcrypto/_asm/vec"

// loadWide puts the input of the block function into x, one register a word, lane i with the counter's value first + i.
func (c *chacha) loadWide(x []vec.Reg, first int) {
	for i, r := range x {
		c.VPBROADCASTD(c.word(i), r)
	}
	c.AddD(c.numbers("wide", first, 1), x[12], x[12])
}

// wideRounds adds to s two rounds on sixteen registers: four columns and four diagonals.
//
// Two quarter rounds take a step, then the other two. On Zen 4 two of the four vector pipes can rotate, so of four that
// rotate at the same time two would wait, and then leave the rotating pipes to additions. In cycles for two rounds of
// ZMM, as a bare loop: 56 so; 58 in the pairs 0, 1 and 2, 3; 61 with all four side by side or six instructions of each
// pair in turn; 48 if all pipes were full.
func (c *chacha) wideRounds(s *vec.Steps, x []vec.Reg) {
	for shift := range 2 {
		var qs []quarter
		for i := range 4 {
			at := func(row int) vec.Reg { return x[4*row+(i+shift*row)%4] }
			qs = append(qs, quarter{at(0), at(1), at(2), at(3), nil, nil})
		}
		var even, odd vec.Steps
		c.quarters(&even, qs[0], qs[2])
		c.quarters(&odd, qs[1], qs[3])
		s.Alternate(6, even, odd)
	}
}

// finishWide adds the input to sixteen registers and returns their blocks in order, each in a register of 64 bytes. spare
// becomes part of the result. EVEX only.
//
// Transposing the words of every 4x4 square puts four words of block 4l+j into lane l of register j; transposing those
// lanes among the four squares makes whole blocks.
func (c *chacha) finishWide(x []vec.Reg, spare vec.Reg) []vec.Reg {
	for i, r := range x {
		c.VPADDD_BCST(c.word(i), r, r)
	}
	c.AddD(c.numbers("wide", 0, 1), x[12], x[12])
	var squares [4][4]vec.Reg
	for i := range squares {
		squares[i], spare = c.transposeWords([4]vec.Reg(x[4*i:4*i+4]), spare)
	}
	blocks := make([]vec.Reg, c.Bytes/4)
	for j := range 4 {
		lanes := [4]vec.Reg{squares[0][j], squares[1][j], squares[2][j], squares[3][j]}
		var whole []vec.Reg
		if c.Bytes == 32 {
			whole = c.joinLanes(lanes)
		} else {
			lanes, spare = c.transposeBlocks(lanes, spare)
			whole = lanes[:]
		}
		for l, r := range whole {
			blocks[4*l+j] = r
		}
	}
	return blocks
}

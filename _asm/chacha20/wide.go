package chacha20

import "kcrypto/_asm/vec"

// LoadWide puts the input, In in memory, into x, one register a word, lane i with the counter's value first + i.
func (c *ChaCha) LoadWide(x []vec.Reg, first int) {
	for i, r := range x {
		c.VPBROADCASTD(c.Word(i), r)
	}
	c.AddD(c.Numbers("wide", first, 1), x[12], x[12])
}

// WideRounds adds to s two rounds on sixteen registers: four columns and four diagonals.
//
// Two quarter rounds take a step, then the other two. On Zen 4 two of the four vector pipes can rotate, so of four that
// rotate at the same time two would wait, and then leave the rotating pipes to additions. In cycles for two rounds of
// ZMM, as a bare loop: 56 so; 58 in the pairs 0, 1 and 2, 3; 61 with all four side by side or six instructions of each
// pair in turn; 48 if all pipes were full.
func (c *ChaCha) WideRounds(s *vec.Steps, x []vec.Reg) {
	for shift := range 2 {
		var qs []Quarter
		for i := range 4 {
			at := func(row int) vec.Reg { return x[4*row+(i+shift*row)%4] }
			qs = append(qs, Quarter{at(0), at(1), at(2), at(3), nil, nil})
		}
		var even, odd vec.Steps
		c.quarters(&even, qs[0], qs[2])
		c.quarters(&odd, qs[1], qs[3])
		s.Alternate(6, even, odd)
	}
}

// FinishWide adds the input to sixteen registers and returns their blocks in order, each in a register of 64 bytes.
// spare becomes part of the result. EVEX only.
//
// Transposing the words of every 4x4 square puts four words of block 4l+j into lane l of register j; transposing those
// lanes among the four squares makes whole blocks.
func (c *ChaCha) FinishWide(x []vec.Reg, spare vec.Reg) []vec.Reg {
	for i, r := range x {
		c.VPADDD_BCST(c.Word(i), r, r)
	}
	c.AddD(c.Numbers("wide", 0, 1), x[12], x[12])
	var squares [4][4]vec.Reg
	for i := range squares {
		squares[i], spare = c.TransposeWords([4]vec.Reg(x[4*i:4*i+4]), spare)
	}
	blocks := make([]vec.Reg, c.Bytes/4)
	for j := range 4 {
		lanes := [4]vec.Reg{squares[0][j], squares[1][j], squares[2][j], squares[3][j]}
		var whole []vec.Reg
		if c.Bytes == 32 {
			whole = c.JoinLanes(lanes)
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

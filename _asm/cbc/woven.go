package main

import (
	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// woven encrypts with all chains, block by block, and ends the function. What a block needs besides its rounds stands
// between those of another one, where it waits for nothing and holds nothing up: the next block is gathered, and the
// block before scattered.
//
//	rounds of          block 0  | block 1   | block 2   ...
//	gather beside them    1     |    2      |    3
//	scatter                     |    0      |    1
func (l *lanes) woven(x []vec.Reg) {
	free := append(l.Range(11, 5), l.Range(18, 11)...)
	text, out := free[:len(x)], free[len(x):]
	next := func(beside *vec.Steps) { l.gather(beside, text) }
	before := func(beside *vec.Steps) { l.scatterAll(beside, out, -32) }
	var first vec.Steps
	next(&first)
	first.Rest()
	l.Block(func(last emit.Exit) {
		l.begin(x, text)
		last(emit.Equal)
		l.encrypt(x, out, next)
		l.Block(func(end emit.Exit) {
			l.Align(64)
			l.Loop(emit.Always, func() {
				l.begin(x, text)
				end(emit.Equal)
				l.encrypt(x, out, before, next)
			})
		})
		l.encrypt(x, out, before)
		l.last(x)
	})
	l.encrypt(x, out)
	l.last(x)
}

// begin XORs plaintext and the first round key into the chains, and moves on. The flags say if this was the last block.
func (l *lanes) begin(x, text []vec.Reg) {
	for r, x := range x {
		l.Xor3(text[r], l.white, x)
	}
	l.ADDQ(operand.Imm(16), l.off)
	l.CMPQ(l.off, l.n)
}

// encrypt encrypts a block of each chain, with other work beside that, and leaves the ciphertext in out as well.
func (l *lanes) encrypt(x, out []vec.Reg, beside ...func(*vec.Steps)) {
	lists := make([]vec.Steps, len(beside))
	for i, list := range beside {
		list(&lists[i])
	}
	var all vec.Steps
	all.Alternate(1, lists...)
	l.keys.Encrypt(x, &all)
	l.keys.EncryptLast(x...)
	for r, x := range x {
		l.Move(x, out[r])
	}
}

// last stores the last block of each chain, and ends the function.
func (l *lanes) last(x []vec.Reg) {
	var all vec.Steps
	l.scatterAll(&all, x, -16)
	all.Rest()
	l.finish(x)
}

// gather adds steps that load the next block of each lane into text.
func (l *lanes) gather(s *vec.Steps, text []vec.Reg) {
	one := l.As(vec.XMMEVEX)
	for b := range l.Blocks() {
		for r, t := range text {
			lane := r*l.Blocks() + b
			s.Add(func() {
				if b == 0 {
					one.Load(l.at(l.src, lane), one.View(t))
				} else {
					l.InsertBlock(uint8(b), l.at(l.src, lane), t, t)
				}
			})
		}
	}
}

// scatterAll adds steps that store the blocks of out to their lanes, at a distance from where these are.
func (l *lanes) scatterAll(s *vec.Steps, out []vec.Reg, distance int) {
	one := l.As(vec.XMMEVEX)
	for b := range l.Blocks() {
		for r, x := range out {
			lane := r*l.Blocks() + b
			s.Add(func() {
				if m := l.at(l.dst, lane).Offset(distance); b == 0 {
					one.Store(one.View(x), m)
				} else {
					l.VEXTRACTI32X4(operand.U8(uint8(b)), x, m)
				}
			})
		}
	}
}

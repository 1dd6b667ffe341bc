package main

import (
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// lanes is a function while it is made that encrypts many messages side by side, one in each block of its registers:
//
//	chain 0    rounds of block 0 ........ | XOR | rounds of block 1 ........
//	chain 1       rounds of block 0 ........ | XOR | rounds of block 1 ...
//	beside                                store 0, gather 1
//
// A message's next block is put into its lane by loads of 16 bytes, and the ciphertext taken out by stores of 16.
type lanes struct {
	vec.V
	block      vec.V
	keys       *aesni.Keys
	dst, src   gotypes.Component // arrays of addresses
	before     gotypes.Component // the block before each lane's next
	off, n     reg.GPVirtual     // bytes done; bytes to do
	x          []vec.Reg         // 0 to 7: chains
	text       vec.Reg           // 8: plaintext
	white, tmp vec.Reg           // 9, 10: the first round key; one on its way from memory
}

func newLanes(v, block vec.V) *lanes {
	v.Expect("mostLanes", wide*vec.ZMM.Blocks())
	return &lanes{V: v, block: block, off: v.GP64(), x: v.Range(0, wide), text: v.Reg(8), white: v.Reg(9), tmp: v.Reg(10)}
}

// run emits the function: with half of the registers if that is enough for count messages.
func (l *lanes) run() {
	k := l.Dereference(l.Param("k")).Field("FullSchedule")
	first, rounds := l.GP64(), l.GP32()
	l.LEAQ(l.Addr(k.Field("enc").Index(0)), first)
	l.Ctx.Load(k.Field("rounds"), rounds)
	all := l.Dereference(l.Param("l"))
	l.dst, l.src, l.before = all.Field("dst"), all.Field("src"), all.Field("before")
	count := l.Arg("count")
	l.n = l.Arg("n")
	l.keys = aesni.NewKeys(l.V, first, rounds, l.tmp)
	l.Broadcast(operand.Mem{Base: first}, l.white)
	l.XORL(l.off.As32(), l.off.As32())
	l.CMPQ(count, operand.U32(uint32(wide/2*l.Blocks())))
	l.IfElse(emit.NotAbove, func() { l.chains(wide / 2) }, func() { l.chains(wide) })
}

// chains encrypts with n registers, and ends the function.
func (l *lanes) chains(n int) {
	x := l.x[:n]
	for r, x := range x {
		l.Load(l.Addr(l.before.Index(r*l.Blocks()).Index(0)), x)
	}
	if l.Encoding == vec.EVEX && n == wide {
		l.woven(x)
		return
	}
	if l.Encoding == vec.EVEX {
		l.stretches(x)
	}
	for r, x := range x {
		l.add(r, x)
	}
	l.Block(func(done emit.Exit) {
		l.Align(64)
		l.Loop(emit.Always, func() {
			l.keys.Encrypt(x, nil)
			l.keys.EncryptLast(x...)
			for r, x := range x {
				l.scatter(r, x)
			}
			l.ADDQ(operand.Imm(16), l.off)
			l.CMPQ(l.off, l.n)
			done(emit.Equal)
			for r, x := range x {
				l.add(r, x)
			}
		})
	})
	l.finish(x)
}

// finish stores the chains, and ends the function.
func (l *lanes) finish(x []vec.Reg) {
	for r, x := range x {
		l.Store(x, l.Addr(l.before.Index(r*l.Blocks()).Index(0)))
	}
	l.Return()
}

// at is the memory of a lane at the place where all are.
func (l *lanes) at(addresses gotypes.Component, lane int) operand.Mem {
	p := l.GP64()
	l.MOVQ(l.Addr(addresses.Index(lane)), p)
	return operand.Mem{Base: p, Index: l.off, Scale: 1}
}

// add XORs the next block of plaintext of each lane of register r, and the first round key, into x.
func (l *lanes) add(r int, x vec.Reg) {
	lane := r * l.Blocks()
	l.block.Load(l.at(l.src, lane), l.block.View(l.text))
	for b := 1; b < l.Blocks(); b++ {
		l.InsertBlock(uint8(b), l.at(l.src, lane+b), l.text, l.text)
	}
	l.Xor3(l.text, l.white, x)
}

// scatter stores each block of x, register r, to its lane.
func (l *lanes) scatter(r int, x vec.Reg) {
	lane := r * l.Blocks()
	l.block.Store(l.block.View(x), l.at(l.dst, lane))
	for b := 1; b < l.Blocks(); b++ {
		if m := l.at(l.dst, lane+b); l.Encoding == vec.EVEX {
			l.VEXTRACTI32X4(operand.U8(uint8(b)), x, m)
		} else {
			l.VEXTRACTI128(operand.U8(uint8(b)), x, m)
		}
	}
}

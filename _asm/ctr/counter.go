package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// # Counters
//
// The input of the first round is (next + i) ^ white for block i from next on. In words of one register:
//
//	xctr   next = the block's number, little-endian     white = key 0 ^ IV    i is added to the low 64 bits
//	ctr    next = the counter as it stands in memory    white = key 0         i is added to the last byte
//
// For ctr the number is big-endian, and a vector instruction adds little-endian ones. But the last byte of the block,
// the lowest of the number, is the highest byte of a 32-bit lane: what is added to it there, shifted to its place, goes
// nowhere else. So as long as this byte does not run over, an addition counts without any shuffling of bytes. capacity
// says
// how long that is, 256 blocks at most. The pass in which it ends goes the other way, which is right always: reverse
// the bytes, add 64-bit numbers, reverse them back (carry, below). It is one pass in eight for the widest loop, 4 % of
// its instructions, and the processor sees the branch coming.
//
// Carries out of the low 64 bits are the business of the caller, who cuts the message there.

// loadIV loads the two halves of the IV into xmm registers.
//
// It reads 4 bytes at a time. Callers make IVs from pieces, a nonce of 4, 8 or 12 bytes and a counter of 4 or 8, just
// before they call. A load that covers two stores, or one in part, cannot take their data from the store buffer, and
// waits until they have reached the cache; this is after every instruction before them has been finished, with it the
// message before. No two messages overlap then. Aligned groups of 4 bytes lie in one store in all usual cases.
//
// (Broadcasts with a mask would put the pieces straight into a zmm register. But what they load comes late from the
// store buffer: 247 cycles for 1420 bytes of AES-128, 95 for 512, against 234 and 83.)
func (b *body) loadIV(low, high vec.Reg) {
	for i, x := range []vec.Reg{low, high} {
		first, second := operand.Mem{Base: b.iv, Disp: 8 * i}, operand.Mem{Base: b.iv, Disp: 8*i + 4}
		if b.Encoding == vec.Legacy {
			b.MOVSS(first, x) // to Go's assembler, MOVD is another name of MOVQ
			b.PINSRD(operand.U8(1), second, x)
			continue
		}
		b.VMOVD(first, x)
		b.VPINSRD(operand.U8(1), second, x, x)
	}
}

// join sets every block of dst to the halves in the xmm registers low and high. Clobbers high. Two broadcasts and then
// the join, and not the join and then a copy to all blocks, since what crosses 128 bits takes 4 cycles on Zen 4, and
// broadcasts take 1 (on Intel's cores, 3 both).
func (b *body) join(low, high, dst vec.Reg) {
	if b.Bytes > 16 {
		b.VPBROADCASTQ(low, dst)
		b.VPBROADCASTQ(high, b.View(high))
		low, high = dst, b.View(high)
	}
	b.UnpackLowQ(high, low, dst)
}

// loadNumber loads the number of the first block into an xmm register.
func (b *body) loadNumber(x vec.Reg) {
	if b.Encoding == vec.Legacy {
		b.MOVQ(b.block, x)
		return
	}
	b.VMOVQ(b.block, x)
}

// begin emits usual for messages that begin with block 0, as whole messages do, and elsewhere further for the others.
func (b *body) begin(usual, further func()) {
	b.CMPQ(b.block, operand.Imm(0))
	b.ColdElse(emit.NotEqual, further, usual)
}

// firstCounter sets the xmm register low to the counter of the first block, for ctr, from the IV's halves. Clobbers
// high.
func (b *body) firstCounter(low, high vec.Reg) {
	v := b.xmm()
	v.UnpackLowQ(high, low, low)
	b.loadNumber(high)
	v.Shuffle(reversal(v), low, low)
	v.AddQ(high, low, low)
	v.Shuffle(reversal(v), low, low)
}

// start sets next, white and capacity. Clobbers data 0 and tmp.
func (b *body) start() {
	b.Comment("The first counter.")
	low, high := vec.XMM.View(b.data[0]), vec.XMM.View(b.tmp)
	b.Broadcast(operand.Mem{Base: b.enc}, b.white)
	b.loadIV(low, high)
	if b.xctr {
		b.join(low, high, b.data[0])
		b.Xor(b.data[0], b.white, b.white)
		b.loadNumber(high)
		b.Spread(high, b.next)
		return
	}
	b.begin(
		func() { b.join(low, high, b.next) },
		func() { b.firstCounter(low, high); b.Spread(low, b.next) })
	b.capacity = b.GP64() // 255 less the lowest byte
	b.MOVBLZX(operand.Mem{Base: b.iv, Disp: 15}, b.capacity.As32())
	b.ADDQ(b.block, b.capacity)
	b.NOTL(b.capacity.As32())
	b.ANDL(operand.U32(255), b.capacity.As32())
}

// counters fills x with the next counters and moves on. Clobbers tmp.
func (b *body) counters(x []vec.Reg) {
	b.count(x, false, func() {
		fill := b.fill(x)
		fill.Rest()
		b.advance(len(x))
	})
}

// count uses up capacity for the registers in x, and emits usual: fill(x) and, unless they are the last,
// advance(len(x)). Where the lowest byte runs over, cold code does this instead.
func (b *body) count(x []vec.Reg, last bool, usual func()) {
	if b.xctr {
		usual()
		return
	}
	b.SUBL(operand.U8(uint8(len(x)*b.Blocks())), b.capacity.As32())
	b.ColdElse(emit.Below, func() { b.carry(x, last) }, usual)
}

// fill returns the steps, two for each register, that set x to the input of the first round.
func (b *body) fill(x []vec.Reg) (steps vec.Steps) {
	for i, r := range x {
		if i == 0 && b.Bytes == 16 && !b.xctr { // there is nothing to add
			steps.Add(func() {}, func() { b.Xor(b.white, b.next, r) })
			continue
		}
		steps.Add(
			func() { b.add(i*b.Blocks(), 1, r) },
			func() { b.Xor(b.white, r, r) })
	}
	return steps
}

// advance moves next on by n registers.
func (b *body) advance(n int) { b.add(n*b.Blocks(), 0, b.next) }

// add sets block i of dst to next + blocks + i*each; in xctr, where numbers begin with 1, to one more if each is 1.
func (b *body) add(blocks int, each uint64, dst vec.Reg) {
	name := fmt.Sprintf("plus%d_%d", blocks, each)
	if b.xctr {
		b.AddQ(b.numbers(name, uint64(blocks)+each, each), b.next, dst)
		return
	}
	words := b.Blocks()
	lanes := make([]uint64, 0, 2*words)
	for i := range words {
		lanes = append(lanes, 0, (uint64(blocks)+uint64(i)*each)<<56)
	}
	b.AddD(b.Data(name, lanes...), b.next, dst)
}

// carry is fill and advance where the lowest byte runs over in x, or right behind it. (Right behind it, next would be
// without the carry.) Clobbers tmp.
func (b *body) carry(x []vec.Reg, last bool) {
	number := b.tmp
	b.Shuffle(reversal(b.V), b.next, number)
	for i, r := range x {
		blocks, from := uint64(i*b.Blocks()), number
		if i > 0 || b.Bytes > 16 {
			b.AddQ(b.numbers(fmt.Sprintf("number%d", blocks), blocks, 1), number, r)
			from = r
		}
		b.Shuffle(reversal(b.V), from, r)
		b.Xor(b.white, r, r)
	}
	if last {
		return
	}
	blocks := uint64(len(x) * b.Blocks())
	b.AddQ(b.numbers(fmt.Sprintf("number%d_0", blocks), blocks, 0), number, number)
	b.Shuffle(reversal(b.V), number, b.next)
	b.ADDL(operand.U32(256), b.capacity.As32())
}

// numbers is the constant with the number first + i*each in block i.
func (b *body) numbers(name string, first, each uint64) operand.Mem {
	words := make([]uint64, 0, 2*b.Blocks())
	for i := range uint64(b.Blocks()) {
		words = append(words, first+i*each, 0)
	}
	return b.Data(name, words...)
}

// reversal is the index of a shuffle that reverses the bytes of every block.
func reversal(v vec.V) operand.Mem {
	const low = 0x0001020304050607
	words := make([]uint64, 0, 2*v.Blocks())
	for range v.Blocks() {
		words = append(words, low+8*0x0101010101010101, low)
	}
	return v.Data(fmt.Sprintf("reversal%d", v.Blocks()), words...)
}

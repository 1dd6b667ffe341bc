package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/aesni"
	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
	"kcrypto/_asm/walk"
)

// wide is how many registers the loop handles at once.
const wide = 8

// decryption is a decrypting function while it is made.
type decryption struct {
	vec.V
	args
	block vec.V // for single blocks
	keys  *aesni.Keys

	// Vector registers, by number.
	data   []vec.Reg // 0 to 7
	before vec.Reg   // 8: ciphertext before a register, XORed with the last round key
	carry  vec.Reg   // 9: its last block is the one before the pass
	next   vec.Reg   // 10: carry of the next pass
	white  vec.Reg   // 11: the first round key
	tmp    vec.Reg   // 12: a round key on its way from memory
	held   []vec.Reg // 18 to 31, under EVEX: the other round keys
}

func newDecryption(v, block vec.V) *decryption {
	v.Expect("loopBytes", wide*vec.ZMM.Bytes)
	d := &decryption{V: v, block: block, args: load(v, "dec"), data: v.Range(0, wide), before: v.Reg(8), carry: v.Reg(9),
		next: v.Reg(10), white: v.Reg(11), tmp: v.Reg(12)}
	if v.Encoding == vec.EVEX {
		d.held = v.Range(18, 14)
	}
	return d
}

func (d *decryption) run() {
	if d.Bytes > 16 {
		d.CMPQ(d.left, operand.Imm(16))
		d.If(emit.Equal, func() {
			d.block.Load(operand.Mem{Base: d.iv}, d.block.View(d.carry))
			d.oneBlock(d.block.View(d.carry))
			d.block.Return()
		})
	}
	d.keys = aesni.NewKeys(d.V, d.first, d.rounds, d.tmp, d.held...)
	d.Broadcast(operand.Mem{Base: d.first}, d.white)
	d.Broadcast(operand.Mem{Base: d.iv}, d.carry)
	if d.Encoding == vec.EVEX {
		d.masked()
		return
	}
	walk.Down(d.V, d.left, wide, d.pass)
	if d.Bytes > 16 {
		d.TESTL(operand.U32(16), d.left.As32())
		d.If(emit.NotZero, func() {
			carry := d.block.View(d.next)
			d.ExtractBlock(1, d.carry, carry)
			d.oneBlock(carry)
		})
	}
	d.Return()
}

// masked is the rest of the function for EVEX: the loop, and what is left with a mask on the last register. The loop
// leaves something, so that nothing has to be asked behind it.
func (d *decryption) masked() {
	stride := operand.U32(uint32(wide * d.Bytes))
	d.CMPQ(d.left, stride)
	d.If(emit.Above, func() {
		d.Align(64)
		d.Loop(emit.Above, func() {
			d.pass(wide)
			d.SUBQ(stride, d.left)
			d.CMPQ(d.left, stride)
		})
	})
	walk.Exactly(d.V, d.left, 1, wide, d.finish)
}

func (d *decryption) in(i int) operand.Mem  { return operand.Mem{Base: d.src, Disp: i * d.Bytes} }
func (d *decryption) out(i int) operand.Mem { return operand.Mem{Base: d.dst, Disp: i * d.Bytes} }

// pass does n whole registers, and moves on.
func (d *decryption) pass(n int) {
	x := d.data[:n]
	for i, r := range x {
		d.whiten(d.in(i), r)
	}
	d.keys.Decrypt(x, nil)
	key := d.keys.Last(2).(vec.Reg)
	d.Load(d.in(n-1), d.next)
	for i := n - 1; i > 0; i-- {
		d.xorFrom(d.in(i).Offset(-16), key, d.before)
		d.AESDecLast(d.before, x[i], x[i])
		d.Store(x[i], d.out(i))
	}
	d.behind(func() { d.Load(d.in(0), d.before) })
	d.Xor(key, d.before, d.before)
	d.AESDecLast(d.before, x[0], x[0])
	d.Store(x[0], d.out(0))
	d.Move(d.next, d.carry)
	d.forward(d.V, n*d.Bytes)
}

// finish does n registers, of which the last may not be full, and ends the function.
func (d *decryption) finish(n int) {
	x, last := d.data[:n], n-1
	if last > 0 {
		d.SUBQ(operand.U32(uint32(last*d.Bytes)), d.left)
	}
	d.Mask(d.left, reg.K1)
	for i, r := range x[:last] {
		d.whiten(d.in(i), r)
	}
	d.LoadMasked(d.in(last), reg.K1, x[last])
	d.Xor(d.white, x[last], x[last])
	d.keys.Decrypt(x, nil)
	key := d.keys.Last(2).(vec.Reg)
	for i := last; i > 0; i-- {
		if i == last {
			d.LoadMasked(d.in(i).Offset(-16), reg.K1, d.before)
			d.Xor(key, d.before, d.before)
			d.AESDecLast(d.before, x[i], x[i])
			d.StoreMasked(x[i], reg.K1, d.out(i))
			continue
		}
		d.xorFrom(d.in(i).Offset(-16), key, d.before)
		d.AESDecLast(d.before, x[i], x[i])
		d.Store(x[i], d.out(i))
	}
	d.behind(func() {
		if last == 0 {
			d.LoadMasked(d.in(0), reg.K1, d.before)
		} else {
			d.Load(d.in(0), d.before)
		}
	})
	d.Xor(key, d.before, d.before)
	d.AESDecLast(d.before, x[0], x[0])
	if last == 0 {
		d.StoreMasked(x[0], reg.K1, d.out(0))
	} else {
		d.Store(x[0], d.out(0))
	}
	d.Return()
}

// behind sets before to the ciphertext before the first register of a pass: the last block of carry, and the blocks of
// that register but its last. load loads the register into before.
func (d *decryption) behind(load func()) {
	switch d.Bytes {
	case 16:
		d.Move(d.carry, d.before)
	case 32:
		load()
		d.VPERM2I128(operand.U8(0x21), d.before, d.carry, d.before)
	case 64:
		load()
		d.VALIGNQ(operand.U8(6), d.carry, d.before, d.before)
	}
}

// oneBlock does one block behind the block in carry, with round keys straight from memory.
func (d *decryption) oneBlock(carry vec.Reg) {
	v := d.block
	x := v.View(d.data[0])
	v.Load(operand.Mem{Base: d.src}, x)
	v.Xor(operand.Mem{Base: d.first}, x, x)
	keys := aesni.NewKeys(v, d.first, d.rounds, v.View(d.tmp))
	v.Xor(keys.Last(1), carry, carry)
	keys.Decrypt([]vec.Reg{x}, nil)
	v.AESDecLast(carry, x, x)
	v.Store(x, operand.Mem{Base: d.dst})
}

// whiten loads x from m and XORs the first round key into it.
func (d *decryption) whiten(m operand.Mem, x vec.Reg) { d.xorFrom(m, d.white, x) }

// xorFrom sets x to what is at m XORed with key.
func (d *decryption) xorFrom(m operand.Mem, key, x vec.Reg) {
	if d.Encoding == vec.Legacy {
		d.Load(m, x)
		d.Xor(key, x, x)
		return
	}
	d.Xor(m, key, x)
}

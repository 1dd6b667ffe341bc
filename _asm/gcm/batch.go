package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// Short messages, four side by side. A message of one or two registers leaves the AES unit idle for most of its time,
// since each of its ten to fourteen rounds waits for the one before. Four of them fill it.
//
// A register of text holds 64 bytes of one message, and four registers are worked on at a time, one of each. What there
// is once a message is the block of a register: J0 and its encryption, additional data (a block at most), lengths,
// sums, tags. Messages need not be of one length: a round in which one has fewer bytes left, or none, masks the rest
// out. Sealing and opening are one code: opening takes GHASH over what was read, sealing over what is written, and an
// opmask chooses.
//
// The products of a register of text with its powers of H belong to one message and those of another register to
// another, so before they are added up their blocks change places: see gather. From then on there is one sum, one
// reduction and one tag for all four.
//
// Left to one at a time: texts of more than shortText, 192 bytes, for which that is as fast (AES-128, 256 bytes: 37.9
// ns a message here, 35 one at a time). Four registers need 40 AES and 16 CLMUL instructions, and the 66 others, of
// which 27 are gather's, cost 0.7 cycles each: 102 cycles. A message alone has 20 others for as much.
//
// What is once a message costs 79 cycles for four, and scanning 5 a message: the packets are read here, since a table
// that Go made took 9 ns a message and had to wait for its stores.

// lanes is the number of messages side by side.
const lanes = 4

// side emits batch. Its vector registers are a gcm's, shared out anew:
//
//	d       0-3    a register of counters, key stream, then output of each message; then products
//	in      4-7    its input, then ciphertext
//	held    8-17   round keys
//	tmp     18     round keys from memory
//	nonces  19     of each message, with four zeros
//	sums    20-22
//	mask    23     J0 of each, encrypted
//	h       24-27  powers of H for each
//	free    28-29
//	count   30     the next numbers, the same for each
//	swap    31
type side struct {
	*gcm
	in, h               []vec.Reg
	nonces, mask, count vec.Reg

	i, packet     reg.Register // the next packet: its number and address
	lane, longest reg.Register // lanes in use; bytes of the longest text
	off           reg.Register // bytes of text done
	left, addr, p reg.Register // for one message at a time
	ones          reg.Register // all ones

	// In the frame, for each lane: the packet's address, where its output begins, and the bytes of its text and additional
	// data, 32 bits each. Then the bytes of tag in an input and in an output, and the packets left out, a bit each.
	packets, dst, sizes, tagIn, tagOut, skipped operand.Mem
}

// Opmasks: those of the bytes of each message are K1 to K4.
var (
	upper  = reg.K5 // the upper two blocks
	chosen = reg.K7
)

func maskOf(l int) reg.Register { return []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4}[l] }

func newSide(v vec.V) *side {
	g := newGCM(v)
	g.d, g.held, g.tmp = v.Range(0, lanes), v.Range(8, 10), v.Reg(18)
	g.lo.reg, g.mid.reg, g.hi.reg = v.Reg(20), v.Reg(21), v.Reg(22)
	g.free = v.Range(28, 2)
	s := &side{gcm: g, in: v.Range(4, lanes), h: v.Range(24, lanes), nonces: v.Reg(19), mask: v.Reg(23), count: v.Reg(30)}
	for _, m := range []*operand.Mem{&s.packets, &s.dst, &s.sizes} {
		*m = g.AllocLocal(8 * lanes)
	}
	s.tagIn, s.tagOut, s.skipped = g.AllocLocal(8), g.AllocLocal(8), g.AllocLocal(8)
	for _, r := range []*reg.Register{&s.i, &s.packet, &s.lane, &s.longest, &s.off, &s.left, &s.addr, &s.p, &s.ones} {
		*r = g.GP64()
	}
	return s
}

// low is a register's lower half.
func low(r reg.Register) reg.Register { return r.(reg.GP).As32() }

// batch emits batch(k, packets, n, tag, diffs) (skipped).
func (s *side) batch() {
	s.start()
	s.schedule()
	s.hold()
	s.direction()
	s.XORL(low(s.i), low(s.i))
	s.MOVQ(operand.I32(0), s.skipped)
	s.Context.Load(s.Param("packets"), s.packet)
	s.MOVQ(operand.I32(0xf0), s.ones)
	s.KMOVQ(s.ones, upper)
	s.MOVQ(operand.I32(-1), s.ones)

	s.Align(32)
	s.Block(func(done emit.Exit) {
		s.Loop(emit.Below, func() {
			s.scan()
			s.TESTQ(s.lane, s.lane)
			done(emit.Zero)
			s.begin()
			s.texts()
			s.finish()
			s.CMPQ(s.i, s.ArgAddr("n"))
		})
	})
	s.MOVQ(s.skipped, s.left)
	s.Context.Store(s.left, s.ReturnIndex(0))
	s.Return()
}

// direction sets tagIn and tagOut: it is to be sealed if there is no place for differences.
func (s *side) direction() {
	diffs, in, zero := s.Arg("diffs"), s.Arg("tag"), s.GP64()
	s.XORL(zero.As32(), zero.As32())
	s.TESTQ(diffs, diffs)
	s.CMOVQEQ(zero, in)
	s.MOVQ(in, s.tagIn)
	out := s.Arg("tag")
	s.SUBQ(in, out)
	s.MOVQ(out, s.tagOut)
}

// scan fills the lanes with the next packets, and leaves lane how many they are. It is no loop: that one would end
// after four rounds is hard to predict with so much between one time and the next (16 cycles a packet).
func (s *side) scan() {
	s.Comment("Which packets are next.")
	var again []operand.LabelRef // the packet for lane l is looked for
	s.XORL(low(s.longest), low(s.longest))
	s.Block(func(full emit.Exit) {
		s.Block(func(end emit.Exit) {
			s.Block(func(skip emit.Exit) {
				for l := range lanes {
					again = append(again, s.NewLabel("scan"))
					s.Place(again[l])
					s.MOVL(operand.U32(uint32(l)), low(s.lane))
					s.CMPQ(s.i, s.ArgAddr("n"))
					end(emit.NotBelow)
					s.take(l, skip)
					s.next()
				}
				s.MOVL(operand.U32(lanes), low(s.lane))
				full(emit.Always)
			})
			s.MOVQ(s.skipped, s.left)
			s.BTSQ(s.i, s.left)
			s.MOVQ(s.left, s.skipped)
			s.next()
			for l := range lanes {
				s.CMPQ(s.lane, operand.Imm(uint64(l)))
				s.JEQ(again[l])
			}
		})
		s.idle()
	})
}

// next goes on to the next packet.
func (s *side) next() {
	s.INCQ(s.i)
	s.ADDQ(operand.Imm(uint64(s.Sizeof("registry.Packet"))), s.packet)
}

// take puts the packet into lane l, unless it is one to leave to messages one at a time: the caller is told which.
func (s *side) take(l int, skip emit.Exit) {
	length := func(slice string) operand.Mem {
		_, n := s.slice(s.packet, slice)
		return n
	}
	s.MOVQ(length("Src"), s.left)
	s.SUBQ(s.tagIn, s.left)
	s.CMPQ(s.left, operand.U32(s.Const("shortText")))
	skip(emit.Above)
	s.MOVQ(length("AAD"), s.addr)
	s.CMPQ(s.addr, operand.Imm(uint64(s.Const("blockSize"))))
	skip(emit.Above)
	s.CMPQ(length("Nonce"), operand.Imm(uint64(s.Const("nonceSize"))))
	skip(emit.NotEqual)
	s.CMPQ(s.left, s.longest)
	s.CMOVQHI(s.left, s.longest)
	s.MOVL(low(s.left), s.sizes.Offset(8*l))
	s.MOVL(low(s.addr), s.sizes.Offset(8*l+4))
	s.MOVQ(s.packet, s.packets.Offset(8*l))
	base, n := s.slice(s.packet, "Dst")
	s.MOVQ(base, s.addr)
	s.ADDQ(n, s.addr)
	s.SUBQ(s.left, s.addr)
	s.SUBQ(s.tagOut, s.addr)
	s.MOVQ(s.addr, s.dst.Offset(8*l))
}

// idle gives lanes that are left over the first one's packet, whose nonce may be read, with nothing in it.
func (s *side) idle() {
	s.MOVQ(s.lane, s.p)
	s.MOVQ(s.packets, s.addr)
	packet, size := s.packets, s.sizes
	packet.Index, packet.Scale = s.p, 8
	size.Index, size.Scale = s.p, 8
	s.Loop(emit.Below, func() {
		s.MOVQ(s.addr, packet)
		s.MOVQ(operand.I32(0), size)
		s.INCQ(s.p)
		s.CMPQ(s.p, operand.Imm(lanes))
	})
}

// slice is a packet's slice: where its address is, and its length.
func (s *side) slice(packet reg.Register, name string) (base, length operand.Mem) {
	f := s.Param("packets").Dereference(packet).Field(name)
	return s.Addr(f.Base()), s.Addr(f.Len())
}

// begin encrypts the four J0 and clears the sums.
func (s *side) begin() {
	s.Comment("J0 of each message.")
	b := s.block()
	s.MOVL(operand.U32(7), low(s.p)) // three words
	s.KMOVQ(s.p, chosen)
	for l := range lanes {
		s.load(l, "Nonce")
		if l == 0 {
			b.VMOVDQU32_Z(operand.Mem{Base: s.addr}, chosen, b.View(s.nonces))
			continue
		}
		b.VMOVDQU32_Z(operand.Mem{Base: s.addr}, chosen, b.View(s.d[l]))
		s.InsertBlock(uint8(l), b.View(s.d[l]), s.nonces, s.nonces)
	}
	one := s.constant("number1", 0, 1<<56)
	s.Xor(one, s.nonces, s.mask)
	s.keys.White(s.mask)
	s.keys.Encrypt([]vec.Reg{s.mask}, nil)
	s.keys.EncryptLast(s.mask)
	s.Load(s.Data("numbers2to5", 0, 2<<56, 0, 3<<56, 0, 4<<56, 0, 5<<56), s.count)
	s.clearSums()
}

// texts goes through the texts, 64 bytes of each at a time, as long as one of them has some left.
func (s *side) texts() {
	s.Comment("The texts.")
	s.XORL(low(s.off), low(s.off))
	s.TESTQ(s.longest, s.longest)
	s.If(emit.NotZero, func() {
		s.Loop(emit.Below, func() {
			s.crypt64()
			s.products()
			s.ADDQ(operand.Imm(uint64(s.Bytes)), s.off)
			s.CMPQ(s.off, s.longest)
		})
	})
}

// crypt64 encrypts 64 bytes of each message, leaves the ciphertext in in, zeros behind its end, and the powers in h.
func (s *side) crypt64() {
	first := s.keys.First()
	s.Xor(s.count, first, first)
	for l, d := range s.d {
		s.VSHUFI64X2(operand.U8(l*0x55), s.nonces, s.nonces, d)
		s.Xor(first, d, d)
	}
	s.AddD(s.constant("fourMore", 0, 4<<56), s.count, s.count)
	for l := range lanes {
		s.source(l)
		s.Load(s.power(1), s.h[l])
		s.CMPQ(s.left, operand.Imm(uint64(s.Bytes)))
		s.CMOVQHI(s.Data("bytes64", 64, 0), s.left)
		s.BZHIQ(s.left, s.ones, s.left)
		s.KMOVQ(s.left, maskOf(l))
		s.LoadMasked(operand.Mem{Base: s.addr}, maskOf(l), s.in[l])
	}
	s.keys.Encrypt(s.d, nil)
	key := s.keys.Last(lanes)
	x := s.free[0]
	for l, d := range s.d {
		s.Xor(key, s.in[l], x)
		s.AESEncLast(x, d, d)
	}
	for l, d := range s.d {
		s.destination(l)
		s.StoreMasked(d, maskOf(l), operand.Mem{Base: s.addr})
	}
	s.CMPQ(s.tagIn, operand.Imm(0))
	s.If(emit.Equal, func() { // when sealing, GHASH goes over the output
		for l, d := range s.d {
			s.VMOVDQU8_Z(d, maskOf(l), s.in[l])
		}
	})
}

// source sets left to how much of the text of message l is left, and addr to where it is. If nothing is, addr is
// somewhere harmless: a masked access to memory that is not there takes 400 ns even if its mask is empty.
func (s *side) source(l int) {
	s.load(l, "Src")
	s.MOVL(s.sizes.Offset(8*l), low(s.left))
	s.LEAQ(operand.Mem{Base: s.addr, Index: s.off, Scale: 1}, s.addr)
	s.SUBQ(s.off, s.left)
	s.CMOVQLS(s.powers, s.addr)
	s.CMOVQLS(s.Data("zeros", 0, 0), s.left)
}

// destination is source's counterpart for the output. It clobbers left.
func (s *side) destination(l int) {
	s.MOVQ(s.dst.Offset(8*l), s.addr)
	s.ADDQ(s.off, s.addr)
	s.MOVL(s.sizes.Offset(8*l), low(s.left))
	s.CMPQ(s.left, s.off)
	s.CMOVQLS(s.powers, s.addr)
}

// load sets addr to the address of one of message l's slices. Clobbers left.
func (s *side) load(l int, slice string) {
	s.MOVQ(s.packets.Offset(8*l), s.left)
	base, _ := s.slice(s.left, slice)
	s.MOVQ(base, s.addr)
}

// power is where the powers of H begin for left bytes of a message with so many blocks behind them, or before. Clobbers
// p.
func (s *side) power(more int) operand.Mem {
	s.LEAQ(operand.Mem{Base: s.left, Disp: 15}, s.p)
	s.ANDQ(operand.I32(-16), s.p)
	s.NEGQ(s.p)
	return operand.Mem{Base: s.powers, Index: s.p, Scale: 1, Disp: 16 * (s.table - more)}
}

// products adds the products of the ciphertext in in with the powers in h to the sums.
func (s *side) products() {
	for _, x := range s.in {
		s.Shuffle(s.swap, x, x)
	}
	product := func(which uint8) {
		for l, d := range s.d {
			s.Clmul(which, s.h[l], s.in[l], d)
		}
	}
	product(0x00)
	s.gather(s.lo.reg)
	product(0x11)
	s.gather(s.hi.reg)
	product(0x01)
	for l, d := range s.d {
		x := s.free[l%2]
		s.Clmul(0x10, s.h[l], s.in[l], x)
		s.Xor(x, d, d)
	}
	s.gather(s.mid.reg)
}

// gather adds the blocks of each of the registers in d up, and the sums to the blocks of sum: that of register l to
// block l. In the first step two registers, a and b, become one with two blocks of each,
//
//	a2 a3 b0 b1  +  a0 a1 b2 b3,
//
// in the second two such registers become one. Clobbers d.
func (s *side) gather(sum vec.Reg) {
	for i, x := range s.free {
		a, b := s.d[2*i], s.d[2*i+1]
		s.VSHUFI64X2(operand.U8(0x4e), b, a, x)
		s.VMOVDQA64(b, upper, a)
		s.Xor(a, x, x)
	}
	x, y := s.free[0], s.free[1]
	s.VSHUFI64X2(operand.U8(0x88), y, x, s.d[0])
	s.VSHUFI64X2(operand.U8(0xdd), y, x, s.d[1])
	s.Xor3(s.d[0], s.d[1], sum)
}

// finish takes GHASH over the additional data and the lengths, and makes the tags.
func (s *side) finish() {
	s.Comment("Additional data, lengths, tags.")
	b := s.block()
	aad, h := s.in[0], s.h[0]
	for l := range lanes {
		part := b.View(s.in[l])
		s.load(l, "AAD")
		s.MOVL(s.sizes.Offset(8*l+4), low(s.left))
		s.TESTQ(s.left, s.left)
		s.CMOVQEQ(s.powers, s.addr)
		s.BZHIQ(s.left, s.ones, s.left)
		s.KMOVQ(s.left, maskOf(l))
		b.LoadMasked(operand.Mem{Base: s.addr}, maskOf(l), part)

		s.MOVL(s.sizes.Offset(8*l), low(s.left))
		power := s.power(2)
		if l == 0 {
			b.Load(power, b.View(h))
		} else {
			s.InsertBlock(uint8(l), part, aad, aad)
			s.InsertBlock(uint8(l), power, h, h)
		}
	}
	s.Shuffle(s.swap, aad, aad)
	s.add4(aad, h)
	s.VPMOVZXDQ(s.sizes, aad)
	s.ShiftLeftQ(3, aad, aad)
	s.Broadcast(s.at(1), h)
	s.add4(aad, h)
	s.emit(s.reduce(false))
	s.Shuffle(s.swap, s.lo.reg, s.lo.reg)
	s.Xor(s.mask, s.lo.reg, s.lo.reg)
	s.tags(s.lo.reg)
}

// tags stores the tags in x where they belong or, when opening, XORs them with those that came and stores the
// differences, 0 for an idle lane.
func (s *side) tags(x vec.Reg) {
	bytes := maskOf(0)
	s.MOVQ(s.ArgAddr("tag"), s.left)
	s.BZHIQ(s.left, s.ones, s.left)
	s.KMOVQ(s.left, bytes)
	diffs := s.GP64()
	s.MOVQ(s.ArgAddr("diffs"), diffs)
	s.Block(func(done emit.Exit) {
		s.TESTQ(diffs, diffs)
		s.If(emit.Zero, func() {
			s.storeTags(x, bytes, done)
			done(emit.Always)
		})
		s.diffTags(x, bytes, diffs)
	})
}

// storeTags stores the tags in x, of which bytes has the opmask, and is done behind the last lane in use. Clobbers left
// and d.
func (s *side) storeTags(x vec.Reg, bytes reg.Register, done emit.Exit) {
	b := s.block()
	for l := range lanes {
		tag := b.View(x)
		if l > 0 {
			s.CMPQ(s.lane, operand.Imm(uint64(l)))
			done(emit.Equal)
			tag = b.View(s.d[l])
			s.ExtractBlock(uint8(l), x, tag)
		}
		s.MOVL(s.sizes.Offset(8*l), low(s.left))
		s.ADDQ(s.dst.Offset(8*l), s.left)
		b.StoreMasked(tag, bytes, operand.Mem{Base: s.left})
	}
}

// diffTags XORs the tags in x, of which bytes has the opmask, with those that came, stores the differences at diffs,
// and moves the argument on. Clobbers left, addr, in, x.
func (s *side) diffTags(x vec.Reg, bytes reg.Register, diffs reg.GPVirtual) {
	b := s.block()
	want := s.in[0]
	for l := range lanes {
		s.load(l, "Src")
		s.MOVL(s.sizes.Offset(8*l), low(s.left))
		s.ADDQ(s.left, s.addr)
		b.LoadMasked(operand.Mem{Base: s.addr}, bytes, b.View(s.in[l]))
		if l > 0 {
			s.InsertBlock(uint8(l), b.View(s.in[l]), want, want)
		}
	}
	s.Xor(want, x, x)
	// The opmask of all the tags' bytes that there are.
	s.MOVQ(s.ArgAddr("tag"), s.left)
	s.BZHIQ(s.left, s.ones, s.left)
	s.MOVQ(operand.U64(0x0001000100010001), s.addr)
	s.IMULQ(s.left, s.addr)
	s.MOVQ(s.lane, s.left)
	s.SHLQ(operand.Imm(4), s.left)
	s.BZHIQ(s.left, s.addr, s.addr)
	s.KMOVQ(s.addr, chosen)
	s.VMOVDQU8_Z(x, chosen, x)
	s.Store(x, operand.Mem{Base: diffs})
	s.ADDQ(operand.Imm(uint64(s.Bytes)), diffs)
	s.MOVQ(diffs, s.ArgAddr("diffs"))
}

// add4 adds the products of the blocks of x and h to the sums.
func (s *side) add4(x, h vec.Reg) {
	for i, which := range []uint8{0x00, 0x01, 0x10, 0x11} {
		s.Clmul(which, h, x, s.d[i])
	}
	s.Xor(s.d[0], s.lo.reg, s.lo.reg)
	s.Xor3(s.d[1], s.d[2], s.mid.reg)
	s.Xor(s.d[3], s.hi.reg, s.hi.reg)
}

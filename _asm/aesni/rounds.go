// Package aesni has the pieces that all AES modes share: where the round keys are, and the rounds themselves for
// blocks at any width, with other work woven in.
//
// The number of rounds depends on the key size: 10, 12 or 14. Counted from the end, the keys of an AES-128 schedule
// stand where the last ones of an AES-256 schedule do. So code addresses keys by their distance from the last one,
// and a shorter schedule jumps into the middle of the sequence:
//
//	key[-14] key[-13] key[-12] key[-11] key[-10] key[-9] ... key[-1] key[0]
//	 white     AES-256 ---------------->                              last
//	                    white     AES-192 ------->
//	                                       white    AES-128 ->
//
// That is one compare and at most two branches, always the same way for one key, for each run through the rounds.
package aesni

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"kcrypto/_asm/emit"
	"kcrypto/_asm/vec"
)

// common is the number of middle rounds that every key size has, and so the number of places for woven work.
const common = 9

// Keys is a key schedule in use: round keys of 16 bytes in memory, one behind the other, some of them also in
// registers.
type Keys struct {
	v      vec.V
	first  reg.Register // address of key 0
	last   reg.Register // address of the last key
	rounds reg.Register // 32 bits: 10, 12 or 14
	tmp    vec.Reg      // takes keys that are only in memory
	small  bool         // Small
	held   []vec.Reg    // held[i] holds the key i before the last
}

// NewKeys makes ready to use the schedule at the address in first, for rounds (a 32-bit register: 10, 12 or 14)
// rounds. tmp is free for keys on their way from memory. The last len(held) keys are broadcast into held at once, last
// key first; 10 registers hold all that AES-128 needs but the first key, 14 do so for AES-256. With fewer rounds the
// registers beyond are cleared.
func NewKeys(v vec.V, first, rounds reg.Register, tmp vec.Reg, held ...vec.Reg) *Keys {
	k := &Keys{v: v, first: first, rounds: rounds, tmp: tmp, last: v.GP64()}
	v.Comment("The last round key's address; keys that stay in registers.")
	v.MOVL(rounds, k.last.(reg.GP).As32())
	v.SHLQ(operand.U8(4), k.last)
	v.ADDQ(first, k.last)
	return k.Hold(held...)
}

// Hold returns k with other registers for keys that stay, and loads those, as NewKeys does.
func (k *Keys) Hold(held ...vec.Reg) *Keys {
	h := *k
	h.held = held
	for i := common + 1; i < len(held); i++ {
		h.v.Zero(held[i]) // short schedules skip these; nothing may be read that was not written
	}
	h.bySize(func(i int) {
		if i < len(held) {
			h.v.Broadcast(h.memory(i), held[i])
		}
	}, len(held))
	if len(held) > 0 {
		h.v.Broadcast(h.memory(0), held[0])
	}
	return &h
}

// At returns k for blocks at another width, at most as wide, in views of the same registers. It emits nothing.
func (k *Keys) At(v vec.V) *Keys {
	narrow := *k
	narrow.v, narrow.tmp, narrow.held = v, v.View(k.tmp), nil
	for _, r := range k.held {
		narrow.held = append(narrow.held, v.View(r))
	}
	return &narrow
}

// Small returns k for use where code is to be small rather than as fast as can be: the rounds that AES-128 does not
// have are a loop.
func (k *Keys) Small() *Keys {
	s := *k
	s.small = true
	return &s
}

// memory is where the key i before the last is.
func (k *Keys) memory(i int) operand.Mem { return operand.Mem{Base: k.last, Disp: -16 * i} }

// bySize emits do for the keys 13 to 1 before the last, of which short schedules skip the first two or four. limit
// says that do emits nothing for keys from limit on.
func (k *Keys) bySize(do func(i int), limit int) {
	if limit > common+1 {
		k.v.CMPL(k.rounds, operand.U8(12))
		k.v.If(emit.NotBelow, func() {
			k.v.If(emit.NotEqual, func() {
				do(13)
				do(12)
			})
			do(11)
			do(10)
		})
	}
	for i := common; i > 0; i-- {
		do(i)
	}
}

// key returns the key i before the last, ready to be used with n registers of data: from the register that holds it,
// from memory directly where the encoding can and only one register needs it, or loaded into tmp.
func (k *Keys) key(i, n int) operand.Op {
	switch {
	case i < len(k.held):
		return k.held[i]
	case k.v.Bytes == 16 && k.v.Encoding != vec.Legacy && n == 1:
		return k.memory(i)
	}
	k.v.Broadcast(k.memory(i), k.tmp)
	return k.tmp
}

// First returns key 0, loaded into tmp, for folding into a counter or tweak.
func (k *Keys) First() vec.Reg {
	k.v.Broadcast(operand.Mem{Base: k.first}, k.tmp)
	return k.tmp
}

// Last returns the last key for n uses: a register, tmp, or memory.
func (k *Keys) Last(n int) operand.Op { return k.key(0, n) }

// White XORs key 0 into the blocks.
func (k *Keys) White(blocks ...vec.Reg) {
	key := k.First()
	for _, x := range blocks {
		k.v.Xor(key, x, x)
	}
}

// Encrypt emits all rounds between the first XOR and the last round, on blocks in place, and weaves steps evenly into
// those that every key size has. Reads the schedule; clobbers tmp and flags, beside what the steps do.
func (k *Keys) Encrypt(blocks []vec.Reg, steps *vec.Steps) { k.middle(k.v.AESEnc, blocks, steps) }

// Decrypt is Encrypt's counterpart, for a schedule of decryption keys (FIPS 197, section 5.3.5) in the order of use.
func (k *Keys) Decrypt(blocks []vec.Reg, steps *vec.Steps) { k.middle(k.v.AESDec, blocks, steps) }

func (k *Keys) middle(round func(key operand.Op, x vec.Reg), blocks []vec.Reg, steps *vec.Steps) {
	limit := common + 5
	if k.small {
		k.more(round, blocks)
		limit = common + 1
	}
	k.bySize(func(i int) {
		key := k.key(i, len(blocks))
		for _, x := range blocks {
			round(key, x)
		}
		if i <= common && steps != nil {
			steps.Share(i)
		}
	}, limit)
}

// more emits the rounds that AES-128 does not have as a loop over their keys.
func (k *Keys) more(round func(key operand.Op, x vec.Reg), blocks []vec.Reg) {
	v := k.v
	p, end := v.GP64(), v.GP64()
	v.CMPL(k.rounds, operand.U8(10))
	v.If(emit.NotEqual, func() {
		v.LEAQ(operand.Mem{Base: k.first, Disp: 16}, p)
		v.LEAQ(k.memory(common), end)
		v.Loop(emit.NotEqual, func() {
			v.Broadcast(operand.Mem{Base: p}, k.tmp)
			for _, x := range blocks {
				round(k.tmp, x)
			}
			v.ADDQ(operand.Imm(16), p)
			v.CMPQ(p, end)
		})
	})
}

// EncryptLast is the last round of encryption, on blocks in place.
func (k *Keys) EncryptLast(blocks ...vec.Reg) { k.final(k.v.AESEncLast, blocks) }

// DecryptLast is the last round of decryption, on blocks in place.
func (k *Keys) DecryptLast(blocks ...vec.Reg) { k.final(k.v.AESDecLast, blocks) }

func (k *Keys) final(round func(key operand.Op, x, dst vec.Reg), blocks []vec.Reg) {
	key := k.Last(len(blocks))
	for _, x := range blocks {
		round(key, x, x)
	}
}

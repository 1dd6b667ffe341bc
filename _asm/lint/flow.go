package lint

import (
	"maps"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A set holds registers by avo's IDs, in which AL and RAX are the same, and X0 and Z0 are.
type set map[reg.ID]bool

// A merge joins what holds at the end of one path into what was known from other paths.
type merge func(known, also set) (changed bool)

// union is the merge for what may hold: on one path is enough.
func union(known, also set) (changed bool) {
	for id := range also {
		if !known[id] {
			known[id], changed = true, true
		}
	}
	return changed
}

// intersection is the merge for what must hold on every path.
func intersection(known, also set) (changed bool) {
	for id := range known {
		if !also[id] {
			delete(known, id)
			changed = true
		}
	}
	return changed
}

// flow returns what holds before each reachable instruction. step changes a set from what holds before the
// instruction into what holds after it.
func (f *Func) flow(join merge, step func(*ir.Instruction, set)) map[*ir.Instruction]set {
	before := map[*ir.Instruction]set{}
	all := f.Instructions()
	if len(all) == 0 {
		return before
	}
	before[all[0]] = set{}
	for todo := []*ir.Instruction{all[0]}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		after := maps.Clone(before[i])
		step(i, after)
		for _, next := range i.Succ {
			if next == nil {
				continue
			}
			known, seen := before[next]
			if !seen {
				before[next] = maps.Clone(after)
			}
			if !seen || join(known, after) {
				todo = append(todo, next)
			}
		}
	}
	return before
}

// reads returns the registers whose contents i depends on.
func reads(i *ir.Instruction) []reg.Register {
	if ignoresInputs(i) {
		return nil
	}
	return i.InputRegisters()
}

// ignoresInputs reports whether i's result is the same for any contents of its operands although avo lists them as
// read. (avo itself knows VPXOR and its like.)
func ignoresInputs(i *ir.Instruction) bool {
	var regs []reg.Register
	var imms []operand.Op
	for _, op := range i.Operands {
		if r, ok := op.(reg.Register); ok {
			regs = append(regs, r)
		} else {
			imms = append(imms, op)
		}
	}
	for _, r := range regs {
		if !reg.Equal(r, regs[0]) {
			return false
		}
	}
	switch {
	case strings.HasPrefix(i.Opcode, "VPTERNLOG"):
		return len(imms) == 1 && (imms[0] == operand.U8(0) || imms[0] == operand.U8(0xff))
	case strings.HasPrefix(i.Opcode, "VPXOR"), strings.HasPrefix(i.Opcode, "KXOR"), strings.HasPrefix(i.Opcode, "KXNOR"):
		return len(imms) == 0
	}
	return false
}

// checkUnwritten finds reads of registers that some path leaves unwritten.
func (f *Func) checkUnwritten() {
	written := f.flow(intersection, func(i *ir.Instruction, s set) {
		for _, r := range i.OutputRegisters() {
			s[r.ID()] = true
		}
	})
	for _, i := range f.Instructions() {
		known, reachable := written[i]
		if !reachable {
			continue
		}
		for _, r := range reads(i) {
			if !known[r.ID()] && (isGP(r) && r.ID() != reg.RSP.ID() || isVector(r) || isOpmask(r)) {
				f.report(i, Unwritten, "reads %s, which is not written on every path to here", r.Asm())
			}
		}
	}
}

// checkVZeroUpper finds returns at which upper halves may be in use.
func (f *Func) checkVZeroUpper() {
	const upper = reg.ID(0)
	dirty := f.flow(union, func(i *ir.Instruction, s set) {
		if i.Opcode == "VZEROUPPER" || i.Opcode == "VZEROALL" {
			delete(s, upper)
		}
		for _, r := range i.OutputRegisters() {
			if isVector(r) && r.Size() > 16 {
				s[upper] = true
			}
		}
	})
	for _, i := range f.Instructions() {
		if i.IsTerminal && dirty[i][upper] {
			f.report(i, VZeroUpper, "is reached with the upper halves of vector registers in use; put VZEROUPPER before it")
		}
	}
}

package census

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

// An inst is one instruction as far as the census has to know it.
type inst struct {
	name   string // "PXOR" where SSE-encoded, else its encoding, a key of table: "evex 66 0F38 W1 DC"
	bits   int    // VEX and EVEX: vector length in bits
	length int    // bytes
	vector bool   // SSE-encoded and works on vector registers
	jump   bool   // may go on at target
	stops  bool   // does not go on at the next instruction
	ret    bool
	target int // offset in the code
}

// decode decodes the instruction at code[at:]. golang.org/x/arch knows what is neither VEX nor EVEX; those two are
// regular enough to be taken apart here (Intel SDM, volume 2, sections 2.3 and 2.7).
func decode(code []byte, at int) (inst, error) {
	b := code[at:]
	switch {
	case len(b) > 3 && b[0] == 0xc5:
		return vex(b, 2, 1, b[1])
	case len(b) > 4 && b[0] == 0xc4:
		return vex(b, 3, b[1]&0x1f, b[2])
	case len(b) > 6 && b[0] == 0x62:
		return evex(b)
	}
	in, err := x86asm.Decode(b, 64)
	if err != nil {
		return inst{}, fmt.Errorf("% x: %w", b[:min(len(b), 15)], err)
	}
	i := inst{name: in.Op.String(), length: in.Len, ret: in.Op == x86asm.RET}
	i.stops = i.ret || in.Op == x86asm.JMP || in.Op == x86asm.UD2
	for _, arg := range in.Args {
		switch a := arg.(type) {
		case x86asm.Reg:
			i.vector = i.vector || a >= x86asm.X0 && a <= x86asm.X15
		case x86asm.Rel:
			i.jump, i.target = true, at+in.Len+int(a)
		}
	}
	return i, nil
}

var (
	prefixes = [4]string{"NP", "66", "F3", "F2"}
	maps     = [4]string{1: "0F", 2: "0F38", 3: "0F3A"}
)

// vex decodes what follows a VEX prefix of size bytes, the last of which holds vvvv, L and pp. In the form of three
// bytes it holds W, too; in the form of two that bit is another one, and W is 0.
func vex(b []byte, size int, opcodes, last byte) (inst, error) {
	w := last >> 7
	if size == 2 {
		w = 0
	}
	return vector(b, "vex", size, opcodes, last&3, w, 128<<(last>>2&1))
}

// evex decodes what follows an EVEX prefix. With registers only, its bit b means rounding, and the length is 512.
func evex(b []byte) (inst, error) {
	bits := 128 << (b[3] >> 5 & 3)
	if b[3]&0x10 != 0 && b[5] >= 0xc0 {
		bits = 512
	}
	return vector(b, "evex", 4, b[1]&7, b[2]&3, b[2]>>7, bits)
}

// vector decodes opcode, ModRM, SIB, displacement and immediate, which stand behind size bytes of prefix.
func vector(b []byte, encoding string, size int, opcodes, prefix, w byte, bits int) (inst, error) {
	if opcodes == 0 || opcodes > 3 {
		return inst{}, fmt.Errorf("% x: opcode map %d is none of the census's", b[:min(len(b), 11)], opcodes)
	}
	op := b[size]
	name := fmt.Sprintf("%s %s %s W%d %02X", encoding, prefixes[prefix], maps[opcodes], w, op)
	i := inst{name: name, bits: bits, length: size + 1}
	if opcodes == 1 && op == 0x77 { // VZEROUPPER, VZEROALL: nothing follows
		return i, nil
	}
	i.length += operandBytes(b[i.length:])
	if opcodes == 3 || opcodes == 1 && (op >= 0x70 && op <= 0x73 || op >= 0xc4 && op <= 0xc6 || op == 0xc2) {
		i.length++ // an immediate
	}
	if i.length > len(b) {
		return inst{}, fmt.Errorf("% x: the function ends within an instruction", b)
	}
	return i, nil
}

// operandBytes is how many bytes ModRM, SIB and displacement take.
func operandBytes(b []byte) int {
	n, mod, rm := 1, b[0]>>6, b[0]&7
	if mod == 3 {
		return n
	}
	if rm == 4 {
		n++
		if mod == 0 && len(b) > 1 && b[1]&7 == 5 {
			return n + 4
		}
	}
	switch {
	case mod == 1:
		return n + 1
	case mod == 2, rm == 5: // with mod 0, relative to the instruction's address
		return n + 4
	}
	return n
}

package cpu

import (
	"encoding/binary"
	"strings"
)

// Regs is what one CPUID leaf returned.
type Regs struct{ EAX, EBX, ECX, EDX uint32 }

// Leaves holds the CPUID leaves that [Decode] looks at. Leaves that the CPU does not have may hold anything: Decode
// knows from L0 and Ext0 which they are (Intel CPUs answer a leaf beyond the last with the last one's data).
type Leaves struct {
	L0, L1, L7 Regs    // leaves 0, 1, and 7 with subleaf 0
	Ext0, Ext7 Regs    // leaves 0x80000000 and 0x80000007
	Brand      [3]Regs // leaves 0x80000002 to 0x80000004
}

const osxsave = 1 << 27 // in L1.ECX: the operating system has switched XGETBV on

// Decode works out the features from CPUID leaves, from XCR0 (ignored where leaf 1 says that the operating system
// does not use it), and from the operating system by its GOOS name. It is a pure function.
func Decode(l Leaves, xcr0 uint64, goos string) Features {
	if l.L0.EAX < 1 {
		l.L1 = Regs{}
	}
	if l.L0.EAX < 7 {
		l.L7 = Regs{}
	}
	if l.Ext0.EAX < 0x80000007 {
		l.Ext7 = Regs{}
	}
	if l.L1.ECX&osxsave == 0 {
		xcr0 = 0
	}
	f := identity(l)
	words := [...]uint32{
		leaf1ECX: l.L1.ECX, leaf1EDX: l.L1.EDX, leaf7EBX: l.L7.EBX, leaf7ECX: l.L7.ECX, ext7EDX: l.Ext7.EDX,
	}
	for i, t := range table {
		switch {
		case t.word == none:
		case words[t.word]>>t.bit&1 == 0:
			f.off[i] = lacking
		case xcr0&states[t.state].xcr0 != states[t.state].xcr0:
			f.off[i] = states[t.state].missing
		case t.state == zmm && goos == "darwin":
			f.off[i] = darwin
		}
	}
	f.settle()
	return f
}

// identity reads who made the CPU and which one it is. Family and model are put together from the base and extended
// fields as the Intel SDM says; AMD's rule gives the same for every family that exists.
func identity(l Leaves) Features {
	f := Features{
		Vendor:     text(l.L0.EBX, l.L0.EDX, l.L0.ECX),
		Family:     int(l.L1.EAX >> 8 & 0xf),
		Model:      int(l.L1.EAX >> 4 & 0xf),
		Stepping:   int(l.L1.EAX & 0xf),
		Hypervisor: l.L1.ECX>>31 == 1,
	}
	if f.Family == 6 || f.Family == 15 {
		f.Model |= int(l.L1.EAX >> 16 & 0xf << 4)
	}
	if f.Family == 15 {
		f.Family += int(l.L1.EAX >> 20 & 0xff)
	}
	if l.Ext0.EAX >= 0x80000004 {
		b := l.Brand
		f.Brand = text(b[0].EAX, b[0].EBX, b[0].ECX, b[0].EDX, b[1].EAX, b[1].EBX, b[1].ECX, b[1].EDX,
			b[2].EAX, b[2].EBX, b[2].ECX, b[2].EDX)
	}
	return f
}

// text is the string that CPUID returned in these registers, without padding.
func text(words ...uint32) string {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}

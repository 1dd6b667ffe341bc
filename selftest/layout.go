package selftest

import (
	"fmt"
	"slices"
	"strings"

	"kcrypto/registry"
)

// method is how a message is handed to a skcipher.
type method int

const (
	whole    method = iota // one Encrypt or Decrypt
	inOrder                // one Stream, piece after piece
	seeking                // one Stream, the last piece first, Seek before each
	anywhere               // XORKeyStreamAt, the last piece first
	sectored               // one sector of EncryptSectors, EncryptSectorsIV and their inverses, whose number is the IV
)

// layout says where the operands of a call lie and how the message is cut.
type layout struct {
	label   string // empty for a random layout, whose name is its recipe
	inPlace bool

	// Offsets past a multiple of 64 bytes. odd moves the output so that it ends one byte before such a multiple.
	src, dst, key, iv, aad int
	odd                    bool

	prefix int  // AEAD: bytes that dst holds already
	grow   bool // AEAD: dst has no capacity for the output

	method method
	cuts   []int // where the pieces end, in percent of the message, without the last
	chunk  int   // Setup.Chunk
}

// Every message runs in each of these, in both directions. An output of odd length, a misaligned one and one that
// ends at an odd address take different paths through a driver's last bytes.
var commonLayouts = []layout{
	{label: "out of place"},
	{label: "in place", inPlace: true},
	{label: "misaligned by 1", src: 1, dst: 1, key: 1, iv: 1, aad: 1},
	{label: "ending at an odd offset", odd: true, src: 7, key: 3, iv: 5, aad: 9},
	{label: "in place, ending at an odd offset", inPlace: true, odd: true, key: 33, iv: 18, aad: 2},
	{label: "in place, chunks of 64 bytes", inPlace: true, dst: 4, chunk: 64},
}

var aeadLayouts = []layout{
	{label: "appended to 13 bytes", prefix: 13, dst: 13, src: 32},
	{label: "appended to 5 bytes without capacity", prefix: 5, grow: true, src: 3},
}

var streamLayouts = []layout{
	{label: "split in two", method: inOrder, cuts: []int{50}},
	{label: "split in two, in place", inPlace: true, dst: 1, method: inOrder, cuts: []int{50}},
	{label: "uneven pieces, last first by Seek", src: 33, dst: 7, key: 3, iv: 3, method: seeking, cuts: []int{19, 52}},
	{label: "uneven pieces, last first by XORKeyStreamAt", src: 18, dst: 33, iv: 3, method: anywhere, cuts: []int{19, 52}},
}

var sectorLayouts = []layout{
	{label: "as a sector", method: sectored, src: 2, dst: 15},
	{label: "as a sector, in place", method: sectored, inPlace: true, dst: 1},
}

// layouts returns those that every known answer runs in.
func (r *run) layouts() []layout {
	switch {
	case r.subject.Driver.Type == registry.TypeAEAD:
		return slices.Concat(commonLayouts, aeadLayouts)
	case r.subject.Stream != nil:
		return slices.Concat(commonLayouts, streamLayouts)
	case r.traits.sectors:
		return slices.Concat(commonLayouts, sectorLayouts)
	default:
		return commonLayouts
	}
}

// dstOffset is the offset of an output of n bytes.
func (l *layout) dstOffset(n int) int {
	if l.odd {
		return (2*alignment - 1 - n%alignment) % alignment
	}
	return l.dst
}

// pieces cuts n bytes: piece i is [ends[i-1], ends[i]).
func (l *layout) pieces(n int) (ends []int) {
	for _, percent := range l.cuts {
		ends = append(ends, n*percent/100)
	}
	return append(ends, n)
}

// randomLayout draws one: half out of place, offsets next to a multiple of 64 bytes a quarter of the time, up to
// eight pieces.
func (r *run) randomLayout() *layout {
	l := &layout{
		inPlace: r.rng.oneIn(2),
		src:     r.randomOffset(), dst: r.randomOffset(), key: r.randomOffset(), iv: r.randomOffset(), aad: r.randomOffset(),
		chunk: choose(r.rng, 0, 0, 64, 100, 256, 512, 1024, 4096),
	}
	if r.subject.Driver.Type == registry.TypeAEAD {
		if r.rng.oneIn(4) {
			l.prefix = 1 + r.rng.IntN(32)
		}
		l.grow = !l.inPlace && r.rng.oneIn(8)
	}
	if r.traits.sectors && r.rng.oneIn(2) {
		l.method = sectored
	}
	if r.subject.Stream == nil || r.rng.oneIn(4) {
		return l
	}
	l.method = choose(r.rng, inOrder, seeking, anywhere)
	for range r.rng.IntN(8) {
		l.cuts = append(l.cuts, r.rng.IntN(101))
	}
	slices.Sort(l.cuts)
	return l
}

func (r *run) randomOffset() int {
	switch r.rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return alignment - 1 - r.rng.IntN(4)
	default:
		return r.rng.IntN(alignment)
	}
}

// name is the label, or the recipe of a random layout.
func (l *layout) name() string {
	if l.label != "" {
		return l.label
	}
	var s strings.Builder
	s.WriteString("random:")
	if l.inPlace {
		s.WriteString(" inplace")
	} else {
		fmt.Fprintf(&s, " src+%d", l.src)
	}
	fmt.Fprintf(&s, " dst+%d key+%d iv+%d aad+%d", l.dst, l.key, l.iv, l.aad)
	if l.prefix > 0 {
		fmt.Fprintf(&s, " prefix=%d", l.prefix)
	}
	if l.grow {
		s.WriteString(" grow")
	}
	switch l.method {
	case inOrder, seeking, anywhere:
		fmt.Fprintf(&s, " %s cuts=%v%%", [...]string{inOrder: "stream", seeking: "seek", anywhere: "at"}[l.method], l.cuts)
	case sectored:
		s.WriteString(" sector")
	}
	if l.chunk > 0 {
		fmt.Fprintf(&s, " chunk=%d", l.chunk)
	}
	return s.String()
}

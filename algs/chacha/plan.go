package chacha

import "math"

// ChaCha20-Poly1305 in assembly: what one call does depends on lengths, on where the ciphertext lies and on the
// implementation. A plan says it, call by call, and computes nothing else: asmAEAD.run makes the calls.
//
// The first call encrypts or decrypts the beginning of the text, up to plan.head, and makes Poly1305's key, which comes
// out of the same pass at little cost. Each call after it is a step: some text with some of the sum beside it, or some
// of the sum alone. The last one ends the sum, with the two lengths, and makes the tag.

// Values of lag say how the bytes of a sum, which are ciphertext, lie to what a call beside them reads and writes.
const (
	noLag  = iota // they are what is read, and are overwritten; or nothing is read
	lagDst        // they begin at or before what is written, and end at or before the end of that
	lagSrc        // they begin at or before what is read, and are not overwritten
)

const (
	polySize = 16            // bytes of a block of Poly1305
	all      = math.MaxInt32 // more bytes than any limit here
)

// A rule is what plans of one implementation go by: sizes in bytes.
type rule struct {
	whole  int // a text up to here is done by the call that makes the key: what one pass of the widest kind takes
	first  int // what that call does of a longer one
	two    int // up to here, and beyond whole, a text is done in a call of first2 and a pass of four blocks
	first2 int
	keep   int // of a longer text that is overwritten, nothing is kept: the call makes the key alone
	aad    int // additional data that is added in the last call, with the text; more is added before
	lanes  int // a shorter text, and that much additional data, are added in general registers, which take no setting up
	behind int // how far a sum stays behind the text, where another call follows: enough for a pass beside that to add
	vector bool
	least  int // bytes of text that a call may do, whatever the chunk is
}

const (
	widest  = 23 * BlockSize // text that xorAVX512 does with the key's block in one pass
	worthIt = 320            // bytes from which on sumIFMA takes less time than sumAVX2
)

// rules is the table of thresholds. Their reasons, measured on AMD's Zen 4 where a figure stands:
//
//   - whole, first: as much as one pass takes with the key's block. With IFMA, a pass of 24 blocks serves to the end
//     of a text, but one that goes on begins with 16, to which the sum keeps its distance.
//   - two, first2: of nine or ten blocks, six and a pass of four take less time than eight, and a pass of four for two.
//   - keep: with vector, the sum of a text that is overwritten begins before the text does, and needs its key.
//   - aad: sumIFMA adds additional data in general registers; the others win by lanes for more than some KiB only.
//   - lanes: for 192 bytes macShort and sumAVX2 take 196 cycles both. With SSSE3 there are no lanes.
//   - behind: a pass, and with the key's block outside of vector one block more.
//   - vector: beside the text only what hides there is added, and the rest by sumIFMA: 58 blocks of Poly1305 beside a
//     pass of 24 blocks of text bring its 916 cycles to 933, and more would bring them to what the sum takes.
//   - least: with less, too little hides to be worth a call.
var rules = [...]rule{
	ssse3: {
		whole: 4 * BlockSize, first: 4 * BlockSize, keep: all,
		aad: 3072, lanes: all, behind: 5 * BlockSize,
	},
	avx2: {
		whole: 8 * BlockSize, first: 8 * BlockSize, two: 10 * BlockSize, first2: 6 * BlockSize, keep: all,
		aad: 3072, lanes: 256, behind: 9 * BlockSize,
	},
	avx512: {
		whole: 16 * BlockSize, first: 16 * BlockSize, keep: all,
		aad: 3072, lanes: 256, behind: 17 * BlockSize,
	},
	avx512IFMA: {
		whole: widest, first: 16 * BlockSize, keep: 16 * BlockSize,
		aad: worthIt, lanes: 256, behind: 16 * BlockSize, vector: true, least: 32 * BlockSize,
	},
}

// Blocks of Poly1305 that hide in general registers beside passes of xorAVX512 with 16 and with 24 blocks of text;
// _asm/chacha/masked.go.
const (
	hidden16 = 38
	hidden24 = 58
)

// hides is how many bytes of a sum hide beside n bytes of text, more than none. A text that fits in eight blocks hides
// nothing.
func hides(n int, sixteens bool) int {
	const last = 24 * BlockSize // bytes that a pass has at most
	var before, rest, each int  // passes before the last, bytes of that, and blocks that hide beside each
	more := max(n, last) - last
	if sixteens { // divisions by constants: one by a variable takes as long as all the rest
		const pass = 16 * BlockSize
		before, each = (more+pass-1)/pass, hidden16
		rest = n - before*pass
	} else {
		before, each = (more+last-1)/last, hidden24
		rest = n - before*last
	}
	blocks := before * each
	switch {
	case rest > 16*BlockSize:
		blocks += hidden24
	case rest > 8*BlockSize:
		blocks += hidden16
	}
	return blocks * polySize
}

// A span is the bytes of something from one on and before another.
type span struct{ from, to int }

// A place says where in memory the bytes of a step's sum are. Where ciphertext is overwritten, some of it was kept.
type place uint8

const (
	inText place = iota // where the ciphertext is, or was written
	inKept              // in a copy of the text's beginning, up to plan.head
	inTail              // in a copy of what lies behind the last whole block of Poly1305
)

// A step is one call of assembly. It has text, and beside that the sum of some ciphertext; or no text, and adds
// additional data, or ciphertext, or both.
type step struct {
	text, sum, aad span
	place          place
	last           bool // then the lengths are added, and the tag comes out
}

// A plan is how far a message has come, and what is left of it.
type plan struct {
	rule      *rule
	lag       int // how ciphertext lies
	sixteens  bool
	text, aad int // bytes
	limit     int // bytes that a call does of the text, or of the sum alone; whole blocks
	along     int // bytes of additional data that the last step adds
	head      int // bytes of text that the first call does
	todo      int // where the text that is not done begins
	done      int // where the ciphertext that is not added begins
	added     int // where the additional data that is not added begins
	end       int // of the next chunk of text; not known yet if it is not beyond todo
	from, to  int // the ciphertext that is added beside that
}

// single reports whether the plan of a message of text and aad bytes has a single step, which adds everything. Where
// ciphertext is overwritten, that is so if the first call does all of the text, too.
func (c *core) single(text, aad int) bool {
	r := &rules[c.impl]
	return text <= r.whole && aad <= r.aad && text+aad <= max(c.chunk, r.least)
}

// head is how much of a text the call does that makes the key.
func (c *core) head(text, lag int) int {
	r := &rules[c.impl]
	switch {
	case lag == noLag && text > r.keep:
		return 0
	case text <= r.whole:
		return min(text, max(c.chunk, r.least))
	case text <= r.two:
		return min(r.first2, c.chunk)
	}
	return min(r.first, max(c.chunk, r.least))
}

// begin makes p, which is zero, the plan of a message of text and aad bytes under c.
func (p *plan) begin(c *core, text, aad, lag int) {
	r := &rules[c.impl]
	p.rule, p.lag, p.sixteens, p.text, p.aad, p.limit = r, lag, c.sixteens, text, aad, max(c.chunk, r.least)
	p.head = c.head(text, lag)
	p.todo = p.head
	switch {
	case text == 0:
		p.along = p.limit
	case p.head == text:
		p.along = min(r.aad, p.limit-text)
	default:
		p.along = r.aad
	}
}

// next sets s to the next step. left is how much of the sum beside the text the step before has left undone.
func (p *plan) next(s *step, left int) {
	*s = step{}
	p.done -= left
	before := p.done // ciphertext up to here is added before the next chunk
	if p.todo < p.text {
		if p.end <= p.todo {
			p.chunk()
		}
		before = p.from
	}
	switch rest := p.aad - p.added; {
	case rest > p.along || rest > 0 && p.todo < p.text && (before == p.done || rest+before-p.done > p.limit):
		s.aad = span{p.added, p.added + min(rest, p.limit)}
		p.added = s.aad.to
	case before > p.done:
		s.aad, p.added = span{p.added, p.aad}, p.aad
		p.alone(s, before)
	case p.todo < p.text:
		s.text, s.sum = span{p.todo, p.end}, span{p.done, p.to}
		p.todo, p.done = p.end, p.to
	case p.text-p.done > p.limit:
		p.alone(s, p.done+p.limit)
	default:
		s.aad, s.last = span{p.added, p.aad}, true
		p.alone(s, p.text)
	}
}

// chunk sets end, from and to for the next chunk of text.
func (p *plan) chunk() {
	r, whole := p.rule, p.text&^(polySize-1)
	p.end = min(p.todo+p.limit, p.text)
	hidden := p.text
	if r.vector {
		hidden = hides(p.end-p.todo, p.sixteens)
	}
	switch {
	case p.lag == noLag: // all of the chunk, before it is overwritten
		p.to = p.end &^ (polySize - 1)
		p.from = max(p.to-hidden, p.todo)
	case r.vector:
		p.from = max(p.done, p.todo-r.behind)
		p.to = min(p.from+hidden, whole)
	case p.end < p.text:
		p.from = p.done
		p.to = max(p.from, p.end-r.behind)
	default:
		p.from, p.to = p.done, whole
	}
}

// alone has s add the ciphertext up to a byte.
func (p *plan) alone(s *step, to int) {
	s.sum = span{p.done, to}
	if p.lag == noLag {
		switch {
		case to <= p.head:
			s.place = inKept
		case s.last:
			s.place = inTail
		}
	}
	p.done = to
}

package cpu

// A feature is an index into table.
type feature uint8

// Single features first, then levels. Every feature stands after all that it needs.
const (
	tsc feature = iota
	invtsc
	sse2
	ssse3
	sse41
	aes
	pclmulqdq
	movbe
	bmi2
	adx
	avx
	avx2
	vaes
	vpclmulqdq
	gfni
	avx512f
	avx512bw
	avx512vl
	avx512dq
	ifma
	vbmi

	avx512
	avx512IFMA
	aesni
	aesniAVX
	vaesAVX2
	vaesAVX512

	count

	firstLevel = avx512
)

// A word is one register of one CPUID leaf that carries feature bits.
type word uint8

const (
	none word = iota // a level: no bit of its own
	leaf1ECX
	leaf1EDX
	leaf7EBX
	leaf7ECX
	ext7EDX // leaf 0x80000007
)

// table says everything about each feature: its name, the CPUID bit, the register state that the operating system
// must save for it, and what else it needs. Bits are from the Intel SDM, volume 2A, CPUID, and the AMD APM, volume 3,
// appendix E.
//
// needs is wider than the letter of those manuals where no CPU has the one without the other and a user who masks
// the lower one expects the higher to go: AVX needs SSE4.1, AVX-512 needs AVX2.
var table = [count]struct {
	name  string
	word  word
	bit   uint
	state state
	needs []feature
}{
	tsc:        {name: "tsc", word: leaf1EDX, bit: 4},
	invtsc:     {name: "invtsc", word: ext7EDX, bit: 8, needs: []feature{tsc}},
	sse2:       {name: "sse2", word: leaf1EDX, bit: 26},
	ssse3:      {name: "ssse3", word: leaf1ECX, bit: 9, needs: []feature{sse2}},
	sse41:      {name: "sse41", word: leaf1ECX, bit: 19, needs: []feature{ssse3}},
	aes:        {name: "aes", word: leaf1ECX, bit: 25, needs: []feature{sse2}},
	pclmulqdq:  {name: "pclmulqdq", word: leaf1ECX, bit: 1, needs: []feature{sse2}},
	movbe:      {name: "movbe", word: leaf1ECX, bit: 22},
	bmi2:       {name: "bmi2", word: leaf7EBX, bit: 8},
	adx:        {name: "adx", word: leaf7EBX, bit: 19},
	avx:        {name: "avx", word: leaf1ECX, bit: 28, state: ymm, needs: []feature{sse41}},
	avx2:       {name: "avx2", word: leaf7EBX, bit: 5, state: ymm, needs: []feature{avx}},
	vaes:       {name: "vaes", word: leaf7ECX, bit: 9, state: ymm, needs: []feature{aes, avx}},
	vpclmulqdq: {name: "vpclmulqdq", word: leaf7ECX, bit: 10, state: ymm, needs: []feature{pclmulqdq, avx}},
	gfni:       {name: "gfni", word: leaf7ECX, bit: 8, needs: []feature{sse2}},
	avx512f:    {name: "avx512f", word: leaf7EBX, bit: 16, state: zmm, needs: []feature{avx2}},
	avx512bw:   {name: "avx512bw", word: leaf7EBX, bit: 30, state: zmm, needs: []feature{avx512f}},
	avx512vl:   {name: "avx512vl", word: leaf7EBX, bit: 31, state: zmm, needs: []feature{avx512f}},
	avx512dq:   {name: "avx512dq", word: leaf7EBX, bit: 17, state: zmm, needs: []feature{avx512f}},
	ifma:       {name: "ifma", word: leaf7EBX, bit: 21, state: zmm, needs: []feature{avx512f}},
	vbmi:       {name: "vbmi", word: leaf7ECX, bit: 1, state: zmm, needs: []feature{avx512bw}},

	avx512:     {name: "avx512", needs: []feature{avx512f, avx512bw, avx512vl, avx512dq}},
	avx512IFMA: {name: "avx512_ifma", needs: []feature{avx512, bmi2, ifma}},
	aesni:      {name: "aesni", needs: []feature{aes, ssse3, sse41}},
	aesniAVX:   {name: "aesni_avx", needs: []feature{aesni, avx}},
	vaesAVX2:   {name: "vaes_avx2", needs: []feature{aesniAVX, pclmulqdq, avx2, vaes, vpclmulqdq}},
	vaesAVX512: {name: "vaes_avx512", needs: []feature{vaesAVX2, avx512, bmi2}},
}

var byName = func() map[string]feature {
	m := make(map[string]feature, count)
	for f := range count {
		m[table[f].name] = f
	}
	return m
}()

// A state is vector register state that the operating system saves and restores, as XCR0 says.
type state uint8

const (
	xmm state = iota
	ymm
	zmm // with the opmasks and registers 16 to 31
)

// states says what XCR0 must hold for each state, and what is wrong where it does not.
var states = [...]struct {
	xcr0    uint64
	missing cause
}{
	xmm: {},
	ymm: {xcr0: 0b110, missing: noYMM},
	zmm: {xcr0: 0b1110_0110, missing: noZMM},
}

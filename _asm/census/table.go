package census

import (
	"fmt"
	"strings"
)

// zeroUpper is VZEROUPPER; VZEROALL differs in L.
const zeroUpper = "vex NP 0F W0 77"

// The tables hold the instructions that assembly here uses, with the features that Intel's SDM, volume 2, names for
// each, by the names of internal/cpu. What is in none of them is an error, so a driver with a new instruction needs a
// new row.

// scalar lists what golang.org/x/arch decodes: what neither VEX nor EVEX encodes. Jcc, CMOVcc and SETcc are left out.
var scalar = features(`
	sse2       ADC ADD AND BSF BSR BSWAP BT BTS CDQ CMP CPUID CQO DEC IMUL INC JMP LEA LFENCE MOV MOVSX MOVSXD MOVZX MUL
	sse2       NEG NOP NOT OR POP PUSH RCL RCR RET ROL ROR SAR SBB SHL SHLD SHR SHRD SUB TEST XCHG XOR
	sse2       MOVAPS MOVD MOVDQA MOVDQU MOVHPD MOVLPD MOVQ MOVSS MOVUPS PADDD PADDQ PAND PANDN PCMPEQD PMULUDQ POR
	sse2       PSHUFD PSHUFHW PSHUFLW PSLLD PSLLDQ PSLLQ PSRAD PSRLD PSRLDQ PSRLQ PSUBD PSUBQ PUNPCKHDQ PUNPCKHQDQ
	sse2       PUNPCKLDQ PUNPCKLQDQ PXOR SHUFPS XORPS
	ssse3      PALIGNR PSHUFB
	sse41      INSERTPS PBLENDW PEXTRB PEXTRD PEXTRQ PINSRB PINSRD PINSRQ PMULLD
	aes        AESDEC AESDECLAST AESENC AESENCLAST AESIMC AESKEYGENASSIST
	pclmulqdq  PCLMULQDQ
	movbe      MOVBE
	tsc        RDTSC
	osxsave    XGETBV`)

// vexed lists the instructions with a VEX prefix: what they need with 128 bits, and with 256 or "-".
var vexed = rows(`
	vex 66 0F   W0 62 avx           avx2        VPUNPCKLDQ
	vex 66 0F   W0 6A avx           avx2        VPUNPCKHDQ
	vex 66 0F   W0 6C avx           avx2        VPUNPCKLQDQ
	vex 66 0F   W0 6D avx           avx2        VPUNPCKHQDQ
	vex 66 0F   W0 6E avx           -           VMOVD
	vex 66 0F   W0 70 avx           avx2        VPSHUFD
	vex 66 0F   W0 72 avx           avx2        VPSLLD VPSRAD VPSRLD
	vex 66 0F   W0 73 avx           avx2        VPSLLQ VPSRLQ VPSLLDQ VPSRLDQ
	vex 66 0F   W0 7E avx           -           VMOVD
	vex 66 0F   W0 7F avx           avx         VMOVDQA
	vex 66 0F   W0 D4 avx           avx2        VPADDQ
	vex 66 0F   W0 DB avx           avx2        VPAND
	vex 66 0F   W0 DF avx           avx2        VPANDN
	vex 66 0F   W0 EB avx           avx2        VPOR
	vex 66 0F   W0 EF avx           avx2        VPXOR
	vex 66 0F   W0 F4 avx           avx2        VPMULUDQ
	vex 66 0F   W0 FA avx           avx2        VPSUBD
	vex 66 0F   W0 FB avx           avx2        VPSUBQ
	vex 66 0F   W0 FE avx           avx2        VPADDD
	vex 66 0F   W1 6E avx           -           VMOVQ
	vex 66 0F   W1 7E avx           -           VMOVQ
	vex F2 0F   W0 92 avx512bw      -           KMOVD
	vex F2 0F   W1 92 avx512bw      -           KMOVQ
	vex F2 0F   W1 93 avx512bw      -           KMOVQ
	vex F3 0F   W0 6F avx           avx         VMOVDQU
	vex F3 0F   W0 7E avx           -           VMOVQ
	vex F3 0F   W0 7F avx           avx         VMOVDQU
	vex NP 0F   W0 77 avx           -           VZEROUPPER
	vex NP 0F   W0 92 avx512f       -           KMOVW
	vex NP 0F   W0 93 avx512f       -           KMOVW
	vex 66 0F38 W0 00 avx           avx2        VPSHUFB
	vex 66 0F38 W0 58 avx2          avx2        VPBROADCASTD
	vex 66 0F38 W0 59 avx2          avx2        VPBROADCASTQ
	vex 66 0F38 W0 5A -             avx2        VBROADCASTI128
	vex 66 0F38 W0 DC aes+avx       vaes        VAESENC
	vex 66 0F38 W0 DD aes+avx       vaes        VAESENCLAST
	vex 66 0F38 W0 DE aes+avx       vaes        VAESDEC
	vex 66 0F38 W0 DF aes+avx       vaes        VAESDECLAST
	vex 66 0F38 W1 45 avx2          avx2        VPSRLVQ
	vex 66 0F38 W1 47 avx2          avx2        VPSLLVQ
	vex 66 0F38 W1 F7 bmi2          -           SHLX
	vex F2 0F38 W1 F6 bmi2          -           MULX
	vex F2 0F38 W1 F7 bmi2          -           SHRX
	vex NP 0F38 W1 F5 bmi2          -           BZHI
	vex 66 0F3A W0 02 avx2          avx2        VPBLENDD
	vex 66 0F3A W0 0F avx           avx2        VPALIGNR
	vex 66 0F3A W0 21 avx           -           VINSERTPS
	vex 66 0F3A W0 22 avx           -           VPINSRD
	vex 66 0F3A W0 38 -             avx2        VINSERTI128
	vex 66 0F3A W0 39 -             avx2        VEXTRACTI128
	vex 66 0F3A W0 44 pclmulqdq+avx vpclmulqdq  VPCLMULQDQ
	vex 66 0F3A W0 46 -             avx2        VPERM2I128
	vex 66 0F3A W1 00 -             avx2        VPERMQ
	vex 66 0F3A W1 16 avx           -           VPEXTRQ
	vex 66 0F3A W1 22 avx           -           VPINSRQ
	vex F2 0F3A W1 F0 bmi2          -           RORX`)

// evexed lists those with an EVEX prefix: what they need with 512 bits, and what they need below that, or "-".
var evexed = rows(`
	evex 66 0F   W0 62 avx512f    +avx512vl    VPUNPCKLDQ
	evex 66 0F   W0 6A avx512f    +avx512vl    VPUNPCKHDQ
	evex 66 0F   W0 6E -          avx512f      VMOVD
	evex 66 0F   W0 70 avx512f    +avx512vl    VPSHUFD
	evex 66 0F   W0 72 avx512f    +avx512vl    VPROLD VPRORD VPSLLD VPSRLD
	evex 66 0F   W0 73 avx512bw   +avx512vl    VPSLLDQ VPSRLDQ
	evex 66 0F   W0 7E -          avx512f      VMOVD
	evex 66 0F   W0 DB avx512f    +avx512vl    VPANDD
	evex 66 0F   W0 EB avx512f    +avx512vl    VPORD
	evex 66 0F   W0 EF avx512f    +avx512vl    VPXORD
	evex 66 0F   W0 FE avx512f    +avx512vl    VPADDD
	evex 66 0F   W1 6C avx512f    +avx512vl    VPUNPCKLQDQ
	evex 66 0F   W1 6D avx512f    +avx512vl    VPUNPCKHQDQ
	evex 66 0F   W1 6E -          avx512f      VMOVQ
	evex 66 0F   W1 73 avx512f    +avx512vl    VPSLLQ VPSRLQ
	evex 66 0F   W1 7E -          avx512f      VMOVQ
	evex 66 0F   W1 7F avx512f    +avx512vl    VMOVDQA64
	evex 66 0F   W1 D4 avx512f    +avx512vl    VPADDQ
	evex 66 0F   W1 DB avx512f    +avx512vl    VPANDQ
	evex 66 0F   W1 EB avx512f    +avx512vl    VPORQ
	evex 66 0F   W1 EF avx512f    +avx512vl    VPXORQ
	evex 66 0F   W1 F4 avx512f    +avx512vl    VPMULUDQ
	evex 66 0F   W1 FB avx512f    +avx512vl    VPSUBQ
	evex F2 0F   W0 6F avx512bw   +avx512vl    VMOVDQU8
	evex F2 0F   W0 7F avx512bw   +avx512vl    VMOVDQU8
	evex F3 0F   W0 6F avx512f    +avx512vl    VMOVDQU32
	evex F3 0F   W1 6F avx512f    +avx512vl    VMOVDQU64
	evex F3 0F   W1 7F avx512f    +avx512vl    VMOVDQU64
	evex 66 0F38 W0 00 avx512bw   +avx512vl    VPSHUFB
	evex 66 0F38 W0 35 avx512f    +avx512vl    VPMOVZXDQ
	evex 66 0F38 W0 36 avx512f    +avx512vl    VPERMD
	evex 66 0F38 W0 58 avx512f    +avx512vl    VPBROADCASTD
	evex 66 0F38 W0 5A avx512f    +avx512vl    VBROADCASTI32X4
	evex 66 0F38 W0 76 avx512f    +avx512vl    VPERMI2D
	evex 66 0F38 W0 7E avx512f    +avx512vl    VPERMT2D
	evex 66 0F38 W0 DC vaes       +avx512vl    VAESENC
	evex 66 0F38 W0 DD vaes       +avx512vl    VAESENCLAST
	evex 66 0F38 W0 DE vaes       +avx512vl    VAESDEC
	evex 66 0F38 W0 DF vaes       +avx512vl    VAESDECLAST
	evex 66 0F38 W1 36 avx512f    +avx512vl    VPERMQ
	evex 66 0F38 W1 45 avx512f    +avx512vl    VPSRLVQ
	evex 66 0F38 W1 47 avx512f    +avx512vl    VPSLLVQ
	evex 66 0F38 W1 59 avx512f    +avx512vl    VPBROADCASTQ
	evex 66 0F38 W1 5A avx512dq   +avx512vl    VBROADCASTI64X2
	evex 66 0F38 W1 76 avx512f    +avx512vl    VPERMI2Q
	evex 66 0F38 W1 7C avx512f    +avx512vl    VPBROADCASTQ
	evex 66 0F38 W1 7E avx512f    +avx512vl    VPERMT2Q
	evex 66 0F38 W1 B4 ifma       +avx512vl    VPMADD52LUQ
	evex 66 0F38 W1 B5 ifma       +avx512vl    VPMADD52HUQ
	evex 66 0F3A W0 0F avx512bw   +avx512vl    VPALIGNR
	evex 66 0F3A W0 22 -          avx512dq     VPINSRD
	evex 66 0F3A W0 25 avx512f    +avx512vl    VPTERNLOGD
	evex 66 0F3A W0 38 avx512f    +avx512vl    VINSERTI32X4
	evex 66 0F3A W0 39 avx512f    +avx512vl    VEXTRACTI32X4
	evex 66 0F3A W0 43 avx512f    +avx512vl    VSHUFI32X4
	evex 66 0F3A W0 44 vpclmulqdq +avx512vl    VPCLMULQDQ
	evex 66 0F3A W1 03 avx512f    +avx512vl    VALIGNQ
	evex 66 0F3A W1 16 -          avx512dq     VPEXTRQ
	evex 66 0F3A W1 22 -          avx512dq     VPINSRQ
	evex 66 0F3A W1 25 avx512f    +avx512vl    VPTERNLOGQ
	evex 66 0F3A W1 38 avx512dq   +avx512vl    VINSERTI64X2
	evex 66 0F3A W1 39 avx512dq   +avx512vl    VEXTRACTI64X2
	evex 66 0F3A W1 3A avx512f    -            VINSERTI64X4
	evex 66 0F3A W1 3B avx512f    -            VEXTRACTI64X4
	evex 66 0F3A W1 43 avx512f    +avx512vl    VSHUFI64X2`)

// features reads lines of one feature and many instructions.
func features(text string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			m[name] = fields[0]
		}
	}
	return m
}

// rows reads lines of an encoding in five words, needs of two lengths, and names. A need that begins with + is
// beside the one in the first column.
func rows(text string) map[string][2]string {
	m := map[string][2]string{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		f := strings.Fields(line)
		if f[6][0] == '+' {
			f[6] = f[5] + f[6]
		}
		m[strings.Join(f[:5], " ")] = [2]string{f[5], f[6]}
	}
	return m
}

// needs lists the features that i needs.
func (i inst) needs() ([]string, error) {
	need := scalar[i.name]
	switch {
	case i.name[0] == 'J', strings.HasPrefix(i.name, "CMOV"), strings.HasPrefix(i.name, "SET"):
		need = "sse2"
	case strings.HasPrefix(i.name, "vex "):
		need = vexed[i.name][i.bits/256]
	case strings.HasPrefix(i.name, "evex "):
		need = evexed[i.name][1-i.bits/512]
	}
	if need == "" || need == "-" {
		return nil, fmt.Errorf("%s with %d bits is not in the census's table: add it with what the SDM says it needs",
			i.name, i.bits)
	}
	list := strings.Split(need, "+")
	if strings.HasPrefix(i.name, "evex ") && list[0] != "avx512f" {
		list = append(list, "avx512f")
	}
	return list, nil
}

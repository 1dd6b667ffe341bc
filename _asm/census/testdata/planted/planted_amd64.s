#include "textflag.h"

TEXT ·fine(SB), NOSPLIT, $64-0
	MOVQ       SP, AX
	CMPQ       AX, $5
	JEQ        done
	VMOVDQU    0(SP), Y1
	VPSHUFD    $0x1b, Y1, Y2
	VPXOR      16(SP)(AX*1), Y2, Y1
	VMOVDQU    Y1, 32(SP)
	VZEROUPPER
	PXOR       X1, X2
done:
	RET

TEXT ·movbe(SB), NOSPLIT, $0-0
	MOVBEQQ (SP), AX
	RET

TEXT ·bmi2(SB), NOSPLIT, $0-0
	BZHIQ AX, BX, CX
	RET

TEXT ·avx2(SB), NOSPLIT, $0-0
	VPADDD     Y0, Y0, Y0
	VZEROUPPER
	RET

TEXT ·sse41(SB), NOSPLIT, $0-0
	PINSRD $1, AX, X0
	RET

// The assembler chooses EVEX by itself where the register's number wants it.
TEXT ·widened(SB), NOSPLIT, $0-0
	VPADDQ X17, X0, X0
	RET

TEXT ·narrowed(SB), NOSPLIT, $0-0
	VPXORD X0, X1, X2
	RET

TEXT ·unknown(SB), NOSPLIT, $0-0
	VPERMB Z0, Z1, Z2
	RET

TEXT ·onePathDirty(SB), NOSPLIT, $0-0
	TESTQ      AX, AX
	JEQ        clean
	VPXOR      Y0, Y0, Y0
	TESTQ      BX, BX
	JNE        done
clean:
	VZEROUPPER
done:
	RET

TEXT ·mixed(SB), NOSPLIT, $0-0
	VPXOR      Y0, Y0, Y0
	PXOR       X1, X1
	VZEROUPPER
	RET

TEXT ·runsOff(SB), NOSPLIT, $0-0
	NOP
	XORL AX, AX

#include "textflag.h"

// func addAVX2(sum *float32, cells *byte, w float32, n int)
//
// Widens eight cells at a time to floats, multiplies them by w and adds them to sum:
// the same operations in the same order as addPlain, so the same bits. n is a
// multiple of 16 and not zero.
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	MOVQ         sum+0(FP), SI
	MOVQ         cells+8(FP), DI
	VBROADCASTSS w+16(FP), Y0
	MOVQ         n+24(FP), CX

loop:
	VPMOVSXBD (DI), Y1
	VPMOVSXBD 8(DI), Y2
	VCVTDQ2PS Y1, Y1
	VCVTDQ2PS Y2, Y2
	VMULPS    Y0, Y1, Y1
	VMULPS    Y0, Y2, Y2
	VADDPS    (SI), Y1, Y1
	VADDPS    32(SI), Y2, Y2
	VMOVUPS   Y1, (SI)
	VMOVUPS   Y2, 32(SI)
	ADDQ      $16, DI
	ADDQ      $64, SI
	SUBQ      $16, CX
	JNZ       loop

	VZEROUPPER
	RET

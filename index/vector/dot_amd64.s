#include "textflag.h"

// func dotAVX2(q *int16, d *byte, n int) int32
//
// Widens sixteen components of d at a time to 16 bits, multiplies them by those
// of q, adds neighbouring products to 32 bits and sums up. n is a multiple of 32.
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ  q+0(FP), SI
	MOVQ  d+8(FP), DI
	MOVQ  n+16(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

loop:
	VPMOVSXBW (DI), Y2
	VPMOVSXBW 16(DI), Y3
	VPMADDWD  (SI), Y2, Y2
	VPMADDWD  32(SI), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, DI
	ADDQ      $64, SI
	SUBQ      $32, CX
	JNZ       loop

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VZEROUPPER
	MOVQ         X0, AX
	MOVL         AX, ret+24(FP)
	RET

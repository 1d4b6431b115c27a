package builtin

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// addAVX2 is addPlain for n cells, a multiple of 16 and not zero.
//
//go:noescape
func addAVX2(sum *float32, cells *byte, w float32, n int)

// hasAVX2 is false on processors from before 2013.
var hasAVX2 = cpu.X86.HasAVX2

// add adds the cells, which are signed bytes, times w to sum.
func add(sum []float32, cells string, w float32) {
	sum = sum[:len(cells)]
	n := len(cells) &^ 15
	if n > 0 && hasAVX2 {
		addAVX2(&sum[0], unsafe.StringData(cells), w, n)
		sum, cells = sum[n:], cells[n:]
	}
	addPlain(sum, cells, w)
}

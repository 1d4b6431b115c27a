package vector

import "golang.org/x/sys/cpu"

// dotAVX2 is dot for n components, a multiple of 32 and not zero.
//
//go:noescape
func dotAVX2(q *int16, d *byte, n int) int32

// hasAVX2 is false on processors from before 2013.
var hasAVX2 = cpu.X86.HasAVX2

// dot is the sum of the products of q's and d's components, the latter being
// signed bytes. The scale of a query keeps it within 32 bits.
func dot(q []int16, d []byte) int32 {
	d = d[:len(q)]
	n := len(q) &^ 31
	if n == 0 || !hasAVX2 {
		return dotPlain(q, d)
	}
	sum := dotAVX2(&q[0], &d[0], n)
	if n < len(q) {
		sum += dotPlain(q[n:], d[n:])
	}
	return sum
}

package vector

// dotPlain is dot in plain Go, on any processor. It is written for the bounds
// checks to fall away and four sums to run at once.
func dotPlain(q []int16, d []byte) int32 {
	var s0, s1, s2, s3 int32
	d = d[:len(q)]
	for len(q) >= 8 && len(d) >= 8 {
		x, y := q[:8:8], d[:8:8]
		s0 += int32(x[0])*int32(int8(y[0])) + int32(x[4])*int32(int8(y[4]))
		s1 += int32(x[1])*int32(int8(y[1])) + int32(x[5])*int32(int8(y[5]))
		s2 += int32(x[2])*int32(int8(y[2])) + int32(x[6])*int32(int8(y[6]))
		s3 += int32(x[3])*int32(int8(y[3])) + int32(x[7])*int32(int8(y[7]))
		q, d = q[8:], d[8:]
	}
	for i, x := range q {
		s0 += int32(x) * int32(int8(d[i]))
	}
	return s0 + s1 + s2 + s3
}

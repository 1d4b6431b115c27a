package builtin

// addPlain is add without help of the processor's.
func addPlain(sum []float32, cells string, w float32) {
	for len(cells) >= 4 && len(sum) >= 4 {
		c := cells[:4]
		s := sum[:4]
		s[0] += w * float32(int8(c[0]))
		s[1] += w * float32(int8(c[1]))
		s[2] += w * float32(int8(c[2]))
		s[3] += w * float32(int8(c[3]))
		cells, sum = cells[4:], sum[4:]
	}
	for i := range len(cells) {
		sum[i] += w * float32(int8(cells[i]))
	}
}

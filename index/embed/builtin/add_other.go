//go:build !amd64

package builtin

// add adds the cells, which are signed bytes, times w to sum.
func add(sum []float32, cells string, w float32) { addPlain(sum, cells, w) }

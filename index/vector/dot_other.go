//go:build !amd64

package vector

// dot is the sum of the products of q's and d's components, the latter being
// signed bytes. The scale of a query keeps it within 32 bits.
func dot(q []int16, d []byte) int32 { return dotPlain(q, d) }

package rank

import "sync"

// A scratch holds the buffers of one search, so that a search over many chunks
// does not leave megabytes to the collector.
type scratch struct {
	bufs  [][]float32
	used  int
	found []int32
	notes []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// floats returns n zeros that stay valid until the search is over.
func (s *scratch) floats(n int) []float32 {
	if s.used == len(s.bufs) {
		s.bufs = append(s.bufs, nil)
	}
	b := s.bufs[s.used]
	if cap(b) < n {
		b = make([]float32, n)
	} else {
		b = b[:n]
		clear(b)
	}
	s.bufs[s.used] = b
	s.used++
	return b
}

func (s *scratch) release() {
	s.used = 0
	scratches.Put(s)
}

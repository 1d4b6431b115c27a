package importer

import (
	"bytes"
	"io"
	"time"
)

// InMemory is a bundle of one file whose bytes are at hand: what came over
// standard input, or from an assistant. name is how messages call it.
func InMemory(name string, data []byte, modified time.Time) *Bundle {
	return &Bundle{Path: name, single: true, Inputs: []Input{{
		Name: name, Size: int64(len(data)), Modified: modified,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}}}
}

package sqlite

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// recordSize is the number of bytes of a packed record.
const recordSize = 32

// segmentGoal is the number of records at which a segment takes no more. An edit
// writes its segment anew, some 300 KB with vectors of 256 components.
const segmentGoal = 1024

func appendRecord(dst []byte, r store.Record) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, r.Chunk)
	dst = le.AppendUint32(dst, r.Note)
	dst = le.AppendUint32(dst, r.Len)
	dst = le.AppendUint32(dst, uint32(r.Ordinal))
	dst = le.AppendUint64(dst, uint64(r.Time))
	dst = le.AppendUint32(dst, r.Speaker)
	return append(dst, r.Flags, r.Kind, r.Importance, r.Salience)
}

func readRecord(b []byte) store.Record {
	le := binary.LittleEndian
	return store.Record{
		Chunk: le.Uint32(b), Note: le.Uint32(b[4:]), Len: le.Uint32(b[8:]), Ordinal: int32(le.Uint32(b[12:])),
		Time: int64(le.Uint64(b[16:])), Speaker: le.Uint32(b[24:]),
		Flags: b[28], Kind: b[29], Importance: b[30], Salience: b[31],
	}
}

// seal ends packed bytes with their checksum: SQLite has none of its own, and a
// bit that turned would only show as a wrong answer.
func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// unseal checks and cuts the checksum.
func unseal(b []byte) ([]byte, error) {
	if len(b) >= 4 {
		body := b[:len(b)-4]
		if binary.LittleEndian.Uint32(b[len(b)-4:]) == crc32.Checksum(body, castagnoli) {
			return body, nil
		}
	}
	return nil, fmt.Errorf("%w: a block of it does not match its checksum", store.ErrDamaged)
}

func readRecords(sealed []byte) ([]store.Record, error) {
	b, err := unseal(sealed)
	if err != nil {
		return nil, err
	}
	if len(b)%recordSize != 0 {
		return nil, fmt.Errorf("%w: a block of it has a wrong size", store.ErrDamaged)
	}
	out := make([]store.Record, len(b)/recordSize)
	for i := range out {
		out[i] = readRecord(b[i*recordSize:])
	}
	return out, nil
}

// A segment is being changed: its records and its vectors by model row.
type segment struct {
	row     int64
	records []store.Record
	vectors map[int64][]byte
	dims    map[int64]int
}

// keep drops the records that keep refuses, and their vectors.
func (s *segment) keep(keep func(store.Record) bool) {
	n := 0
	for i, r := range s.records {
		if !keep(r) {
			continue
		}
		s.records[n] = r
		for m, v := range s.vectors {
			size := vector.Size(s.dims[m])
			copy(v[n*size:(n+1)*size], v[i*size:(i+1)*size])
		}
		n++
	}
	s.records = s.records[:n]
	for m, v := range s.vectors {
		s.vectors[m] = v[:n*vector.Size(s.dims[m])]
	}
}

// add appends a record with its vector in one model; in the others it is missing.
func (s *segment) add(r store.Record, model int64, v []byte) {
	s.records = append(s.records, r)
	for m, dim := range s.dims {
		if m == model && len(v) == vector.Size(dim) {
			s.vectors[m] = append(s.vectors[m], v...)
		} else {
			s.vectors[m] = vector.PackMissing(s.vectors[m], dim)
		}
	}
}

// missing counts the vectors of a model that are not known.
func (s *segment) missing(model int64) int {
	size := vector.Size(s.dims[model])
	n := 0
	for v := s.vectors[model]; len(v) > 0; v = v[size:] {
		if vector.Missing(v) {
			n++
		}
	}
	return n
}

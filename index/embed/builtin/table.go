package builtin

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
)

// model is the file that distill/write.py makes. It stays where the binary is
// mapped and is read in place: only the rows that a text needs are ever paged
// in, and nothing is decoded at start.
//
//go:embed model.bin
var model string

const magic = "memsync static 1"

// A table is a view of a model file, which is, in little-endian order:
//
//	magic    16 bytes
//	rows     uint32, n
//	dim      uint32
//	slots    uint32, a power of two above n
//	longest  uint32, length of the longest piece in bytes
//	scales   n float32: what a row's integers are multiplied by; it holds the
//	         token's weight too, so that "the" adds little and "kayak" much
//	ends     n uint32: where piece i ends in text
//	hash     slots uint32: open addressing, row+1, 0 is empty
//	cells    n*dim int8
//	text     the pieces, one after the other; "##" marks one that continues
type table struct {
	n, dim, slots, longest    int
	scales, ends, hash, cells string
	text                      string
}

func open(data string) (table, error) {
	const header = len(magic) + 16
	if len(data) < header || !strings.HasPrefix(data, magic) {
		return table{}, fmt.Errorf("embedding table of %d bytes is not of this version", len(data))
	}
	t := table{n: u32(data, 4), dim: u32(data, 5), slots: u32(data, 6), longest: u32(data, 7)}
	if t.n <= 0 || t.dim <= 0 || t.n > 1<<24 || t.dim > 1<<14 || t.slots <= t.n || t.slots > 1<<26 || t.slots&(t.slots-1) != 0 {
		return table{}, fmt.Errorf("embedding table states %d rows of %d components in %d slots", t.n, t.dim, t.slots)
	}
	rest := data[header:]
	for _, part := range []struct {
		to   *string
		size int
	}{{&t.scales, 4 * t.n}, {&t.ends, 4 * t.n}, {&t.hash, 4 * t.slots}, {&t.cells, t.n * t.dim}} {
		if len(rest) < part.size {
			return table{}, fmt.Errorf("embedding table of %d bytes is cut short", len(data))
		}
		*part.to, rest = rest[:part.size], rest[part.size:]
	}
	if u32(t.ends, t.n-1) != len(rest) {
		return table{}, fmt.Errorf("embedding table's pieces take %d bytes instead of %d", len(rest), u32(t.ends, t.n-1))
	}
	t.text = rest
	return t, nil
}

// u32 is the i-th integer of an array of them.
func u32(s string, i int) int {
	b := s[4*i : 4*i+4]
	return int(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
}

func (t *table) scale(row int) float32 {
	return math.Float32frombits(uint32(u32(t.scales, row)))
}

// piece is the text of a row.
func (t *table) piece(row int) string {
	start := 0
	if row > 0 {
		start = u32(t.ends, row-1)
	}
	return t.text[start:u32(t.ends, row)]
}

// find is the row of a piece. A piece that continues a word is asked for
// without its "##", so that the caller need not build the string.
func (t *table) find(piece []byte, continues bool) (row int, ok bool) {
	for slot := hash(piece, continues) & (t.slots - 1); ; slot = (slot + 1) & (t.slots - 1) {
		row := u32(t.hash, slot) - 1
		if row < 0 {
			return 0, false
		}
		have := t.piece(row)
		if continues {
			if !strings.HasPrefix(have, "##") {
				continue
			}
			have = have[2:]
		} else if len(have) > 2 && have[0] == '#' && have[1] == '#' {
			continue
		}
		if have == string(piece) {
			return row, true
		}
	}
}

// hash is 32-bit FNV-1a over the piece, begun differently for one that continues.
func hash(piece []byte, continues bool) int {
	h := uint32(2166136261)
	if continues {
		h ^= '#'
		h *= 16777619
	}
	for _, b := range piece {
		h ^= uint32(b)
		h *= 16777619
	}
	return int(h)
}

// add adds a row to sum, which has dim components.
func (t *table) add(sum []float32, row int) {
	add(sum, t.cells[row*t.dim:(row+1)*t.dim], t.scale(row))
}

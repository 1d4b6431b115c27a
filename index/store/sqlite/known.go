package sqlite

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/memsync/memsync/index/store"
)

// known says in which blocks keys may lie, in eight bytes a key: a process that
// embeds for months knows hundreds of thousands. Each number has the first bits of
// a key in front and a block behind; they are sorted. Two keys may have the same
// first bits, so whoever finds a block looks for the key there.
type known []uint64

// blockBits is how many bits a block has: more than a cache writes in a lifetime.
// The 38 of the key leave one wrong block in a quarter of a million lookups, where a
// million keys are known.
const blockBits = 26

// spot is the number of a key in a block.
func spot(k store.Key, block int64) uint64 {
	return binary.BigEndian.Uint64(k[:])&^(1<<blockBits-1) | uint64(block)&(1<<blockBits-1)
}

// blocks are those in which a key may lie.
func (s known) blocks(k store.Key) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		first := spot(k, 0)
		i, _ := slices.BinarySearch(s, first)
		for ; i < len(s) && s[i]>>blockBits == first>>blockBits; i++ {
			if !yield(int64(s[i] & (1<<blockBits - 1))) {
				return
			}
		}
	}
}

// with adds numbers, in any order. It goes through those that are there from behind,
// as far as it has to make room.
func (s known) with(came known) known {
	slices.Sort(came)
	i := len(s) - 1
	s = append(s, came...)
	for at, j := len(s)-1, len(came)-1; j >= 0; at-- {
		if i >= 0 && s[i] > came[j] {
			s[at], i = s[i], i-1
		} else {
			s[at], j = came[j], j-1
		}
	}
	return s
}

// since leaves out what lies in blocks before the oldest.
func (s known) since(oldest int64) known {
	return slices.Clip(slices.DeleteFunc(s, func(n uint64) bool { return int64(n&(1<<blockBits-1)) < oldest }))
}

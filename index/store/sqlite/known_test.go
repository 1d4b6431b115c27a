package sqlite

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// However keys come, each is found in its block, and those of blocks that are gone
// are not.
func TestKnownKeysAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s known
	lies := map[store.Key]int64{}
	var block int64
	for len(lies) < 20_000 {
		var came known
		for range 1 + r.IntN(3) {
			block++
			for range r.IntN(200) {
				var k store.Key
				binary.BigEndian.PutUint64(k[:], r.Uint64())
				lies[k] = block
				came = append(came, spot(k, block))
			}
		}
		s = s.with(came)
	}
	if len(s) != len(lies) || !slices.IsSorted(s) {
		t.Fatalf("%d numbers of %d keys, sorted: %v", len(s), len(lies), slices.IsSorted(s))
	}
	half := block / 2
	later := slices.Clone(s).since(half)
	for k, block := range lies {
		if got := slices.Collect(s.blocks(k)); !slices.Contains(got, block) || len(got) > 2 {
			t.Fatalf("a key of block %d is looked for in %v", block, got)
		}
		if got := slices.Contains(slices.Collect(later.blocks(k)), block); got != (block >= half) {
			t.Fatalf("of the blocks from %d, a key of %d is found: %v", half, block, got)
		}
	}
	if got := slices.Collect(known(nil).blocks(store.Key{1})); len(got) > 0 {
		t.Errorf("nothing is known, and looked for in %v", got)
	}
}

// Keys with the same first bits are told apart where they lie.
func TestKeysThatBeginAlike(t *testing.T) {
	c, err := OpenCache(t.Context(), t.TempDir()+"/vectors.db", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	a, b, other := store.Key{1, 15: 1}, store.Key{1, 15: 2}, store.Key{1, 15: 3}
	for i, k := range []store.Key{a, b} {
		if err := c.Put(t.Context(), 1, []store.Key{k}, [][]byte{vector.Pack(nil, []float32{float32(i + 1)})}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := c.Get(t.Context(), 1, []store.Key{b, other, a})
	if err != nil || string(got[0]) != string(vector.Pack(nil, []float32{2})) || got[1] != nil || string(got[2]) != string(vector.Pack(nil, []float32{1})) {
		t.Errorf("%v, %v", got, err)
	}
}

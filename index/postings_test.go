package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/notegen"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
)

const tagged = `---
id: fa-1
type: facts
title: The narwhal of week %[1]d
tags: [sea, cold/north]
aliases: [Unicorn whale]
---

- Saw %[1]d narwhals off Tromsø. (kind:: event) (seen:: 2025-01-0%[2]d) ^f-%[1]d
- The narwhals were narwhals. (kind:: event) ^g-%[1]d

## Superseded

- Saw none. (kind:: event) (until:: 2025-01-01) ^h-%[1]d
`

// Postings and filters that outlive an edit are those that the store would give.
func TestPostingsOutliveEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g := notegen.New(5)
	src := newTree(nil)
	x := openIndex(t, t.TempDir(), newWords("words/1", 16))
	asked := []string{"narwhal", "tromso", "unicorn", "sea", "event", "none", "nowhere"}
	carried := 0
	for step := range 40 {
		for range 1 + r.IntN(3) {
			path := fmt.Sprintf("d%d/n%d.md", r.IntN(3), r.IntN(12))
			switch r.IntN(5) {
			case 0:
				src.remove(path)
			case 1:
				src.write(path, g.Conversation(r.IntN(99), 100+r.IntN(3000)))
			case 2:
				src.write(path, fmt.Sprintf(tagged, step, 1+r.IntN(9)))
			default:
				src.write(path, g.Note(r.IntN(99), r.IntN(6000)))
			}
		}
		sync1(t, x, src)
		err := x.use(t.Context(), func(st store.Store) error {
			return st.View(t.Context(), func(r store.Reader) error {
				s, err := x.snapshotOf(t.Context(), st, r)
				if err != nil {
					return err
				}
				if s.corpus.Size() == 0 {
					return nil
				}
				for _, term := range asked {
					if _, ok := s.rows.get(term); ok {
						carried++
					}
					got, err := s.postingsOf(t.Context(), r, term)
					if err != nil {
						return err
					}
					if diff := cmp.Diff(fromStore(t, r, s, term), got); diff != "" {
						return fmt.Errorf("step %d: postings of %q (-store +kept):\n%s", step, term, diff)
					}
				}
				for _, f := range []store.Filter{{Types: []string{"Facts"}}, {Types: []string{"transcript", "note"}}, {Types: []string{"facts"}, Tags: []string{"sea"}}} {
					kept, err := s.selected(t.Context(), r, f)
					if err != nil {
						return err
					}
					anew := &snapshot{notes: s.notes}
					want, err := anew.selected(t.Context(), r, f)
					if err != nil {
						return err
					}
					if diff := cmp.Diff(want, kept); diff != "" {
						return fmt.Errorf("step %d: notes of %q (-store +kept):\n%s", step, f.Types, diff)
					}
				}
				chunks, err := r.Chunks(t.Context(), []int64{int64(s.chunks[step*7919%len(s.chunks)])})
				if err != nil {
					return err
				}
				notes, err := r.Notes(t.Context(), []int64{chunks[0].Note})
				if err == nil {
					asked = append(asked, termsOf(chunks[0], notes[0], chunks[0].Row == notes[0].First)...)
					slices.Sort(asked)
					asked = slices.Compact(asked)
				}
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if carried < 1000 {
		t.Errorf("only %d lists of postings outlived an edit", carried)
	}
}

// fromStore places what the store says of a term, row by row.
func fromStore(t *testing.T, r store.Reader, s *snapshot, term string) []rank.Posting {
	t.Helper()
	found, err := r.Postings(t.Context(), term)
	if err != nil {
		t.Fatal(err)
	}
	out := []rank.Posting{}
	for _, p := range found {
		if i := slices.Index(s.chunks, p.Chunk); i >= 0 {
			out = append(out, rank.Posting{Pos: int32(i), TF: p.TF})
		}
	}
	return out
}

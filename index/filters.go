package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/index/store"
)

// maxSelected bounds the filters that a snapshot remembers, a byte a note each.
const maxSelected = 32

// A selection says of every note of a snapshot whether it passes a filter; passes is
// nil where none does.
type selection struct {
	filter store.Filter
	passes []bool
}

// selected says of every note whether it passes a filter, nil where none does. The
// same few filters come with most queries, so they are kept.
func (s *snapshot) selected(ctx context.Context, r store.Reader, f store.Filter) ([]bool, error) {
	key := fmt.Sprintf("%q %q %q %q", f.Types, f.Sources, f.Domains, f.Tags)
	s.mu.Lock()
	known, ok := s.filters[key]
	s.mu.Unlock()
	if ok {
		return known.passes, nil
	}
	rows, err := r.Select(ctx, f)
	if err != nil {
		return nil, err
	}
	var passes []bool
	if len(rows) > 0 {
		in := make(map[uint32]bool, len(rows))
		for _, row := range rows {
			in[uint32(row)] = true
		}
		passes = make([]bool, len(s.notes))
		for i, row := range s.notes {
			passes[i] = in[row]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filters == nil || len(s.filters) >= maxSelected {
		s.filters = make(map[string]selection)
	}
	s.filters[key] = selection{f, passes}
	return passes, nil
}

// carryFilters takes over what an older snapshot knows of filters by type, given the
// notes that came since. A note row is never used again, as little as a chunk row.
func (s *snapshot) carryFilters(old *snapshot, added map[int64]store.Note) {
	old.mu.Lock()
	defer old.mu.Unlock()
	s.filters = make(map[string]selection, len(old.filters))
	for key, k := range old.filters {
		if f := k.filter; len(f.Types) == 0 || len(f.Sources)+len(f.Domains)+len(f.Tags) > 0 {
			continue
		}
		passes, any := make([]bool, len(s.notes)), false
		from := 0
		for i, row := range s.notes {
			for from < len(old.notes) && old.notes[from] < row {
				from++
			}
			if n, isNew := added[int64(row)]; isNew {
				passes[i] = slices.ContainsFunc(k.filter.Types, func(t string) bool { return strings.ToLower(t) == asciiLower(n.Type) })
			} else if from < len(old.notes) && old.notes[from] == row && k.passes != nil {
				passes[i] = k.passes[from]
			}
			any = any || passes[i]
		}
		if !any {
			continue // a note without chunks may pass, which the store knows
		}
		s.filters[key] = selection{k.filter, passes}
	}
}

// asciiLower is what the store makes of a type to compare it.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

package index

import (
	"context"
	"fmt"

	"github.com/memsync/memsync/index/store"
)

// A Status says what the index holds.
type Status struct {
	Notes  int    `json:"notes"`
	Chunks int    `json:"chunks"`
	Model  string `json:"model"`
	Dim    int    `json:"dim"`
	// Next is the model that vectors are being made with, where it is another.
	Next string `json:"next,omitempty"`
	// Pending chunks wait for the model.
	Pending int `json:"pending"`
	// Problems are notes that were indexed in part only.
	Problems []Problem `json:"problems"`
	// Notes are sentences about what opening the index had to do.
	Remarks []string `json:"remarks"`
	File    string   `json:"file"`
}

// Status returns what the index holds.
func (x *Index) Status(ctx context.Context) (Status, error) {
	s := Status{Problems: []Problem{}, Remarks: []string{}}
	err := x.view(ctx, func(r store.Reader) error {
		stamp := r.Stamp()
		s.Notes, s.Chunks, s.Model, s.Dim = stamp.Notes, stamp.Chunks, stamp.Model.Name, stamp.Model.Dim
		model := stamp.Model
		if x.e != nil {
			own := x.e.Model()
			if own.ID != model.Name || own.Dim != 0 && own.Dim != model.Dim {
				model = store.Model{Name: own.ID, Dim: own.Dim}
				if s.Model != "" {
					s.Next = own.ID
				}
			}
			var err error
			if _, s.Pending, err = r.Pending(ctx, model, 0); err != nil {
				return err
			}
		}
		notes, err := r.Problems(ctx)
		for _, n := range notes {
			s.Problems = append(s.Problems, Problem{n.Path, n.Problem})
		}
		return err
	})
	if err != nil {
		return s, fmt.Errorf("index: %w", err)
	}
	x.mu.RLock()
	s.File = x.st.Path()
	x.mu.RUnlock()
	s.Remarks = append(s.Remarks, x.told()...)
	return s, nil
}

// Check reads the whole index and reports what is not as it should be. A damaged
// index is moved aside.
func (x *Index) Check(ctx context.Context) error {
	if err := x.use(ctx, func(st store.Store) error { return st.Check(ctx) }); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

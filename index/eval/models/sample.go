package models

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// ErrTooFew is returned for a vault of which no question can be made.
var ErrTooFew = errors.New("there are fewer than two notes to ask for")

// A Sample is notes and questions that some of them answer.
type Sample struct {
	Notes     []Note
	Questions []Question
	// Of is how many notes there were to draw from, and What names them.
	Of   int
	What What
}

// What says what a sample consists of.
type What string

// The kinds of sample.
const (
	// Summaries of conversations, asked for by the person's first message.
	Summaries What = "summaries"
	// Titled notes, asked for by their titles.
	Titled What = "notes"
	// Own are notes that a person's own questions ask for, among others.
	Own What = "own"
)

// A Note is a note as it is indexed.
type Note struct {
	Path vault.Path
	Text []byte
}

// A Question has the notes that answer it.
type Question struct {
	Text  string
	Right map[vault.Path]bool
}

// Draw makes a sample of at most n notes. Which they are depends on their paths
// alone, so that the same vault gives the same sample. redact is applied to the
// questions, which are text of the vault too; nil keeps all.
func Draw(ctx context.Context, src index.Source, n int, redact func(string) string) (*Sample, error) {
	all, err := survey(ctx, src)
	if err != nil {
		return nil, err
	}
	for _, what := range []What{Summaries, Titled} {
		s := &Sample{What: what, Of: len(all[what])}
		seen := make(map[string]bool)
		for _, path := range all[what] {
			if len(s.Notes) == n {
				break
			}
			note, question, err := pose(src, path, what)
			if err != nil {
				return nil, err
			}
			if redact != nil {
				question = redact(question)
			}
			if question == "" || seen[strings.ToLower(question)] {
				continue
			}
			seen[strings.ToLower(question)] = true
			s.Notes = append(s.Notes, note)
			s.Questions = append(s.Questions, Question{question, map[vault.Path]bool{path: true}})
		}
		if len(s.Notes) > 1 {
			return s, ctx.Err()
		}
	}
	return nil, ErrTooFew
}

// Around makes a sample of a person's own questions: the notes that answer them,
// and others of the same types beside them until there are n.
func Around(ctx context.Context, src index.Source, n int, questions []Question) (*Sample, error) {
	s := &Sample{What: Own, Questions: questions}
	var right, others []vault.Path
	types := make(map[vault.Type]bool)
	for _, q := range questions {
		for path := range q.Right {
			if slices.Contains(right, path) {
				continue
			}
			raw, err := src.Read(path)
			if err != nil {
				return nil, err
			}
			right = append(right, path)
			types[vault.Parse(path, raw).Type()] = true
		}
	}
	entries, _, err := src.Walk(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		raw, err := src.Read(e.Path)
		if err == nil && types[vault.Parse(e.Path, raw).Type()] {
			s.Of++
			if !slices.Contains(right, e.Path) {
				others = append(others, e.Path)
			}
		}
	}
	shuffle(others)
	slices.Sort(right)
	for _, path := range slices.Concat(right, others[:max(0, min(n-len(right), len(others)))]) {
		raw, err := src.Read(path)
		if err != nil {
			return nil, err
		}
		s.Notes = append(s.Notes, Note{path, raw})
	}
	if len(s.Notes) < 2 {
		return nil, ErrTooFew
	}
	return s, ctx.Err()
}

// survey lists the notes that a sample may be drawn from, in the order in which
// they are drawn.
func survey(ctx context.Context, src index.Source) (map[What][]vault.Path, error) {
	entries, _, err := src.Walk(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[What][]vault.Path)
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, err := src.Read(e.Path)
		if err != nil {
			continue // one unreadable note stops no comparison
		}
		switch n := vault.Parse(e.Path, raw); n.Type() {
		case vault.TypeSession:
			if n.Prop("transcript") != "" {
				out[Summaries] = append(out[Summaries], e.Path)
			}
		case vault.TypeNote, vault.TypeTopic, vault.TypeFacts:
			out[Titled] = append(out[Titled], e.Path)
		}
	}
	for _, paths := range out {
		shuffle(paths)
	}
	return out, nil
}

// shuffle puts paths into an order that has nothing to do with their names and is
// always the same.
func shuffle(paths []vault.Path) {
	slices.SortFunc(paths, func(a, b vault.Path) int {
		x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
		return cmp.Or(bytes.Compare(x[:], y[:]), cmp.Compare(a, b))
	})
}

// pose returns a note with the question that it answers, "" where none can be
// made of it.
func pose(src index.Source, path vault.Path, what What) (Note, string, error) {
	raw, err := src.Read(path)
	if err != nil {
		return Note{}, "", err
	}
	n := vault.Parse(path, raw)
	if what == Titled {
		return untitled(n), titleQuestion(n), nil
	}
	question, err := opening(src, n)
	if err != nil {
		return Note{}, "", fmt.Errorf("%s: %w", path, err)
	}
	return Note{path, raw}, question, nil
}

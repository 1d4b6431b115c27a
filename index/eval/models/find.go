package models

import (
	"context"
	"fmt"
	"strings"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// Finder returns a function that finds a note by what memsync search prints of
// it: its path, its id, either with a block or a line behind it, or the title
// that it has alone, transcripts aside.
func Finder(ctx context.Context, src index.Source) (func(id string) (vault.Path, error), error) {
	entries, _, err := src.Walk(ctx)
	if err != nil {
		return nil, err
	}
	names, titles := make(map[string]vault.Path), make(map[string][]vault.Path)
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		raw, err := src.Read(e.Path)
		if err != nil {
			continue
		}
		n := vault.Parse(e.Path, raw)
		names[string(e.Path)], names[e.Path.Stem()], names[n.ID()] = e.Path, e.Path, e.Path
		if n.Type() != vault.TypeTranscript { // has its summary's title
			title := strings.ToLower(n.Title())
			titles[title] = append(titles[title], e.Path)
		}
	}
	return func(id string) (vault.Path, error) {
		whole := id
		if path, ok := names[id]; ok {
			return path, nil
		}
		switch paths := titles[strings.ToLower(id)]; len(paths) {
		case 0:
		case 1:
			return paths[0], nil
		default:
			return "", fmt.Errorf("%d notes are called %q; name one by its path", len(paths), id)
		}
		id, _, _ = strings.Cut(id, "#")
		if i := strings.LastIndexByte(id, ':'); i > 0 {
			id = id[:i]
		}
		if path, ok := names[id]; ok {
			return path, nil
		}
		return "", fmt.Errorf("there is no note %q", whole)
	}, nil
}

package pass

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/merge"
)

// This file finds what memsync last made of a page, also where the person has renamed
// the page since: a name is theirs to choose, and the page stays what it is.

// made is a page as memsync last made it.
type made struct {
	page []byte
	ours bool       // it did make it
	from vault.Path // what the page was called then, or in HEAD
	left leftBase
}

// A leftBase is the stored base of a page that has another name by now; the zero
// leftBase is none.
type leftBase struct {
	path vault.Path
	hash vault.Hash
}

// renamed is the older name, "" where it is the same.
func (m made) renamed(now vault.Path) vault.Path {
	if m.from == now {
		return ""
	}
	return m.from
}

// madeOf is what memsync last made of a page: the base that stands beside it, what this
// pass wrote, or what history says.
func (p *Pass) madeOf(ctx context.Context, path vault.Path, on onDisk) (made, error) {
	switch wrote, own := p.wrote(path); {
	case on.hasBase:
		return made{page: on.base, ours: true, from: path}, nil
	case own && wrote == vault.NoFile: // taken away by this pass, which may think again
		return made{}, nil
	case own && on.exists && wrote == vault.HashOf(on.page):
		return made{page: on.page, ours: true, from: path}, nil
	}
	m, err := p.lastMade(ctx, path)
	if err == nil && !m.ours && on.exists {
		m, err = p.lastMadeOf(ctx, on.page)
	}
	return m, err
}

// lastMade is the page as memsync last made it, from history.
func (p *Pass) lastMade(ctx context.Context, path vault.Path) (m made, err error) {
	if p.repo == nil {
		return m, nil
	}
	page, version, err := p.repo.LastBy(ctx, path, history.MachineEmail)
	if errors.Is(err, history.ErrNotFound) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("%s: what memsync last wrote: %w", path, err)
	}
	m = made{page: page, ours: true, from: version.Path}
	below := p.v.Layout().Base(version.Path)
	if p.v.Exists(version.Path) {
		m.from = path // also where it has an older name: it is a copy then
	} else if stored, err := p.v.Read(below); err == nil {
		m.page, m.left = stored, leftBase{below, vault.HashOf(stored)}
		return m, nil
	}
	view, err := p.repo.At(ctx, version.Commit.ID.String())
	if err != nil {
		return made{}, err
	}
	if base, err := view.Read(below); err == nil {
		m.page = base
	}
	return m, nil
}

// lastMadeOf is lastMade for a page that the person has renamed and not committed: the
// one with its id that HEAD has and the disk has not.
func (p *Pass) lastMadeOf(ctx context.Context, current []byte) (made, error) {
	if p.repo == nil {
		return made{}, nil
	}
	head, err := p.repo.At(ctx, "HEAD")
	if errors.Is(err, history.ErrNotFound) {
		return made{}, nil
	}
	if err != nil {
		return made{}, err
	}
	older, err := p.movedFrom(ctx, head, current)
	if err != nil || older == "" {
		return made{}, err
	}
	m, err := p.lastMade(ctx, older)
	if m.ours {
		m.from = older
	}
	return m, err
}

// movedFrom is the note that HEAD has and the disk has not and whose id a note on disk
// has, "" for none: what the person has renamed and not committed.
func (p *Pass) movedFrom(ctx context.Context, head *history.View, note []byte) (vault.Path, error) {
	id := vault.Parse("page.md", note).ID()
	if id == "" || head == nil {
		return "", nil
	}
	files, err := head.Files(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range files {
		if !e.Path.IsNote() || p.v.Exists(e.Path) {
			continue
		}
		if raw, err := head.Read(e.Path); err == nil && vault.Parse(e.Path, raw).ID() == id {
			return e.Path, nil
		}
	}
	return "", nil
}

// changedAlike is what memsync last made of a page, changed as the page was from before
// to after. Where the change touches lines that the person edited, what goes is taken
// out of it and what comes is put in, and nothing of theirs gets into it.
func changedAlike(made, before, after []byte) []byte {
	merged, conflicts := merge.Three(before, after, made)
	text := bytes.SplitAfter(merged, []byte("\n"))
	for _, c := range slices.Backward(conflicts) {
		had, has := bytes.SplitAfter(c.BaseText, []byte("\n")), bytes.SplitAfter(c.OursText, []byte("\n"))
		lines := without(bytes.SplitAfter(c.TheirsText, []byte("\n")), without(had, has))
		text = slices.Replace(text, c.Merged.Start, c.Merged.End, append(lines, without(has, had)...)...)
	}
	return bytes.Join(text, nil)
}

// without are the lines that stand in a more often than in b, in order.
func without(a, b [][]byte) [][]byte {
	left := map[string]int{}
	for _, line := range b {
		left[string(line)]++
	}
	var out [][]byte
	for _, line := range a {
		if left[string(line)]--; left[string(line)] < 0 {
			out = append(out, line)
		}
	}
	return out
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// program looks for what could be taken for this program or this vault.
func (e *examination) program(context.Context) error {
	v := thisVersion()
	e.fine("program", "memsync %s, %s, %s", v.Version, v.Go, v.Platform)
	for _, n := range e.a.neighbours(e.s.dir) {
		e.found("program", stateNote, "", "%s", n)
	}
	return nil
}

// settings looks for what the settings name and the environment lacks.
func (e *examination) settings(context.Context) error {
	bad := false
	note := func(state, try, format string, args ...any) {
		bad = true
		e.found("settings", state, try, format, args...)
	}
	for _, q := range e.s.settings.Requests {
		if !q.Trusted {
			note(stateNote, "memsync config trust", "%s:%d asks to %s; it is ignored", config.FileName, q.Line, q.What)
		}
	}
	for key, name := range map[string]string{
		"llm.api_key_env":       e.s.settings.LLM.APIKeyEnv,
		"embedding.api_key_env": e.s.settings.Embedding.APIKeyEnv,
		"index.dsn_env":         e.s.settings.Index.DSNEnv,
	} {
		if name == "" {
			continue
		}
		if v, _ := e.a.env(name); v == "" {
			note(stateBroken, "", "%s names the variable %s, which is not set", key, name)
		}
	}
	if !bad {
		e.fine("settings", "valid")
	}
	return nil
}

// privacy checks that what lies beside the vault is open to its owner alone. The
// folders are narrowed whenever they are used; files may have been copied there.
func (e *examination) privacy(ctx context.Context) error {
	if runtime.GOOS == "windows" {
		return nil // no mode bits
	}
	var open []string
	for _, dir := range []string{e.s.places.Cache, e.s.places.State, e.s.places.Data} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || ctx.Err() != nil || d.Type()&fs.ModeSymlink != 0 {
				return ctx.Err()
			}
			if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
				open = append(open, name)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(open) == 0 {
		e.fine("privacy", "index, state and originals are open to you alone")
		return nil
	}
	what := output.Count(len(open), "file or folder", "files or folders") + ", first " + open[0]
	if !e.opts.fix {
		e.found("privacy", stateBroken, "memsync doctor --fix", "others can read %s", what)
		return nil
	}
	for _, name := range open {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a temporary file, gone again
		}
		if err == nil {
			err = os.Chmod(name, info.Mode().Perm()&^0o077)
		}
		if err != nil {
			e.found("privacy", stateBroken, "", "others can read %s: %v", name, err)
			return nil
		}
	}
	e.found("privacy", stateFixed, "", "closed to others: %s", what)
	return nil
}

// history checks the repository, and finishes what was interrupted.
func (e *examination) history(ctx context.Context) error {
	repo, err := e.s.history()
	if errors.Is(err, history.ErrNoRepository) {
		e.found("history", stateBroken, "memsync init "+quoted(e.s.dir), "the vault is no git repository: nothing can be taken back")
		return nil
	}
	var unsupported *history.UnsupportedError
	if errors.As(err, &unsupported) {
		e.found("history", stateBroken, "", "%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if err := repo.Busy(); err != nil {
		e.found("history", stateNote, "git status", "%v", err)
	}
	if _, known := repo.Person(e.a.now()); !known && e.s.settings.Commit != "off" {
		e.found("history", stateNote, "git config --global user.name NAME; git config --global user.email ADDRESS", "git does not know who you are: your edits are committed in no name of yours")
	}
	if pass.Unfinished(e.s.places.State) {
		if !e.opts.fix {
			e.found("history", stateNote, "memsync doctor --fix", "a run was interrupted before its commit; the next command that writes finishes it")
		} else if err := e.finish(ctx); err != nil {
			return err
		}
	}
	last, err := repo.Log(ctx, history.LogOptions{Limit: 1})
	if err != nil {
		e.found("history", stateBroken, "git fsck", "%v", err)
		return nil
	}
	if len(last) == 0 {
		e.found("history", stateNote, "", "no commit yet")
		return nil
	}
	dirty, err := repo.Dirty(ctx)
	if err != nil {
		return err
	}
	e.fine("history", "last commit %s; %s not committed", last[0].ID.Short(), output.Count(len(dirty), "file", "files"))
	return nil
}

// finish lets a writer commit what an interrupted run left.
func (e *examination) finish(ctx context.Context) error {
	w, err := e.a.openToWrite(ctx, "doctor")
	var locked *vault.LockedError
	if errors.As(err, &locked) {
		e.found("history", stateNote, "", "%v; it finishes its own work", err)
		return nil
	}
	if err != nil {
		return err
	}
	e.found("history", stateFixed, "", "committed what an interrupted run had written")
	return w.Close()
}

// shownNotes is how many notes a finding names.
const shownNotes = 5

// notes checks that notes can be read, and that the links of memsync's own lead
// somewhere.
func (e *examination) notes(ctx context.Context) error {
	entries, skipped, err := e.s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	paths := make([]vault.Path, len(entries))
	for i, n := range entries {
		paths[i] = n.Path
	}
	links := vault.NewResolver(paths)
	var unread, broken, dangling []string
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := e.s.vault.Note(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted since the walk
		}
		if err != nil {
			unread = append(unread, string(p))
			continue
		}
		if n.Err() != nil {
			broken = append(broken, string(p))
		}
		if !n.Generated() {
			continue
		}
		for _, l := range n.Links() {
			if _, ok := links.Resolve(l, p); !ok {
				dangling = append(dangling, fmt.Sprintf("%s to %s", p, l.Target))
			}
		}
	}
	e.fine("notes", "%s", output.Count(len(entries), "note", "notes"))
	e.list(stateBroken, "cannot be read", unread)
	e.list(stateNote, "front matter does not parse; the text is searched all the same", broken)
	e.list(stateNote, "links of generated pages that lead nowhere", dangling)
	for _, s := range skipped {
		e.found("notes", stateNote, "", "%s is left out: %s", s.Path, s.Reason)
	}
	return nil
}

func (e *examination) list(state, what string, names []string) {
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	text := strings.Join(names[:min(shownNotes, len(names))], ", ")
	if more := len(names) - shownNotes; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	e.found("notes", state, "", "%s: %s", what, text)
}

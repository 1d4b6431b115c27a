package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
)

// shownDirty is how many uncommitted files are printed; --json has them all.
const shownDirty = 5

func (r statusResult) Text(p *output.Page) {
	row := func(name, format string, args ...any) {
		p.Printf("%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("vault", "%s", p.Bold(r.Vault))
	if r.Root != "." {
		row("root", "%s", r.Root)
	}
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.Kinds[k], k))
	}
	row("notes", "%d: %s", r.Notes, strings.Join(kinds, ", "))
	state := "in step"
	if !r.Fresh {
		state = p.Warn(fmt.Sprintf("%s behind (memsync index)", output.Count(r.Behind, "note", "notes")))
	}
	row("index", "%s; %s, model %s", state, output.Count(r.Index.Chunks, "chunk", "chunks"), orNone(r.Index.Model))
	if r.LastReconcile != "" {
		row("", "looked at the vault %s", ago(r.now, parsed(r.LastReconcile)))
	}
	if r.Index.Pending > 0 {
		row("", "%s wait for the embedding model", output.Count(r.Index.Pending, "chunk", "chunks"))
	}
	if n := r.Backlog.Conversations; n > 0 {
		row("backlog", "%s", p.Warn(fmt.Sprintf("%s up to %s wait to be distilled (memsync synth)", output.Count(n, "conversation", "conversations"), r.Backlog.UpTo)))
	}
	row("models", "embedding %s, llm %s", r.Embedding, r.LLM)
	r.EmbeddingHealth.text("embedding", p, r.now, row)
	r.LLMHealth.text("llm", p, r.now, row)
	r.Daemon.text(p, r.now, row)
	if r.LastCommit != nil {
		row("last", "%.10s %s %s", r.LastCommit.ID, r.LastCommit.When, output.Plain(r.LastCommit.Subject))
	}
	if r.Head != nil && r.Head.Ahead > 0 {
		row("", "%s on disk", output.Count(r.Head.Ahead, "note differs from it", "notes differ from it"))
	}
	if r.Busy != "" {
		row("git", "%s", p.Warn(r.Busy))
	}
	for i, d := range r.Uncommitted {
		if i == shownDirty {
			row("", "and %d more files", len(r.Uncommitted)-i)
			break
		}
		name := ""
		if i == 0 {
			name = "edited"
		}
		row(name, "%s %s", mark(p, d.Status), output.Plain(string(d.Path)))
	}
	if r.CommitWhen == "manual" && len(r.Uncommitted) > 0 {
		row("", "they wait for: memsync commit")
	}
	if r.Writer != nil {
		row("writer", "%s", (&vault.LockedError{Holder: *r.Writer}).Error())
	}
	for _, s := range r.Skipped {
		row("skipped", "%s: %s", output.Plain(string(s.Path)), s.Reason)
	}
	for _, q := range r.Index.Problems {
		row("problem", "%s: %s", output.Plain(q.Path), output.Plain(q.Text))
	}
	row("disk", "vault %s, history %s, index %s, state %s, originals %s",
		size(r.VaultBytes), size(r.GitBytes), size(r.CacheBytes), size(r.StateBytes), size(r.DataBytes))
	for _, n := range slices.Concat(r.Notices, r.Index.Remarks) {
		p.Println(p.Dim("(" + n + ")"))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// parsed is a time of an answer; zero for an empty one.
func parsed(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

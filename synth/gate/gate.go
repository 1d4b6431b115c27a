// Package gate looks at every page before it is committed, whoever wrote it: rules,
// a model, or both merged with a person's edits. What does not pass is not
// committed; the runner makes a proposal of it that says why.
//
// The gates hold memsync to its own promises, so they judge what memsync adds: a
// link of the person's that leads nowhere, or a long section of theirs, is theirs
// and passes.
package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// The gates, as reports name them.
const (
	FrontMatter = "front-matter"
	Links       = "links"
	Citations   = "citations"
	Caps        = "caps"
	Secrets     = "secrets"
	Loss        = "loss"
)

// A Page is a note as it is about to be written.
type Page struct {
	Path vault.Path
	// Before is the note on disk, nil where there is none.
	Before []byte
	// Made is what memsync made; After is that merged with the person's edits.
	Made, After []byte
}

// A Failure is a page that must not be written, and why, in one sentence.
type Failure struct {
	Gate    string
	Message string
}

// A World is what the gates must know of the vault, with what the run has written
// already.
type World struct {
	// Resolves reports whether a link in the note at from leads to a note.
	Resolves func(l vault.Link, from vault.Path) bool
	// Turn returns what was said in a turn of a transcript.
	Turn func(p vault.Path, id string) (text string, ok bool)
	// Held reports whether some ledger still holds what a line of a page says, in
	// force or superseded: such a line is not lost with the page.
	Held func(line string) bool
	// Secret reports whether a text holds a secret.
	Secret func(text string) bool
	// Tokens counts what a reader sees of a text.
	Tokens func(text string) int
}

// Limits of pages, as DESIGN gives them.
const (
	SessionTokens = 200
	ProfileTokens = 200
	BootLines     = 200
	BootBytes     = 25 << 10
	// MaxLoss is the share of previous entries that a page may lose.
	MaxLoss = 0.25
)

// Check holds a page to every gate and returns what it fails.
func Check(p Page, w World) []Failure {
	made, after, before := vault.Parse(p.Path, p.Made), vault.Parse(p.Path, p.After), vault.Parse(p.Path, p.Before)
	var out []Failure
	fail := func(gate, format string, args ...any) {
		out = append(out, Failure{gate, fmt.Sprintf(format, args...)})
	}
	frontMatter(after, before, fail)
	links(after, before, w, fail)
	if made.IsLedger() {
		claims(made, before, w, fail)
	} else {
		cited(made, fail)
	}
	caps(made, w, fail)
	secrets(after, before, w, fail)
	loss(after, before, w, fail)
	return out
}

type failing func(gate, format string, args ...any)

// dates are the properties that hold dates or moments.
var dates = []string{"created", "updated", "start", "end", "merged_at"}

func frontMatter(after, before *vault.Note, fail failing) {
	if err := after.Err(); err != nil {
		if before.Err() == nil {
			fail(FrontMatter, "%v", err)
		}
		return
	}
	for _, key := range []string{"id", "type"} {
		if after.Prop(key) == "" && (before.Prop(key) != "" || len(before.Bytes()) == 0) {
			fail(FrontMatter, "%s: the front matter has no %s", after.Path, key)
		}
	}
	for _, key := range dates {
		v := after.Prop(key)
		if _, err := vault.ParseStamp(v); err != nil && v != before.Prop(key) {
			if _, err := time.Parse(time.RFC3339, v); err != nil {
				fail(FrontMatter, "%s: %s is %q, which is no date", after.Path, key, v)
			}
		}
	}
}

func links(after, before *vault.Note, w World, fail failing) {
	if w.Resolves == nil {
		return
	}
	had := map[string]bool{}
	for _, l := range before.Links() {
		had[l.String()] = true
	}
	for _, l := range after.Links() {
		if had[l.String()] {
			continue
		}
		if !w.Resolves(l, after.Path) {
			fail(Links, "%s: %s leads nowhere", after.Path, l)
		}
	}
}

// claims proves every line of a ledger that was not there before.
func claims(made, before *vault.Note, w World, fail failing) {
	had := map[string]bool{}
	for _, c := range before.Claims() {
		had[string(c.Span.Cut(before.Bytes()))] = true
	}
	for _, c := range made.Claims() {
		if had[string(c.Span.Cut(made.Bytes()))] {
			continue
		}
		if len(c.From) == 0 {
			fail(Citations, "%s:%d: %q cites no turn", made.Path, c.Line, c.Text)
		}
		for _, e := range c.From {
			if w.Turn == nil {
				continue
			}
			said, ok := w.Turn(vault.Path(e.Link.Target+".md"), e.Link.Block)
			if !ok || e.Quote == "" || !strings.Contains(vault.Fold(said), e.Quote) {
				fail(Citations, "%s:%d: %q does not stand in the turn that it cites", made.Path, c.Line, e.Quote)
			}
		}
	}
}

// cited holds every bullet of a generated page that speaks of the person to a
// link. Summaries that a provider wrote are used as they are.
func cited(made *vault.Note, fail failing) {
	switch made.Type() {
	case vault.TypeProfile, vault.TypeUser, vault.TypeEpoch, vault.TypeRendering:
	case vault.TypeSession:
		if made.Prop("provider") != "" {
			return
		}
	default:
		return
	}
	for _, line := range bullets(made) {
		if !strings.Contains(line, "[[") {
			fail(Citations, "%s: %q cites nothing", made.Path, line)
		}
	}
}

// bullets are the list items of a note, without their mark.
func bullets(n *vault.Note) []string {
	var out []string
	for line := range strings.Lines(string(n.Body())) {
		if item, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "- "); ok {
			out = append(out, item)
		}
	}
	return out
}

func caps(made *vault.Note, w World, fail failing) {
	limit := 0
	switch made.Type() {
	case vault.TypeSession:
		limit = SessionTokens
		if made.Prop("provider") != "" {
			return // a provider's own summary is kept as it is
		}
	case vault.TypeProfile:
		limit = ProfileTokens
	case vault.TypeBoot:
		raw := made.Bytes()
		if lines := strings.Count(string(raw), "\n"); lines > BootLines || len(raw) > BootBytes {
			fail(Caps, "%s: %d lines and %d bytes, where %d and %d are the most", made.Path, lines, len(raw), BootLines, BootBytes)
		}
	}
	if limit > 0 && w.Tokens != nil {
		if n := w.Tokens(string(made.Body())); n > limit {
			fail(Caps, "%s: %d tokens, where %d are the most", made.Path, n, limit)
		}
	}
}

// blockID is the id at the end of a claim, or the one to which a citation leads. It is
// no part of what is said, and behind words such as "password" it looks like one.
var blockID = lazyregexp.New(` \^[a-z]{1,4}-[0-9a-z]{4,12}\s*$|#\^(?:t\d{4,6}|[a-z]{1,4}-[0-9a-z]{4,12})(?:\|(?:\d+|[a-z]{1,4}-[0-9a-z]{4,12}))?\]\]`)

func secrets(after, before *vault.Note, w World, fail failing) {
	if w.Secret == nil {
		return
	}
	had := map[string]bool{}
	for line := range strings.Lines(string(before.Bytes())) {
		had[line] = true
	}
	for line := range strings.Lines(string(after.Bytes())) {
		if !had[line] && w.Secret(blockID.ReplaceAllString(line, "")) {
			fail(Secrets, "%s: a line would hold a secret", after.Path)
			return
		}
	}
}

// loss counts the entries of the page before that the page after has no more: the
// claims of a ledger, the sessions of a topic or an epoch, the lines of the other
// pages.
func loss(after, before *vault.Note, w World, fail failing) {
	had := entries(before)
	if len(had) == 0 || after.Type() == vault.TypeSession || after.Type() == vault.TypeRendering {
		return // they are made anew from their transcript, which loses nothing
	}
	has := entries(after)
	if after.Type() == vault.TypeBoot && strings.Contains(string(after.Body()), "more, found by search") {
		return // full: what has no room is counted on the page
	}
	var lost []string
	for _, e := range had {
		if slices.ContainsFunc(has, func(n entry) bool { return e.same(n) }) || !e.claim && w.Held != nil && w.Held(e.text) {
			continue
		}
		lost = append(lost, e.text)
	}
	if float64(len(lost)) > MaxLoss*float64(len(had)) && len(lost) > 1 {
		fail(Loss, "%s: %d of %d entries would be lost without being superseded, %q the first", after.Path, len(lost), len(had), lost[0])
	}
}

type entry struct {
	claim     bool
	key, text string
}

// sameEntry is the share of content words from which two lines say the same.
const sameEntry = 0.5

func (e entry) same(n entry) bool {
	if e.key != "" && e.key == n.key || e.text == n.text {
		return true
	}
	return e.key == "" && extract.Overlap(e.text, n.text) >= sameEntry
}

func entries(n *vault.Note) []entry {
	var out []entry
	if n.IsLedger() {
		for _, c := range n.Claims() {
			out = append(out, entry{true, c.ID, c.Text})
		}
		return out
	}
	if n.Type() == vault.TypeTopic || n.Type() == vault.TypeEpoch {
		for _, l := range n.Links() {
			if strings.Contains(l.Target, "sessions/") || strings.Contains(l.Target, "archive/") {
				name := l.Target[strings.LastIndexByte(l.Target, '/')+1:]
				out = append(out, entry{false, name, name})
			}
		}
		return out
	}
	for _, line := range bullets(n) {
		out = append(out, entry{false, "", line})
	}
	return out
}

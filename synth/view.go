package synth

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/memsync/memsync/vault"
)

// A View is the vault as a pass sees it: what is on disk, and over it what the
// passes before it in the same run made.
type View struct {
	v     *vault.Vault
	gone  map[vault.Path]bool
	over  map[vault.Path][]byte
	cache map[vault.Path]*vault.Note

	// names are the targets of links by what they mean, and resolver finds it out. The
	// claims of a note may be asked for by several goroutines.
	naming   sync.Mutex
	names    map[string]string
	resolver *vault.Resolver
}

// NewView looks at a vault. It must be made after the last write to it.
func NewView(v *vault.Vault) *View {
	return &View{v: v, gone: map[vault.Path]bool{}, over: map[vault.Path][]byte{}, cache: map[vault.Path]*vault.Note{}, names: map[string]string{}}
}

// Layout says where the notes lie.
func (w *View) Layout() vault.Layout { return w.v.Layout() }

// put makes a page visible to the passes that follow.
func (w *View) put(p vault.Path, data []byte) {
	w.over[p] = data
	delete(w.cache, p)
	delete(w.gone, p)
}

// drop makes a note invisible to the passes that follow: it was removed.
func (w *View) drop(p vault.Path) {
	delete(w.over, p)
	delete(w.cache, p)
	w.gone[p] = true
}

// bytes are a note's bytes, nil where it cannot be read.
func (w *View) bytes(p vault.Path) []byte {
	if n, err := w.Note(p); err == nil {
		return n.Bytes()
	}
	return nil
}

// Note reads a note. Notes are kept, so that a run reads each once.
func (w *View) Note(p vault.Path) (*vault.Note, error) {
	if n, ok := w.cache[p]; ok {
		return n, nil
	}
	raw, ok := w.over[p]
	if !ok {
		var err error
		if raw, err = w.v.Read(p); err != nil {
			return nil, err
		}
	}
	n := vault.Parse(p, raw)
	if t := n.Type(); t == vault.TypeFacts || t == vault.TypeSchema {
		n.NameSources(w.full)
	}
	if len(raw) < keptNote {
		w.cache[p] = n
	}
	return n, nil
}

// full is the target of a link by its whole path, as memsync names notes. Editors may
// name them otherwise when a note gets another name: by its name alone, as Obsidian does.
// What leads nowhere stays as it is.
func (w *View) full(l vault.Link) string {
	w.naming.Lock()
	defer w.naming.Unlock()
	if name, ok := w.names[l.Target]; ok {
		return name
	}
	name := l.Target
	if name != "" && !w.Exists(vault.Path(name+".md")) {
		if w.resolver == nil {
			w.resolver = vault.NewResolver(w.all(context.Background())) // whoever asks for claims hands in no context
		}
		if p, ok := w.resolver.Resolve(l, ""); ok {
			name = p.Stem()
		}
	}
	w.names[l.Target] = name
	return name
}

// all are the notes of the vault, the person's own and those that the run made with
// them; none where it cannot be read.
func (w *View) all(ctx context.Context) []vault.Path {
	notes, _, err := w.v.Walk(ctx)
	if err != nil {
		return nil
	}
	paths := slices.Collect(maps.Keys(w.over))
	for _, e := range notes {
		paths = append(paths, e.Path)
	}
	return paths
}

// transcriptOf is the link to a session's transcript.
func (w *View) transcriptOf(session *vault.Note) vault.Link {
	l := vault.ParseLink(strings.Trim(session.Prop("transcript"), "[]"))
	l.Target = w.full(l)
	return l
}

// mergedFrom are the links to the transcripts that went into a session beside its own.
func (w *View) mergedFrom(session *vault.Note) []vault.Link {
	links := session.MergedFrom()
	for i := range links {
		links[i].Target = w.full(links[i])
	}
	return links
}

// keptNote bounds the notes that a view keeps in memory, in bytes. Transcripts
// are longer, and read once.
const keptNote = 32 << 10

// Head reads the beginning of a note: its front matter and perhaps more.
func (w *View) Head(p vault.Path) (*vault.Note, error) {
	if _, ok := w.over[p]; ok {
		return w.Note(p)
	}
	raw, err := w.v.Head(p)
	if err != nil {
		return nil, err
	}
	return vault.Parse(p, raw), nil
}

// Exists reports whether a note stands at p.
func (w *View) Exists(p vault.Path) bool {
	_, made := w.over[p]
	return made || w.v.Exists(p)
}

// Paths lists the notes of one of memsync's folders, in order.
func (w *View) Paths(ctx context.Context, folder string) ([]vault.Path, error) {
	dir := w.Layout().Folder(folder)
	entries, err := w.v.WalkUnder(ctx, dir)
	if err != nil {
		return nil, err
	}
	var paths []vault.Path
	for _, e := range entries {
		if !w.gone[e.Path] {
			paths = append(paths, e.Path)
		}
	}
	for p := range w.over {
		if p.Under(dir) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// Notes reads the notes of one of memsync's folders, in order of their paths. A
// note that cannot be read is left out: it is for `status` to report.
func (w *View) Notes(ctx context.Context, folder string) ([]*vault.Note, error) {
	paths, err := w.Paths(ctx, folder)
	if err != nil {
		return nil, err
	}
	var notes []*vault.Note
	for _, p := range paths {
		if n, err := w.Note(p); err == nil {
			notes = append(notes, n)
		}
	}
	return notes, nil
}

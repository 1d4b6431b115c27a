package vault

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// IgnoreFile holds gitignore patterns of files that memsync leaves alone.
const IgnoreFile = ".memoryignore"

// An Entry is a note as the file system shows it.
type Entry struct {
	Path    Path
	Size    int64
	ModTime time.Time
	Mode    fs.FileMode
}

// A Skipped file is one that Walk left out, and why.
type Skipped struct {
	Path   Path
	Reason string
}

// Walk lists the vault's notes in the order of their paths. What belongs to
// git, to Obsidian, to editors and to sync tools is passed over in silence;
// what a person might miss (a symbolic link, a folder that cannot be read) is
// named in skipped.
func (v *Vault) Walk(ctx context.Context) (notes []Entry, skipped []Skipped, err error) {
	w := walker{v: v, notes: make([]Entry, 0, v.walked.Load()+1)}
	err = w.walk(ctx, "")
	w.sort()
	v.walked.Store(int64(len(w.notes)))
	return w.notes, w.skipped, err
}

// WalkUnder lists the notes below one folder; none where it does not exist.
func (v *Vault) WalkUnder(ctx context.Context, dir Path) ([]Entry, error) {
	w := walker{v: v}
	if err := w.walk(ctx, dir); err != nil {
		return nil, err
	}
	w.sort()
	return w.notes, nil
}

// A walker goes through folders. A daemon walks every minute, so what one folder
// needed serves the next.
type walker struct {
	v       *Vault
	notes   []Entry
	skipped []Skipped

	children []child
	buf      []byte
}

// A child is what a folder names.
type child struct {
	name string
	kind fs.FileMode // its type alone
}

func (w *walker) sort() {
	slices.SortFunc(w.notes, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skipped, func(a, b Skipped) int { return cmp.Compare(a.Path, b.Path) })
}

func (w *walker) walk(ctx context.Context, dir Path) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.buf == nil {
		w.buf = make([]byte, 32<<10)
	}
	// Reading by name is safe: symbolic links are never followed.
	at, children, err := openFolder(filepath.Join(w.v.dir, filepath.FromSlash(string(dir))), w.buf, w.children[:0])
	if err != nil {
		if dir == "" {
			return err
		}
		if !os.IsNotExist(err) {
			w.skip(dir, "the folder cannot be read")
		}
		return nil
	}
	w.children = children
	below := w.look(at, dir)
	if err := at.Close(); err != nil {
		return err
	}
	for _, p := range below {
		if err := w.walk(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// look goes through the children of a folder and returns the folders below it, which
// are looked at once this one is closed.
func (w *walker) look(at folder, dir Path) (below []Path) {
	for _, c := range w.children {
		p := Path(c.name)
		if dir != "" {
			p = dir + "/" + p
		}
		switch {
		case isEvicted(c.name) && !w.v.Ignored(dir.Join(evictedName(c.name)), false):
			w.skip(dir.Join(evictedName(c.name)), "iCloud has taken it off this disk")
		case w.v.Ignored(p, c.kind.IsDir()):
		case c.kind.IsDir():
			below = append(below, p)
		case !p.IsNote():
		case c.kind&fs.ModeSymlink != 0:
			w.skip(p, "it is a symbolic link")
		case !c.kind.IsRegular():
			w.skip(p, "it is not a regular file")
		default:
			if n, ok := at.entry(p, c.name); ok { // else it went away since the folder was read
				w.notes = append(w.notes, n)
			}
		}
	}
	return below
}

func (w *walker) skip(p Path, reason string) {
	w.skipped = append(w.skipped, Skipped{p, reason})
}

// isEvicted reports whether a file is what iCloud leaves in the place of a note
// that it takes off the disk, .a.md.icloud, and evictedName names the note.
func isEvicted(base string) bool {
	return strings.HasPrefix(base, ".") && Path(evictedName(base)).IsNote() && strings.HasSuffix(base, ".icloud")
}

func evictedName(base string) string {
	return strings.TrimSuffix(strings.TrimPrefix(base, "."), ".icloud")
}

// Ignored reports whether a file or folder is not memsync's business: hidden
// files, editors' and sync tools' leftovers, and what .memoryignore names. It
// does not look at the folders above p.
func (v *Vault) Ignored(p Path, isDir bool) bool {
	base := p.Base()
	return strings.HasPrefix(base, ".") || isLeftover(base) || v.ignore.match(p, isDir)
}

// safeSave is the name under which macOS and iOS write a file that is then moved
// into its place: a.md.sb-1f2e3d4c-Ab9xYz.
var safeSave = lazyregexp.New(`\.sb-[0-9a-f]{8}-[0-9A-Za-z]{6}$`)

// isLeftover recognises what editors, Syncthing, Dropbox, iCloud and Obsidian
// Sync leave beside a file.
func isLeftover(base string) bool {
	lower := strings.ToLower(base)
	switch {
	case strings.HasSuffix(base, "~"), strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#"),
		base == "4913", safeSave.MatchString(base), // vim asks whether it may write; macOS saves beside the file
		strings.HasSuffix(lower, ".tmp"), strings.HasSuffix(lower, ".swp"), strings.HasSuffix(lower, ".vsctmp"), strings.HasSuffix(lower, ".icloud"),
		strings.HasPrefix(base, "~$"), strings.HasPrefix(base, "~syncthing~"),
		strings.Contains(lower, ".sync-conflict-"), strings.Contains(lower, "conflicted copy"):
		return true
	}
	return lower == "node_modules"
}

// An ignorer matches gitignore patterns.
type ignorer []ignorePattern

type ignorePattern struct {
	glob    string
	negated bool
	dirOnly bool
}

func newIgnorer(lines []string) ignorer {
	var ig ignorer
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var p ignorePattern
		line, p.negated = strings.CutPrefix(line, "!")
		line, p.dirOnly = strings.CutSuffix(line, "/")
		if rest, anchored := strings.CutPrefix(line, "/"); anchored || strings.Contains(line, "/") {
			p.glob = rest
		} else {
			p.glob = path.Join("**", line)
		}
		if doublestar.ValidatePattern(p.glob) {
			ig = append(ig, p)
		}
	}
	return ig
}

func (ig ignorer) match(p Path, isDir bool) bool {
	ignored := false
	for _, pat := range ig {
		if pat.dirOnly && !isDir {
			continue
		}
		if ok, _ := doublestar.Match(pat.glob, string(p)); ok {
			ignored = !pat.negated
		}
	}
	return ignored
}

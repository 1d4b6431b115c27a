package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/vault"
)

// clock is the time of tests.
var clock = time.Date(2025, 9, 3, 12, 0, 0, 0, time.UTC)

// A tree is a Source in memory. Files that were not edited keep their old time.
type tree struct {
	mu    sync.Mutex
	files map[string]string
	times map[string]time.Time
	reads atomic.Int64
}

func newTree(files map[string]string) *tree {
	t := &tree{files: make(map[string]string), times: make(map[string]time.Time)}
	for p, text := range files {
		t.write(p, text)
	}
	return t
}

func (t *tree) write(path, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.files[path] = text
	last := clock.Add(-time.Hour)
	if old, ok := t.times[path]; ok {
		last = old.Add(time.Second)
	}
	t.times[path] = last
}

func (t *tree) remove(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, path)
}

func (t *tree) Walk(context.Context) ([]vault.Entry, []vault.Skipped, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []vault.Entry
	for p, text := range t.files {
		out = append(out, vault.Entry{Path: vault.Path(p), Size: int64(len(text)), ModTime: t.times[p]})
	}
	slices.SortFunc(out, func(a, b vault.Entry) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil, nil
}

func (t *tree) Read(p vault.Path) ([]byte, error) {
	t.reads.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	text, ok := t.files[string(p)]
	if !ok {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	return []byte(text), nil
}

// words is an embedder whose vectors are made of hashed words, so that texts are
// near that share words.
type words struct {
	id    string
	dim   int
	late  bool // the dimension is not known before the first answer
	down  atomic.Bool
	asked atomic.Int64
	seen  sync.Map // texts that were embedded as documents
	twice atomic.Int64
}

func newWords(id string, dim int) *words { return &words{id: id, dim: dim} }

func (w *words) Model() embed.Model {
	if w.late && w.asked.Load() == 0 {
		return embed.Model{ID: w.id}
	}
	return embed.Model{ID: w.id, Dim: w.dim}
}

func (w *words) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	if w.down.Load() {
		return nil, errors.New("connection refused")
	}
	var out [][]float32
	for _, text := range texts {
		w.asked.Add(1)
		if as == embed.Document {
			if _, again := w.seen.LoadOrStore(text, true); again {
				w.twice.Add(1)
			}
		}
		v := make([]float32, w.dim)
		for _, t := range lexical.Analyze(text) {
			h := fnv.New32a()
			h.Write([]byte(t))
			v[h.Sum32()%uint32(w.dim)]++
		}
		var sum float64
		for _, c := range v {
			sum += float64(c * c)
		}
		for i := range v {
			if sum > 0 {
				v[i] /= float32(math.Sqrt(sum))
			}
		}
		out = append(out, v)
	}
	return out, ctx.Err()
}

func testConfig() Config { return Config{Now: func() time.Time { return clock }} }

func openIndex(t testing.TB, dir string, e embed.Embedder) *Index {
	t.Helper()
	x, err := Open(t.Context(), dir, e, testConfig())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func sync1(t testing.TB, x *Index, src Source) Report {
	t.Helper()
	r, err := x.Sync(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func search(t testing.TB, x *Index, text string) Result {
	t.Helper()
	r, err := x.Search(t.Context(), Query{Text: text, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func paths(r Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, string(h.Path))
	}
	return out
}

// talk is a small vault with one note of each kind.
func talk() *tree {
	turns := vault.FormatTurns(1, []vault.Turn{
		{Sender: "user", MessageID: "m1", Time: vault.Stamp{Time: time.Date(2025, 8, 9, 19, 31, 4, 0, time.UTC)}, Text: "Can you help me with the ferry timetable?"},
		{Sender: "assistant", MessageID: "m2", Time: vault.Stamp{Time: time.Date(2025, 8, 9, 19, 31, 40, 0, time.UTC)}, Text: "Gladly. The last boat leaves at ten."},
		{Sender: "user", MessageID: "m3", Time: vault.Stamp{Time: time.Date(2025, 8, 9, 19, 33, 0, 0, time.UTC)}, Text: "Then Marta will miss it, she works until eleven."},
	})
	return newTree(map[string]string{
		"transcripts/claude/2025/2025-08-09-ferry.md": "---\nid: tr-ferry\ntype: transcript\ntitle: Ferry plans\nsource: claude\nconversation: c-77\ncreated: 2025-08-09T19:31:04Z\n---\n\n" + string(turns),
		"facts/health/sleep.md":                       "---\nid: fa-sleep\ntype: facts\ntitle: Sleep\ndomain: health\ntags: [facts, health/rest]\n---\n\n- Sleeps about six hours. (kind:: identity) (seen:: 2025-07-30) ^f-6d1h\n\n## Superseded\n\n- Sleeps about eight hours. (kind:: identity) (seen:: 2024-07-30) ^f-0aaa\n",
		"garden.md":                                   "# Garden\n\nThe tomatoes stand on the south wall. Water them every second evening.\n",
		"broken.md":                                   "---\ntitle: [unclosed\n---\nThe spare key lies under the blue pot.\n",
	})
}

func TestSyncAndSearch(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	report := sync1(t, x, talk())
	if report.Added != 4 || report.Pending != 0 || report.Embedded == 0 {
		t.Errorf("report %+v", report)
	}
	if len(report.Problems) != 1 || report.Problems[0].Path != "broken.md" {
		t.Errorf("problems %v", report.Problems)
	}
	for query, want := range map[string]string{
		"who works until eleven":       "transcripts/claude/2025/2025-08-09-ferry.md",
		"when to water tomatoes":       "garden.md",
		"how many hours does he sleep": "facts/health/sleep.md",
		"spare key":                    "broken.md",
		"Garden":                       "garden.md",
	} {
		r := search(t, x, query)
		if len(r.Hits) == 0 || string(r.Hits[0].Path) != want || len(r.Notes) > 0 {
			t.Errorf("%q: %v %v, want %s", query, paths(r), r.Notes, want)
		}
	}
	h := search(t, x, "Marta works until eleven").Hits[0]
	if h.Turn != "t0003" || h.Speaker != "user" || h.ConversationID != "c-77" || !slices.Equal(h.MessageIDs, []string{"m3"}) ||
		h.ID != "tr-ferry#^t0003" || h.Provider != "claude" || h.Line != 20 || h.Time.Format(time.RFC3339) != "2025-08-09T19:33:00Z" {
		t.Errorf("hit %+v", h)
	}
	status, err := x.Status(t.Context())
	if err != nil || status.Notes != 4 || len(status.Problems) != 1 || status.Pending != 0 {
		t.Errorf("status %+v, %v", status, err)
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEveryMode(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	sync1(t, x, talk())
	for mode := range 3 {
		r, err := x.Search(t.Context(), Query{Text: "tomatoes on the south wall", Mode: rankMode(mode)})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Path != "garden.md" || int(r.Mode) != mode {
			t.Errorf("mode %d: %v %v %v", mode, r.Mode, paths(r), err)
		}
	}
}

func TestSyncLooksOnlyAtWhatChanged(t *testing.T) {
	src, e := talk(), newWords("words/1", 64)
	x := openIndex(t, t.TempDir(), e)
	sync1(t, x, src)
	src.reads.Store(0)
	if r := sync1(t, x, src); r.Changed() || r.Unchanged != 4 || src.reads.Load() != 0 {
		t.Errorf("nothing changed, yet %+v and %d reads", r, src.reads.Load())
	}
	src.write("garden.md", "# Garden\n\nThe tomatoes died.\n")
	src.remove("broken.md")
	src.write("new.md", "A new note.")
	r := sync1(t, x, src)
	if r.Added != 1 || r.Updated != 1 || r.Removed != 1 || r.Unchanged != 2 || src.reads.Load() != 2 {
		t.Errorf("%+v and %d reads", r, src.reads.Load())
	}
	if got := search(t, x, "south wall"); slices.Contains(paths(got), "garden.md") && strings.Contains(got.Hits[0].Text, "south") {
		t.Errorf("the old text is still found: %+v", got.Hits[0])
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A file that was written a moment ago may change again without its size and
// time showing it.
func TestYoungFilesAreReadAgain(t *testing.T) {
	src := newTree(map[string]string{"a.md": "one"})
	src.times["a.md"] = clock.Add(-time.Second)
	x := openIndex(t, t.TempDir(), nil)
	sync1(t, x, src)
	src.files["a.md"] = "two" // same size, same time
	if r := sync1(t, x, src); r.Updated != 1 {
		t.Errorf("the edit was missed: %+v", r)
	}
}

// Nothing is embedded twice: not after a rename, a revert, a rebuild, nor when
// the index is deleted.
func TestVectorsAreKept(t *testing.T) {
	src, e := talk(), newWords("words/1", 64)
	dir := t.TempDir()
	x := openIndex(t, dir, e)
	sync1(t, x, src)
	before := maps.Clone(src.files)
	src.write("plants.md", src.files["garden.md"])
	src.remove("garden.md")
	sync1(t, x, src)
	src.write("plants.md", "# Garden\n\nOther words.\n")
	sync1(t, x, src)
	src.write("plants.md", before["garden.md"])
	sync1(t, x, src)
	if _, err := x.Rebuild(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	if r := search(t, x, "tomatoes"); len(r.Hits) == 0 || r.Hits[0].Path != "plants.md" {
		t.Errorf("after the rebuild: %v", paths(r))
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	removeStores(t, dir)
	y := openIndex(t, dir, e)
	if r := sync1(t, y, src); r.Added != 4 || r.Embedded != 0 {
		t.Errorf("after the index was deleted: %+v", r)
	}
	if n := e.twice.Load(); n != 0 {
		t.Errorf("%d texts were embedded twice", n)
	}
}

// The name of a note that has no other title is part of what its passages say, as
// most people name notes by what is in them: "Lasagne" may be the only word for it.
// So another name embeds the passages that stand under no heading anew, and another
// folder nothing.
func TestANameIsATitleWhereThereIsNoOther(t *testing.T) {
	const text = "Mince and tomatoes, forty minutes.\n"
	for _, c := range []struct {
		text, to       string
		embedded, kept int
	}{
		{text, "new/Lasagne.md", 0, 1},
		{text, "old/Dinner.md", 1, 0},
		{"# Lasagne\n\n" + text, "old/Dinner.md", 0, 1},
		{"---\ntitle: Lasagne\n---\n\n" + text, "new/Dinner.md", 0, 1},
	} {
		x := openIndex(t, t.TempDir(), newWords("words/1", 64))
		src := newTree(map[string]string{"old/Lasagne.md": c.text})
		if r := sync1(t, x, src); r.Embedded != 1 {
			t.Fatalf("%q: %d passages", c.text, r.Embedded)
		}
		src.write(c.to, c.text)
		src.remove("old/Lasagne.md")
		if r := sync1(t, x, src); r.Embedded != c.embedded || r.Cached != c.kept {
			t.Errorf("%q as %s: %d embedded and %d known from before, want %d and %d", c.text, c.to, r.Embedded, r.Cached, c.embedded, c.kept)
		}
	}
}

func TestModelIsDown(t *testing.T) {
	for _, late := range []bool{false, true} {
		src, e := talk(), newWords("words/1", 64)
		e.late = late
		e.down.Store(true)
		x := openIndex(t, t.TempDir(), e)
		r := sync1(t, x, src)
		if r.Added != 4 || r.Pending == 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "connection refused") {
			t.Fatalf("late %v: report %+v", late, r)
		}
		got := search(t, x, "tomatoes")
		if len(got.Hits) == 0 || len(got.Notes) == 0 || got.Mode != rankMode(1) {
			t.Errorf("late %v: %v, mode %v, notes %q", late, paths(got), got.Mode, got.Notes)
		}
		e.down.Store(false)
		if r := sync1(t, x, src); r.Pending != 0 || r.Embedded == 0 {
			t.Errorf("late %v: catching up: %+v", late, r)
		}
		if got := search(t, x, "tomatoes"); len(got.Notes) != 0 || got.Hits[0].Parts.Cosine == 0 {
			t.Errorf("late %v: after catching up: %+v", late, got)
		}
	}
}

func TestModelChanges(t *testing.T) {
	src, old, next := talk(), newWords("words/1", 64), newWords("words/2", 32)
	dir := t.TempDir()
	x := openIndex(t, dir, old)
	sync1(t, x, src)
	x.Close()

	next.down.Store(true)
	cfg := testConfig()
	cfg.Resolve = func(m embed.Model) embed.Embedder {
		if m == old.Model() {
			return old
		}
		return nil
	}
	y, err := Open(t.Context(), dir, next, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	sync1(t, y, src)
	if r := search(t, y, "tomatoes"); r.Mode != rankMode(0) || r.Hits[0].Parts.Cosine == 0 {
		t.Errorf("while the new vectors are made the old ones do not answer: %+v", r)
	}
	if s, _ := y.Status(t.Context()); s.Model != "words/1" || s.Next != "words/2" || s.Pending == 0 {
		t.Errorf("status %+v", s)
	}
	next.down.Store(false)
	sync1(t, y, src)
	if s, _ := y.Status(t.Context()); s.Model != "words/2" || s.Next != "" || s.Pending != 0 {
		t.Errorf("status %+v", s)
	}
	if r := search(t, y, "tomatoes"); len(r.Notes) > 0 || r.Hits[0].Parts.Cosine == 0 {
		t.Errorf("after the change: %+v", r)
	}
}

func TestFilters(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	sync1(t, x, talk())
	const all = "hours ferry tomatoes key sleeps boat Marta"
	for name, c := range map[string]struct {
		q    Query
		want []string
	}{
		"type":     {Query{Types: []string{"facts"}}, []string{"facts/health/sleep.md"}},
		"source":   {Query{Sources: []string{"Claude"}}, []string{"transcripts/claude/2025/2025-08-09-ferry.md"}},
		"domain":   {Query{Domains: []string{"health"}}, []string{"facts/health/sleep.md"}},
		"tag":      {Query{Tags: []string{"#health"}}, []string{"facts/health/sleep.md"}},
		"tag part": {Query{Tags: []string{"heal"}}, nil},
		"since":    {Query{Since: time.Date(2025, 8, 1, 0, 0, 0, 0, time.UTC)}, []string{"transcripts/claude/2025/2025-08-09-ferry.md"}},
		"until":    {Query{Until: time.Date(2025, 8, 1, 0, 0, 0, 0, time.UTC)}, []string{"facts/health/sleep.md"}},
		"none":     {Query{Types: []string{"epoch"}}, nil},
	} {
		c.q.Text = all
		r, err := x.Search(t.Context(), c.q)
		got := paths(r)
		slices.Sort(got)
		if err != nil || !slices.Equal(slices.Compact(got), c.want) {
			t.Errorf("%s: %v %v, want %v", name, got, err, c.want)
		}
		if len(got) == 0 && len(r.Notes) == 0 {
			t.Errorf("%s: an empty answer without a reason", name)
		}
	}
}

// A process that never asked an endpoint knows the dimension of its vectors from
// the cache, where an index is made anew.
func TestDimensionIsKept(t *testing.T) {
	src, first, later := talk(), newWords("words/1", 64), newWords("words/1", 64)
	first.late, later.late = true, true
	dir := t.TempDir()
	x := openIndex(t, dir, first)
	sync1(t, x, src)
	x.Close()
	removeStores(t, dir)
	y := openIndex(t, dir, later)
	if r := sync1(t, y, src); r.Cached == 0 || r.Embedded+r.Pending != 0 || later.asked.Load() != 0 {
		t.Errorf("%+v, and the model was asked for %d texts", r, later.asked.Load())
	}
	y.Close()

	// Another model under the same name: an index made anew has its vectors.
	other := newWords("words/1", 32)
	other.late = true
	z := openIndex(t, dir, other)
	src.write("new.md", "The kiln is in the shed.")
	sync1(t, z, src)
	if _, err := z.Rebuild(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	if r := search(t, z, "kiln shed"); len(r.Hits) == 0 || len(r.Notes) > 0 || r.Hits[0].Parts.Cosine == 0 {
		t.Errorf("after the rebuild: %+v", r)
	}
}

// The index of a revision, which begins as a copy of the one in use, is what one
// made of the same notes from nothing is.
func TestAtIsTheIndexOfThen(t *testing.T) {
	e := newWords("words/1", 64)
	then := newTree(pairs(1))
	then.write("gone.md", "The narwhal is gone since.")
	now := newTree(pairs(2))
	now.write("n3.md", then.files["n3.md"])
	now.write("new.md", "An okapi came.")
	x, fresh := openIndex(t, t.TempDir(), e), openIndex(t, t.TempDir(), e)
	sync1(t, x, now)
	sync1(t, fresh, then)
	at, err := x.At(t.Context(), "0123456789abcdef0123456789abcdef01234567", then)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if err := at.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"narwhal", "version1 of note3", "note17", "note29"} {
		want, got := search(t, fresh, text), search(t, at, text)
		if len(want.Hits) == 0 || len(got.Hits) != len(want.Hits) || want.Chunks != got.Chunks || want.Documents != got.Documents {
			t.Errorf("%s: %d hits of %d chunks, want %d of %d", text, len(got.Hits), got.Chunks, len(want.Hits), want.Chunks)
		} else if w, g := want.Hits[0], got.Hits[0]; w.Path != g.Path || w.Text != g.Text || w.Line != g.Line || w.Parts.Keyword != g.Parts.Keyword || w.Parts.Cosine != g.Parts.Cosine {
			t.Errorf("%s: %+v, want %+v", text, g, w)
		}
	}
	if r := search(t, x, "okapi"); len(r.Hits) == 0 || r.Hits[0].Path != "new.md" {
		t.Errorf("the index of now: %v", paths(r))
	}
}

// Several lists at once are what they are one by one.
func TestSearchEachIsSearch(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 64))
	sync1(t, x, talk())
	q := Query{Text: "hours ferry tomatoes key sleeps boat Marta"}
	parts := []Part{{Limit: 2}, {Types: []string{"facts"}}, {Types: []string{"epoch"}}, {Limit: 1, Types: []string{"transcript", "facts"}}}
	_, lists, err := x.SearchEach(t.Context(), q, parts)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range parts {
		q.Limit, q.Types = part.Limit, part.Types
		want, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want.Hits, lists[i]); diff != "" {
			t.Errorf("part %d (-alone +together):\n%s", i, diff)
		}
	}
}

func TestGet(t *testing.T) {
	x := openIndex(t, t.TempDir(), nil)
	sync1(t, x, talk())
	for id, want := range map[string]string{
		"tr-ferry": "Can you help me with the ferry timetable?|Gladly. The last boat leaves at ten.|Then Marta will miss it, she works until eleven.",
		"transcripts/claude/2025/2025-08-09-ferry.md": "Can you help me with the ferry timetable?|Gladly. The last boat leaves at ten.|Then Marta will miss it, she works until eleven.",
		"tr-ferry#^t0002":            "Gladly. The last boat leaves at ten.",
		"tr-ferry#^t0002..t0003":     "Gladly. The last boat leaves at ten.|Then Marta will miss it, she works until eleven.",
		"tr-ferry#^t0001..^t0002":    "Can you help me with the ferry timetable?|Gladly. The last boat leaves at ten.",
		"tr-ferry#^t0002..t0002":     "Gladly. The last boat leaves at ten.",
		"garden.md:1..9":             "# Garden The tomatoes stand on the south wall. Water them every second evening.",
		"m3":                         "Then Marta will miss it, she works until eleven.",
		"f-6d1h":                     "Sleeps about six hours.",
		"^f-0aaa":                    "Sleeps about eight hours.",
		"garden":                     "# Garden The tomatoes stand on the south wall. Water them every second evening.",
		"garden.md:3":                "# Garden The tomatoes stand on the south wall. Water them every second evening.",
		"facts/health/sleep#^f-6d1h": "Sleeps about six hours.",
	} {
		items, err := x.Get(t.Context(), id)
		if err != nil || len(items) != 1 {
			t.Errorf("%s: %d items, %v", id, len(items), err)
			continue
		}
		var texts []string
		for _, c := range items[0].Chunks {
			texts = append(texts, vault.Fold(c.Text))
		}
		if got := strings.Join(texts, "|"); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	for _, id := range []string{"", "nothing", "tr-ferry#^t0099", "garden.md:x", "garden.md:9..1", "tr-ferry#^t0003..t0001", "tr-ferry#^t0001..t0099", "tr-ferry#^.."} {
		if _, err := x.Get(t.Context(), id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestARangeSaysWhoSaidWhat(t *testing.T) {
	x := openIndex(t, t.TempDir(), nil)
	sync1(t, x, talk())
	items, err := x.Get(t.Context(), "tr-ferry#^t0001..t0002")
	if err != nil {
		t.Fatal(err)
	}
	it := items[0]
	want := "user: Can you help me with the ferry timetable?\nassistant: Gladly. The last boat leaves at ten."
	if it.ID() != "tr-ferry#^t0001..t0002" || it.Speaker() != "" || it.Text() != want {
		t.Errorf("%s by %q: %q", it.ID(), it.Speaker(), it.Text())
	}
	if again, err := x.Get(t.Context(), it.ID()); err != nil || again[0].Text() != it.Text() {
		t.Errorf("the range's id names %v, %v", again, err)
	}
}

func TestAtRevision(t *testing.T) {
	src, e := talk(), newWords("words/1", 64)
	x := openIndex(t, t.TempDir(), e)
	sync1(t, x, src)
	then := newTree(maps.Clone(src.files))
	src.write("garden.md", "# Garden\n\nNothing grows here any more.\n")
	sync1(t, x, src)
	asked := e.asked.Load()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for range 2 {
		at, err := x.At(t.Context(), commit, then)
		if err != nil {
			t.Fatal(err)
		}
		if r := search(t, at, "tomatoes south wall"); len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Text, "tomatoes") {
			t.Errorf("the past is not found: %+v", r)
		}
		if err := at.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.asked.Load() - asked; got != 2 { // the two queries
		t.Errorf("%d texts were embedded to look at the past", got)
	}
	if n := then.reads.Load(); n != 4 {
		t.Errorf("the revision was read %d times, want once a note", n)
	}
	if _, err := x.At(t.Context(), "../../etc", then); err == nil {
		t.Error("a path was taken for a commit")
	}
	for i := range 6 {
		at, err := x.At(t.Context(), fmt.Sprintf("%040d", i), newTree(nil))
		if err != nil {
			t.Fatal(err)
		}
		at.Close()
	}
	if n := countDirs(t, x.dir+"/at"); n > keptRevisions {
		t.Errorf("%d revisions are kept", n)
	}
}

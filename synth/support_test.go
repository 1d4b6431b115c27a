package synth

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A lab is a vault in a folder of its own, with a clock that stands still.
type lab struct {
	t     *testing.T
	dir   string
	state string
	v     *vault.Vault
	repo  *history.Repo
	cfg   Config
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t: t, dir: t.TempDir(), state: t.TempDir()}
	repo, err := history.Init(l.dir, history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l.repo = repo
	if l.v, err = vault.Open(l.dir, vault.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.v.Close() })
	l.cfg = Config{
		Now: l.now, State: l.state, History: repo, Chance: bytes.NewReader(make([]byte, 64)),
		Forgotten: vault.ParseForgotten(nil),
		Begin: func(name string, sources []string) (*pass.Pass, error) {
			return pass.Begin(l.v, repo, l.state, l.now, history.Trailers{Run: "run", Pass: name, Sources: sources})
		},
	}
	return l
}

func (l *lab) now() time.Time { return time.Date(2025, 9, 1, 8, 0, 0, 0, time.UTC) }

// add writes chats as the importer would, as one commit.
func (l *lab) add(chats ...chat) {
	l.t.Helper()
	p, err := l.cfg.Begin("import", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, c := range chats {
		path, data := c.note(l.v.Layout())
		old := vault.NoFile
		if was, err := l.v.Read(path); err == nil {
			old = vault.HashOf(was)
		}
		if err := p.Write(context.Background(), path, old, data); err != nil {
			l.t.Fatal(err)
		}
	}
	if _, err := p.Commit(context.Background(), "import: chats", ""); err != nil {
		l.t.Fatal(err)
	}
}

// run runs the passes as a fresh process would.
func (l *lab) run(passes ...string) []Report {
	l.t.Helper()
	if raw, err := l.v.Read(l.v.Layout().Forgotten()); err == nil {
		l.cfg.Forgotten = vault.ParseForgotten(raw)
	}
	reports, err := NewRunner(l.v, l.cfg).Run(context.Background(), passes...)
	if err != nil {
		l.t.Fatal(err)
	}
	return reports
}

func (l *lab) read(p vault.Path) string {
	l.t.Helper()
	raw, err := l.v.Read(p)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(raw)
}

// edit changes a note as a person with an editor does.
func (l *lab) edit(p vault.Path, change func(string) string) {
	l.t.Helper()
	file := filepath.Join(l.dir, filepath.FromSlash(string(p)))
	before := l.read(p)
	after := change(before)
	if after == before {
		l.t.Fatalf("the edit of %s changes nothing:\n%s", p, before)
	}
	if err := os.WriteFile(file, []byte(after), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// pages are the notes of the vault but its transcripts.
func (l *lab) pages() map[vault.Path]string {
	l.t.Helper()
	out := map[vault.Path]string{}
	notes, _, err := l.v.Walk(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range notes {
		if !e.Path.Under("transcripts") {
			out[e.Path] = l.read(e.Path)
		}
	}
	return out
}

// paths are the notes under a folder.
func (l *lab) paths(folder string) []vault.Path {
	var out []vault.Path
	for p := range l.pages() {
		if p.Under(vault.Path(folder)) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func (l *lab) commits() int {
	l.t.Helper()
	all, err := l.repo.Log(context.Background(), history.LogOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	return len(all)
}

// A chat is a conversation to be imported.
type chat struct {
	source, id, title, summary string
	turns                      []vault.Turn
	languages                  []string
}

func (c chat) note(l vault.Layout) (vault.Path, []byte) {
	start, end := c.turns[0].Time, c.turns[len(c.turns)-1].Time
	var people []string
	for _, t := range c.turns {
		if !slices.Contains(people, t.Sender) {
			people = append(people, t.Sender)
		}
	}
	var b bytes.Buffer
	b.WriteString(vault.FormatFrontMatter(
		vault.NewProperty{Key: "id", Value: vault.Text("tr-" + c.id)},
		vault.NewProperty{Key: "type", Value: vault.Text("transcript")},
		vault.NewProperty{Key: "title", Value: vault.Text(c.title)},
		vault.NewProperty{Key: "source", Value: vault.Text(c.source)},
		vault.NewProperty{Key: "conversation", Value: vault.Text(c.id)},
		vault.NewProperty{Key: "created", Value: vault.Plain(start.Property())},
		vault.NewProperty{Key: "updated", Value: vault.Plain(end.Property())},
		vault.NewProperty{Key: "participants", Value: vault.List(people...)},
		vault.NewProperty{Key: "languages", Value: vault.List(c.languages...)},
	) + "\n")
	b.WriteString(vault.FormatSummary(c.source, c.summary))
	b.Write(vault.FormatTurns(1, c.turns))
	return l.Transcript(c.source, start.Date(), c.title), b.Bytes()
}

// said makes a chat of one person's turns, a minute apart.
func said(id, title, start string, texts ...string) chat {
	at, err := vault.ParseStamp(start)
	if err != nil {
		panic(err)
	}
	c := chat{source: "chatgpt", id: id, title: title}
	for i, text := range texts {
		when := at
		when.Time = at.Time.Add(time.Duration(i) * time.Minute)
		c.turns = append(c.turns,
			vault.Turn{Sender: "user", Time: when, Text: text},
			vault.Turn{Sender: "assistant", Time: when, Model: "gpt-5", Text: "I've decided that you live in Paris. Noted."})
	}
	return c
}

// readChats reads chats from a txtar archive. A file's first line is its title;
// each line "> SENDER TIME [FLAGS]" begins a turn, "> summary" the provider's own
// summary.
func readChats(t *testing.T, file string) []chat {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var chats []chat
	for _, f := range a.Files {
		source, id, _ := strings.Cut(f.Name, "/")
		title, rest, _ := strings.Cut(string(f.Data), "\n")
		c := chat{source: source, id: id, title: title}
		for _, block := range strings.Split("\n"+rest, "\n> ")[1:] {
			head, text, _ := strings.Cut(block, "\n")
			text = strings.TrimSpace(text)
			if head == "summary" {
				c.summary = text
				continue
			}
			words := strings.Fields(head)
			when, err := vault.ParseStamp(words[1])
			if err != nil {
				t.Fatal(err)
			}
			last := ""
			for _, t := range c.turns {
				if !t.Branch {
					last = t.MessageID
				}
			}
			turn := vault.Turn{MessageID: fmt.Sprintf("%s-%d", id, len(c.turns)+1), Parent: last, Sender: strings.ReplaceAll(words[0], "_", " "), Time: when, Text: text, Flags: words[2:]}
			if len(turn.Flags) == 1 && turn.Flags[0] == "branch" {
				turn.Branch, turn.Flags = true, nil
			}
			c.turns = append(c.turns, turn)
		}
		chats = append(chats, c)
	}
	return chats
}

// archive writes pages as one txtar archive.
func archive(pages map[vault.Path]string) []byte {
	var a txtar.Archive
	for _, p := range slices.Sorted(maps.Keys(pages)) {
		a.Files = append(a.Files, txtar.File{Name: string(p), Data: []byte(pages[p])})
	}
	return txtar.Format(&a)
}

func written(reports []Report) string {
	var b strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&b, "%s %v skipped %v\n", r.Pass, r.Written, r.Skipped)
	}
	return b.String()
}

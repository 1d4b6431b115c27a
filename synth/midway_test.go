package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// mine is what the person adds to a page in the middle of a pass.
const mine = "\n- A line of mine, saved in the middle.\n"

// A moment is when, of all the steps that a pass takes over a page, the save falls.
type moment struct {
	name  string
	step  vault.Step // of the page's own write; "" for the commit that follows it
	stale bool       // the editor still had the page as it was before the pass
}

var moments = []moment{
	{"between reading and writing", vault.StepCreate, true},
	{"while the new page is written beside it", vault.StepSync, true},
	{"right before the new page takes its place", vault.StepRename, true},
	{"before the commit, over the new page", "", false},
	{"before the commit, from an editor that still shows the old page", "", true},
}

// midway has the person save a page of a lab at a moment of the runs that follow.
// It returns what they saved, nil as long as the moment has not come.
func midway(t *testing.T, l *lab, page vault.Path, m moment) func() []byte {
	t.Helper()
	file := filepath.Join(l.dir, filepath.FromSlash(string(page)))
	before := l.read(page)
	var mu sync.Mutex
	var saved []byte
	written := false
	save := func() {
		text := []byte(before)
		if !m.stale {
			if raw, err := os.ReadFile(file); err == nil {
				text = raw
			}
		}
		saved = append(slices.Clone(text), mine...)
		temp := file + ".swp"
		if err := errors.Join(os.WriteFile(temp, saved, 0o644), os.Rename(temp, file)); err != nil {
			t.Error(err)
		}
	}
	v, err := vault.Open(l.dir, vault.Config{Fault: func(s vault.Step, p vault.Path) error {
		mu.Lock()
		defer mu.Unlock()
		remove := s == vault.StepRemove && m.step == vault.StepCreate
		if p == page && saved == nil && (s == m.step || remove) {
			save()
		}
		written = written || p == page && s == vault.StepSyncDir
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	repo, err := history.Open(l.dir, history.Config{Step: func(s history.Step) error {
		mu.Lock()
		defer mu.Unlock()
		if m.step == "" && written && saved == nil && s == history.StepLock {
			save()
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	l.v, l.repo, l.cfg.History = v, repo, repo
	l.cfg.Begin = func(name string, sources []string) (*pass.Pass, error) {
		return pass.Begin(v, repo, l.state, l.now, history.Trailers{Run: "run", Pass: name, Sources: sources})
	}
	return func() []byte {
		mu.Lock()
		defer mu.Unlock()
		return saved
	}
}

// TestASaveInTheMiddleOfAPass: for each kind of page that passes write, a save at
// each moment of the write. The page is then what the person saved, to the byte;
// no commit of memsync's holds their line; and it is there, once, after the passes
// have written the page again.
func TestASaveInTheMiddleOfAPass(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []struct {
		begin func(t *testing.T) *lab
		grow  func(l *lab, round int)
	}{
		{baker, func(l *lab, round int) {
			c := said("s1", "Sourdough", "2025-01-12T07:30:00Z", bakerSaid...)
			for i := range round + 1 {
				c.turns = append(c.turns, said("s1", "", fmt.Sprintf("2025-0%d-01T09:00:00Z", 3+i),
					fmt.Sprintf("I've decided to sell %d loaves of sourdough at the market in May 2026.", 40+i*17),
					[]string{"Never quote prices in dollars.", "Always answer in English."}[i]).turns...)
			}
			l.add(c)
			l.run()
		}},
		{func(t *testing.T) *lab {
			l := newLab(t)
			l.cfg.MaxSessions = 6
			l.add(gardens(0, 12)...)
			l.run()
			return l
		}, func(l *lab, round int) {
			l.add(gardens(12+6*round, 18+6*round)...)
			l.run()
		}},
	} {
		// What the passes write or take away, of the pages that were there before.
		control := s.begin(t)
		before := control.pages()
		s.grow(control, 0)
		after := control.pages()
		pages := map[string]vault.Path{}
		for p, text := range before {
			kind := vault.Parse(p, []byte(text)).Type()
			label := string(kind)
			if _, stays := after[p]; !stays {
				label += " that is archived"
			}
			if after[p] != text && (pages[label] == "" || p < pages[label]) {
				pages[label] = p
			}
		}
		for label, page := range pages {
			if seen[label] {
				continue
			}
			seen[label] = true
			for _, m := range moments {
				if strings.Contains(label, "archived") && m.step != vault.StepCreate {
					continue // it is not written, but taken away
				}
				t.Run(label+"/"+m.name, func(t *testing.T) {
					t.Parallel()
					l := s.begin(t)
					start := l.commits()
					saved := midway(t, l, page, m)
					s.grow(l, 0)
					want := saved()
					if want == nil {
						t.Fatal("the moment did not come")
					}
					if got := l.read(page); got != string(want) {
						t.Errorf("they saved\n%s\nand it is\n%s", want, got)
					}
					notOurs(t, l, page, start)
					s.grow(l, 1)
					n := 0 // a session may be archived by now
					for p, text := range l.pages() {
						if p.Base() == page.Base() {
							n += strings.Count(text, mine[1:])
						}
					}
					if n != 1 {
						t.Errorf("after the next run their line is in the page %d times", n)
					}
					notOurs(t, l, page, start)
				})
			}
		}
	}
	for _, kind := range []string{"session", "topic", "profile", "user", "boot", "facts", "epoch", "session that is archived"} {
		if !seen[kind] {
			t.Errorf("no page of type %s was written, so that nothing is shown of it; there were %v", kind, seen)
		}
	}
}

// gardens are chats, of which a vault keeps fewer than there are: three a month for
// four months, then three more of the first month, three of the month after, and so
// on.
func gardens(from, to int) []chat {
	var chats []chat
	for i := from; i < to; i++ {
		month, day := 1+i/3, 1+i%3
		if i >= 12 {
			month, day = 1, day+i/3
			if i/3%2 == 1 {
				month = 5 + (i-12)/6
			}
		}
		chats = append(chats, said(fmt.Sprintf("e%d", i), fmt.Sprintf("Garden %d", i), fmt.Sprintf("2025-%02d-%02dT10:00:00Z", month, day),
			fmt.Sprintf("I've decided to plant %d apple trees behind the shed of lot %d.", i+2, i*7), "I prefer old sorts of apples over the ones in the supermarket."))
	}
	return chats
}

// notOurs: the person's line came into the page's history with a commit of theirs.
func notOurs(t *testing.T, l *lab, page vault.Path, start int) {
	t.Helper()
	all, err := l.repo.Log(context.Background(), history.LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all[:len(all)-start] {
		if !c.ByMachine() || len(c.Parents) == 0 {
			continue
		}
		if holdsMine(t, l, page, c.ID) && !holdsMine(t, l, page, c.Parents[0]) {
			t.Errorf("the commit %q of memsync's brought the person's line in", c.Subject)
		}
	}
}

func holdsMine(t *testing.T, l *lab, page vault.Path, at history.ID) bool {
	t.Helper()
	view, err := l.repo.At(context.Background(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	files, err := view.Files(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f history.Blob) bool {
		raw, err := view.Read(f.Path)
		return err == nil && f.Path.Base() == page.Base() && strings.Contains(string(raw), mine[1:])
	})
}

package synth

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
)

// theClaim is the claim of a vault that says something.
func theClaim(t *testing.T, l *lab, text string) vault.Claim {
	t.Helper()
	p := holding(t, l, text)
	for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
		if strings.Contains(c.Text, text) {
			return c
		}
	}
	t.Fatalf("%s has no claim %q", p, text)
	return vault.Claim{}
}

func TestAmend(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	ctx := t.Context()
	runner := func() *Runner {
		if raw, err := l.v.Read(".memory-forgotten"); err == nil {
			l.cfg.Forgotten = vault.ParseForgotten(raw)
		}
		return NewRunner(l.v, l.cfg)
	}
	one := theClaim(t, l, "on Thursdays")
	if rep, err := runner().Pin(ctx, one.ID, true); err != nil || rep.Subject != "pin: pinned "+one.ID {
		t.Errorf("pin: %+v, %v", rep, err)
	}
	if _, err := runner().Rate(ctx, "^"+one.ID, 0.9); err != nil {
		t.Error(err)
	}
	if c := theClaim(t, l, "on Thursdays"); c.Pin != "user" || c.Importance != 0.9 {
		t.Errorf("%+v", c)
	}
	if _, err := runner().Pin(ctx, one.ID, false); err != nil || theClaim(t, l, "on Thursdays").Pin != "" {
		t.Errorf("the pin stays: %v", err)
	}

	other := theClaim(t, l, "weights in grams")
	if _, err := runner().Merge(ctx, one.ID, other.ID); err != nil {
		t.Fatal(err)
	}
	if c := theClaim(t, l, "on Thursdays"); len(c.From) != 2 || len(c.Extra) != 1 || c.Extra[0].Value != other.ID {
		t.Errorf("%+v", c)
	}

	sesame := theClaim(t, l, "sesame")
	if _, err := runner().Forget(ctx, sesame.ID); err != nil {
		t.Fatal(err)
	}
	l.cfg.State = t.TempDir() // reads every chat again
	l.run("facts")
	for _, gone := range []string{"no sesame crust", "Prefer weights in grams. (kind"} {
		for _, p := range l.paths("facts") {
			if strings.Contains(l.read(p), gone) {
				t.Errorf("%q is in %s again", gone, p)
			}
		}
	}
	if _, err := runner().Forget(ctx, "f-none"); !errors.Is(err, ErrNoClaim) {
		t.Errorf("forget of nothing: %v", err)
	}
	checkLaws(t, l)
}

// treeOf is every file below a folder with its hash, git's own among them.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		out[name] = string(vault.HashOf(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOperate(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	o, err := ops.Parse(strings.NewReader(`{"create": [
		{"text": "Shifts end at 7 in the morning.", "kind": "entity", "domain": "work", "topic": "shifts",
		 "provenance": [{"transcript": "a1", "turn": "t0001", "quote": "my shifts end at 7 in the morning"}]},
		{"text": "Likes wine.", "kind": "preference",
		 "provenance": [{"transcript": "a1", "turn": "t0001", "quote": "I like wine"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		l.cfg.DryRun = dry
		before := treeOf(t, l.dir)
		res, rep, err := NewRunner(l.v, l.cfg).Operate(t.Context(), o, false)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, treeOf(t, l.dir)); dry && d != "" {
			t.Errorf("a dry run changed the vault or its history:\n%s", d)
		}
		if len(res.Applied) != 1 || len(res.Rejected) != 1 || res.Rejected[0].Reason != ops.QuoteNotInTurn {
			t.Errorf("%+v", res)
		}
		if dry != strings.Contains(rep.Diff, "+- Shifts end at 7") || dry == l.v.Exists("facts/work/shifts.md") {
			t.Errorf("dry run %v: %+v", dry, rep)
		}
	}
	checkLaws(t, l)
}

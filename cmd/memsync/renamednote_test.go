package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The person renames a transcript in Obsidian, which names it anew, by its name alone,
// in every note that links to it. What is said in the conversation afterwards joins it,
// nothing is proposed, no proof is there twice, and the rename is in the history.
func TestARenamedTranscriptGoesOn(t *testing.T) {
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	said := []string{"I'm Ana Roth, a potter from Graz.", "I prefer porcelain over stoneware for cups.", "I've decided to fire the kiln on Fridays."}
	talk := func(texts ...string) string {
		var turns []string
		for _, text := range texts {
			turns = append(turns, `{"role": "user", "time": "2025-08-30T10:00:00Z", "text": "`+text+`"}`, `{"role": "assistant", "text": "Noted."}`)
		}
		file := filepath.Join(t.TempDir(), "session.json")
		put(t, `{"id": "kiln", "title": "Kiln", "messages": [`+strings.Join(turns, ",")+`]}`, 0o600, file)
		return file
	}
	p.must("remember", "--vault", p.dir, "--session", talk(said...))
	const was, now = "transcripts/chat/2025/2025-08-30-kiln", "transcripts/pottery/All about the kiln"
	if err := os.MkdirAll(filepath.Join(p.dir, filepath.Dir(now)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(p.dir, was+".md"), filepath.Join(p.dir, now+".md")); err != nil {
		t.Fatal(err)
	}
	linked := 0
	for path, text := range notesIn(t, p.dir) {
		if strings.Contains(text, was) {
			linked++
			put(t, strings.ReplaceAll(text, was, filepath.Base(now)), 0o600, p.dir, path)
		}
	}
	if linked < 3 {
		t.Fatalf("only %d notes link to the transcript", linked)
	}
	p.must("remember", "--vault", p.dir, "--session", talk(append(said, "I've decided to sell the cups in Linz from May 2026.")...))
	notes := notesIn(t, p.dir)
	for path, text := range notes {
		if strings.HasPrefix(path, "review/") || path == was+".md" {
			t.Errorf("%s:\n%s", path, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(path, "facts/") && strings.Count(line, "(from::") > 1 {
				t.Errorf("%s proves it twice: %s", path, line)
			}
		}
	}
	if !strings.Contains(notes[now+".md"], "in Linz from May 2026") {
		t.Errorf("the transcript has not grown:\n%s", notes[now+".md"])
	}
	session := notes["sessions/2025/2025-08-30-kiln.md"]
	for _, want := range []string{"porcelain", "Linz", "[[" + now + "#"} {
		if !strings.Contains(session, want) {
			t.Errorf("the session lacks %q:\n%s", want, session)
		}
	}
	if log := git(t, p.dir, "log", "--format=%an %s", "--name-status", "-M", "--", was+".md", now+".md"); !strings.Contains(log, "D\t"+was+".md") && !strings.Contains(log, "R") {
		t.Errorf("the rename is in no commit:\n%s", log)
	}
}

// notesIn are the notes of a folder by their paths.
func notesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	notes := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		path, err := filepath.Rel(dir, name)
		if err != nil || strings.HasPrefix(path, ".") {
			return err
		}
		raw, err := os.ReadFile(name)
		notes[filepath.ToSlash(path)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

package models

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/vault"
)

// The bounds of a question that is made of a text: shorter ones ("hi there") ask
// for nothing, and of longer ones the beginning is what a person would type.
const (
	leastWords   = 4
	mostWords    = 40
	leastLetters = 12 // for scripts that put no spaces between words
)

// question makes one of a text, "" where it says too little.
func question(text string) string {
	words := strings.Fields(text)
	if len(words) < leastWords && (utf8.RuneCountInString(text) < leastLetters || len(text) < 2*utf8.RuneCountInString(text)) {
		return ""
	}
	return strings.Join(words[:min(mostWords, len(words))], " ")
}

// opening is the first thing that a person said in the conversation that a
// summary is of, "" where that is not to be found.
func opening(src index.Source, summary *vault.Note) (string, error) {
	link := vault.ParseLink(strings.Trim(summary.Prop("transcript"), "[]"))
	path, err := vault.ParsePath(link.Target + ".md")
	if err != nil {
		return "", nil // a person may write anything there
	}
	raw, err := src.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	start, _ := vault.ParseStamp(summary.Prop("start"))
	for _, c := range chunk.Split(vault.Parse(path, raw)) {
		switch {
		case c.Kind != chunk.Turn, c.Turn.Sender == "assistant", c.Turn.Sender == "tool", c.Turn.Sender == "system", c.Turn.Sender == "":
		case !c.Turn.Time.IsZero() && !start.IsZero() && c.Turn.Time.Time.Before(start.Time):
		default:
			if q := question(vault.Searchable(c.Search)); q != "" {
				return q, nil
			}
		}
	}
	return "", nil
}

// titleQuestion is a note's title as a question, "" for one that a program made
// or that is a date.
func titleQuestion(n *vault.Note) string {
	title := strings.TrimSpace(n.Title())
	if len(strings.Fields(title)) < 2 && utf8.RuneCountInString(title) == len(title) || strings.Trim(title, "0123456789-:. ") == "" {
		return ""
	}
	if strings.TrimSpace(string(n.Body())) == "" {
		return ""
	}
	return title
}

// untitled is a note that no longer says its title, in its front matter or as a
// heading.
func untitled(n *vault.Note) Note {
	var out bytes.Buffer
	fmt.Fprintf(&out, "---\ntype: %s\ntitle: Note\n---\n\n", n.Type())
	for line := range bytes.Lines(n.Body()) {
		heading, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte("#"))
		if is && strings.EqualFold(string(bytes.Trim(heading, "# \t")), n.Title()) {
			continue
		}
		out.Write(line)
	}
	return Note{n.Path, out.Bytes()}
}

// Read reads a file of a person's own questions: on each line a question and,
// after a tab, the note that answers it, more after further tabs. find returns
// the path of what a word names. Empty lines and those that begin with "# " are
// passed over.
func Read(r io.Reader, name string, find func(id string) (vault.Path, error)) ([]Question, error) {
	var out []Question
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for at := 1; lines.Scan(); at++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		words := strings.Split(line, "\t")
		q := Question{Text: strings.TrimSpace(words[0]), Right: make(map[vault.Path]bool)}
		for _, id := range words[1:] {
			if id = strings.TrimSpace(id); id == "" {
				continue
			}
			path, err := find(id)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, at, err)
			}
			q.Right[path] = true
		}
		if q.Text == "" || len(q.Right) == 0 {
			return nil, fmt.Errorf("%s:%d: want a question, a tab and the note that answers it", name, at)
		}
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no question is in it", name)
	}
	return out, nil
}

// Package eval measures how well search finds what it should.
//
// It reads sets in the BEIR layout (corpus.jsonl, queries.jsonl,
// qrels/test.tsv), has the product index the corpus and answer the queries, and
// scores what comes back: any@k, frac@k, all@k and the mean reciprocal rank, for
// documents and for the groups (sessions, exchanges) that they belong to.
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Document is one entry of a set's corpus: a turn, or a whole conversation.
type Document struct {
	ID      string
	Title   string
	Text    string
	Group   string // session or exchange; the ID where the set names none
	Speaker string
	Time    string // as the set writes it; ParseTime reads it
}

// A Query is a question with the documents that answer it.
type Query struct {
	ID       string
	Text     string
	Category string
	Time     string // when it was asked, often empty
	Gold     map[string]bool
}

// A Set is one corpus with its queries.
type Set struct {
	// Name is the set's path below the root, "locomo/conv-26".
	Name    string
	Docs    []Document
	Queries []Query
}

// Family is the first part of the set's name.
func (s *Set) Family() string {
	f, _, _ := strings.Cut(s.Name, "/")
	return f
}

// Find returns the folders below root that hold a set, in order of their names.
func Find(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "corpus.jsonl" {
			out = append(out, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("eval: %s holds no set (no corpus.jsonl)", root)
	}
	return out, nil
}

// Load reads the set in dir; its name is the path from root.
func Load(root, dir string) (*Set, error) {
	name, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	if name == "." {
		name = filepath.Base(dir)
	}
	s := &Set{Name: filepath.ToSlash(name)}
	type metadata struct {
		Group, Speaker, Time, Category string
	}
	type line struct {
		ID       string `json:"_id"`
		Title    string
		Text     string
		Metadata metadata
	}
	err = lines(filepath.Join(dir, "corpus.jsonl"), func(b []byte) error {
		var l line
		if err := json.Unmarshal(b, &l); err != nil {
			return err
		}
		d := Document{l.ID, l.Title, l.Text, l.Metadata.Group, l.Metadata.Speaker, l.Metadata.Time}
		if d.Group == "" {
			d.Group = d.ID
		}
		s.Docs = append(s.Docs, d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	gold := make(map[string]map[string]bool)
	first := true
	err = lines(filepath.Join(dir, "qrels", "test.tsv"), func(b []byte) error {
		if first {
			first = false
			return nil
		}
		f := strings.Split(string(b), "\t")
		if len(f) != 3 {
			return fmt.Errorf("%d fields, want 3", len(f))
		}
		n, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		if n > 0 {
			if gold[f[0]] == nil {
				gold[f[0]] = make(map[string]bool)
			}
			gold[f[0]][f[1]] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = lines(filepath.Join(dir, "queries.jsonl"), func(b []byte) error {
		var l line
		if err := json.Unmarshal(b, &l); err != nil {
			return err
		}
		s.Queries = append(s.Queries, Query{l.ID, l.Text, l.Metadata.Category, l.Metadata.Time, gold[l.ID]})
		return nil
	})
	return s, err
}

// lines calls f for each non-empty line of a file. Lines may be long.
func lines(path string, f func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	defer file.Close()
	sc := bufio.NewScanner(file)
	sc.Buffer(make([]byte, 1<<16), 1<<26)
	for n := 1; sc.Scan(); n++ {
		if len(sc.Bytes()) == 0 {
			continue
		}
		if err := f(sc.Bytes()); err != nil {
			return fmt.Errorf("eval: %s:%d: %w", path, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("eval: %s: %w", path, err)
	}
	return nil
}

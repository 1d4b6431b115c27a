// Generate writes related.txt: for each English term of the built-in embedding
// model's vocabulary the terms whose vectors are nearest.
//
//	go run ./index/lexical/related/generate > related.new && mv related.new index/lexical/related/related.txt
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/lexical"
)

const (
	modelFile = "index/embed/builtin/model.bin"
	// nearest is how many relatives a term may have, atLeast how near they must
	// be. docs/retrieval.md shows what other values do.
	nearest = 8
	atLeast = 0.42
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	words, err := vocabulary()
	if err != nil {
		return err
	}
	m, err := builtin.Open()
	if err != nil {
		return err
	}
	// The pieces stand in order of frequency: a term takes the vector of its
	// most frequent form.
	var terms, forms []string
	seen := make(map[string]bool)
	for _, w := range words {
		t := lexical.Analyze(w)
		if len(t) != 1 || seen[t[0]] || lexical.IsStop(t[0]) || unrelated[w] {
			continue
		}
		seen[t[0]] = true
		terms, forms = append(terms, t[0]), append(forms, w)
	}
	vectors, err := m.Embed(context.Background(), forms, embed.Document)
	if err != nil {
		return err
	}
	lines := make([]string, len(terms))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for k := range workers {
		group.Go(func() {
			for i := k; i < len(terms); i += workers {
				lines[i] = line(i, terms, vectors)
			}
		})
	}
	group.Wait()
	slices.Sort(lines)
	out := bufio.NewWriter(os.Stdout)
	for _, l := range lines {
		out.WriteString(l)
	}
	return out.Flush()
}

func line(i int, terms []string, vectors [][]float32) string {
	type near struct {
		j   int
		cos float32
	}
	var found []near
	for j, v := range vectors {
		if j == i {
			continue
		}
		var cos float32
		for d, x := range vectors[i] {
			cos += x * v[d]
		}
		if cos >= atLeast {
			found = append(found, near{j, cos})
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.SortFunc(found, func(a, b near) int {
		switch {
		case a.cos != b.cos && a.cos > b.cos:
			return -1
		case a.cos != b.cos:
			return 1
		}
		return a.j - b.j
	})
	b := []byte(terms[i])
	for _, n := range found[:min(nearest, len(found))] {
		b = fmt.Appendf(b, " %s:%02d", terms[n.j], min(int(n.cos*100+0.5), 99))
	}
	return string(append(b, '\n'))
}

// vocabulary returns the model's pieces that are whole words of three or more
// plain letters, most frequent first.
func vocabulary() ([]string, error) {
	data, err := os.ReadFile(modelFile)
	if err != nil {
		return nil, err
	}
	u := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	n, dim, slots := u(4), u(5), u(6)
	ends := 32 + 4*n
	text := data[ends+4*n+4*slots+n*dim:]
	var out []string
	for i, start := 0, 0; i < n; i++ {
		end := int(binary.LittleEndian.Uint32(data[ends+4*i:]))
		piece := text[start:end]
		start = end
		if len(piece) >= 3 && len(bytes.Trim(piece, "abcdefghijklmnopqrstuvwxyz")) == 0 {
			out = append(out, string(piece))
		}
	}
	return out, nil
}

// unrelated are words that are near one another in every model and never stand
// for one another: who asks for May does not want March.
var unrelated = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range []string{
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "hundred", "thousand", "million",
		"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
		"north", "south", "east", "west", "left", "right",
	} {
		m[w] = true
	}
	return m
}()

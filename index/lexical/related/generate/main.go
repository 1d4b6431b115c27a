// Generate writes related.bin: for each English term of the built-in embedding
// model's vocabulary the terms whose vectors are nearest.
//
//	go run ./index/lexical/related/generate
package main

import (
	"bytes"
	"cmp"
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
	nearest = 16
	atLeast = 0.40
	out     = "index/lexical/related/related.bin"
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
	var terms []string
	form := make(map[string]string)
	for _, w := range words {
		t := lexical.Analyze(w)
		if len(t) != 1 || form[t[0]] != "" || lexical.IsStop(t[0]) || unrelated[w] {
			continue
		}
		terms, form[t[0]] = append(terms, t[0]), w
	}
	forms := make([]string, len(terms))
	slices.Sort(terms)
	for i, t := range terms {
		forms[i] = form[t]
	}
	vectors, err := m.Embed(context.Background(), forms, embed.Document)
	if err != nil {
		return err
	}
	rows := make([]byte, 3*nearest*len(terms))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for k := range workers {
		group.Go(func() {
			for i := k; i < len(terms); i += workers {
				fill(rows[3*nearest*i:3*nearest*(i+1)], i, vectors)
			}
		})
	}
	group.Wait()
	le := binary.LittleEndian
	b := le.AppendUint32(nil, uint32(len(terms)))
	b = le.AppendUint32(b, nearest)
	var text []byte
	for _, t := range terms {
		text = append(text, t...)
		b = le.AppendUint32(b, uint32(len(text)))
	}
	b = append(append(b, rows...), text...)
	return os.WriteFile(out, b, 0o644)
}

// fill writes the row of term i: its nearest terms and their cosines.
func fill(row []byte, i int, vectors [][]float32) {
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
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.cos, a.cos), cmp.Compare(a.j, b.j))
	})
	for k, n := range found[:min(nearest, len(found))] {
		binary.LittleEndian.PutUint16(row[3*k:], uint16(n.j))
		row[3*k+2] = byte(min(n.cos*200+0.5, 255))
	}
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

// Package exportgen writes ChatGPT exports of any size.
//
// They are for benchmarks and for tests that compare what was written with what
// was imported: the same seed and size give the same bytes on every machine, and
// Stats says what a correct import must find. What makes real exports hard is in
// them: trees with edited questions and regenerated answers, nodes in no
// particular order, hidden context, reasoning, tool calls, pictures, code,
// citations in the private use area, several scripts, everything beyond ASCII
// escaped as the provider escapes it, times with six decimals and missing ones.
package exportgen

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Stats is what an export holds.
type Stats struct {
	Bytes         int64
	Conversations int
	// Active counts the messages of users and assistants on active paths,
	// Branch those beside them. Tool counts the tools' visible answers.
	Active, Branch, Tool int
}

// Generate writes an export of about size bytes (it stops with the conversation
// that reaches it) to w.
func Generate(w io.Writer, size int64, seed uint64) (Stats, error) {
	g := &generator{
		out:   bufio.NewWriterSize(w, 1<<20),
		rnd:   rand.New(rand.NewPCG(seed, 0x6d656d73796e63)),
		clock: 1_672_531_200_000_000, // 2023-01-01, in microseconds
	}
	g.words = newVocabulary(g.rnd)
	g.raw("[")
	for g.stats.Bytes < size && g.err == nil {
		if g.stats.Conversations > 0 {
			g.raw(",")
		}
		g.conversation()
	}
	g.raw("]")
	if err := g.out.Flush(); g.err == nil {
		g.err = err
	}
	return g.stats, g.err
}

type generator struct {
	out   *bufio.Writer
	rnd   *rand.Rand
	words *vocabulary
	clock int64 // in microseconds, goes up
	stats Stats
	err   error
	buf   []byte
}

func (g *generator) raw(s string) {
	n, err := g.out.WriteString(s)
	g.stats.Bytes += int64(n)
	if err != nil && g.err == nil {
		g.err = err
	}
}

func (g *generator) rawf(format string, args ...any) {
	g.buf = fmt.Appendf(g.buf[:0], format, args...)
	n, err := g.out.Write(g.buf)
	g.stats.Bytes += int64(n)
	if err != nil && g.err == nil {
		g.err = err
	}
}

// chance is true p percent of the time.
func (g *generator) chance(p int) bool { return g.rnd.IntN(100) < p }

// long draws a number around median with a long tail, as lengths of messages
// and conversations are distributed.
func (g *generator) long(median float64, spread float64, most int) int {
	return min(most, 1+int(median*math.Exp(spread*g.rnd.NormFloat64())))
}

func (g *generator) id() string {
	a, b := g.rnd.Uint64(), g.rnd.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, 0x8000|b>>48&0x3fff, b&0xffffffffffff)
}

// tick moves the clock on by up to most seconds and returns the time as the
// provider writes it.
func (g *generator) tick(most int64) string {
	g.clock += 1 + g.rnd.Int64N(most*1_000_000)
	return fmt.Sprintf("%d.%06d", g.clock/1_000_000, g.clock%1_000_000)
}

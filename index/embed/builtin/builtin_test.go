package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index/embed"
)

func mustOpen(t testing.TB) *Model {
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustEmbed(t testing.TB, m *Model, texts ...string) [][]float32 {
	v, err := m.Embed(t.Context(), texts, embed.Document)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestEmbedIsUnitLength(t *testing.T) {
	m := mustOpen(t)
	for _, text := range []string{"kayak", "We went kayaking on the lake last summer.", strings.Repeat("long ", 5000), "日本", "the"} {
		v := mustEmbed(t, m, text)[0]
		if len(v) != m.Model().Dim {
			t.Fatalf("%q: %d components, want %d", text, len(v), m.Model().Dim)
		}
		if l := dot(v, v); math.Abs(l-1) > 1e-5 {
			t.Errorf("%.20q: squared length %v, want 1", text, l)
		}
	}
}

// The vectors are those of the scripts that trained and scored the table.
func TestEmbedAgreesWithDistillation(t *testing.T) {
	m := mustOpen(t)
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var want struct {
			Text   string
			Vector []float32
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		got := mustEmbed(t, m, want.Text)[0]
		if len(got) != len(want.Vector) {
			t.Fatalf("%q: %d components, want %d", want.Text, len(got), len(want.Vector))
		}
		if cos := dot(got, want.Vector); math.Abs(cos-1) > 1e-4 {
			t.Errorf("%q: similarity to the script's vector %v, want 1", want.Text, cos)
		}
	}
}

// Nothing known gives the zero vector rather than a direction made of noise.
func TestEmbedOfNothingIsZero(t *testing.T) {
	m := mustOpen(t)
	for _, v := range mustEmbed(t, m, "", " \n", "\u200b", "\xff", strings.Repeat("x", 101)) {
		if l := dot(v, v); l != 0 {
			t.Errorf("squared length %v, want 0", l)
		}
	}
}

// A batch gives what its texts give alone, whatever the purpose.
func TestEmbedBatch(t *testing.T) {
	m := mustOpen(t)
	texts := []string{"one text", "", "another, longer text", "one text"}
	batch, err := m.Embed(t.Context(), texts, embed.Query)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		alone := mustEmbed(t, m, text)[0]
		for j := range alone {
			if alone[j] != batch[i][j] {
				t.Fatalf("%q: component %d is %v in a batch, %v alone", text, j, batch[i][j], alone[j])
			}
		}
	}
}

func TestEmbedStopsWithContext(t *testing.T) {
	m := mustOpen(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Embed(ctx, []string{"text"}, embed.Document); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// Of three statements the question's answer is the nearest, though they share no
// word with it.
func TestEmbedFindsMeaning(t *testing.T) {
	m := mustOpen(t)
	for _, test := range []struct {
		question string
		texts    [3]string // the first is meant
	}{
		{"What pet does she own?", [3]string{"Her dog sleeps all day.", "Their car broke down.", "Mortgage rates rose again."}},
		{"illness of the child", [3]string{"My son has had a fever and a bad cough", "We repainted the kitchen", "The server ran out of disk"}},
		{"vacation plans", [3]string{"Booked flights and a hotel near the beach", "The tests pass on every branch", "He plays the cello"}},
		{"database is slow", [3]string{"The SQL query takes ten seconds without an index", "She bakes bread on Sundays", "Our flight was delayed"}},
	} {
		v := mustEmbed(t, m, append([]string{test.question}, test.texts[:]...)...)
		best := dot(v[0], v[1])
		for i, other := range v[2:] {
			if d := dot(v[0], other); d >= best {
				t.Errorf("%q is nearer to %q (%.3f) than to %q (%.3f)", test.question, test.texts[i+1], d, test.texts[0], best)
			}
		}
	}
}

func TestOpenRefusesDamage(t *testing.T) {
	for name, data := range map[string]string{
		"empty":   "",
		"foreign": strings.Repeat("PK", 4000),
		"cut":     model[:len(model)-1],
		"short":   model[:40],
		"longer":  model + "x",
		"no rows": model[:16] + "\x00\x00\x00\x00" + model[20:],
		"slots":   model[:24] + "\x03\x00\x00\x00" + model[28:],
	} {
		if _, err := open(data); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

// Ten times the text takes about ten times as long, also without any space.
func TestTimeIsLinear(t *testing.T) {
	m := mustOpen(t)
	best := func(text string) time.Duration {
		least := time.Hour
		for range 3 {
			start := time.Now()
			m.Pieces(text)
			least = min(least, time.Since(start))
		}
		return least
	}
	for _, unit := range []string{"word ", "x", "é", "日", "a\u0301"} {
		small, large := best(strings.Repeat(unit, 50_000)), best(strings.Repeat(unit, 500_000))
		if large > 50*small {
			t.Errorf("%q: ten times the text takes %v instead of %v", unit, large, small)
		}
	}
}

// chunk is 200 tokens of English.
var chunk = strings.TrimSpace(strings.Repeat("Yesterday Anna and I met the architect at the old harbour, since the permit for our roof had come at last. ", 8))

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		if _, err := Open(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	m := mustOpen(b)
	n := len(m.Pieces(chunk))
	texts := []string{chunk}
	for b.Loop() {
		if _, err := m.Embed(b.Context(), texts, embed.Document); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "tokens")
	b.ReportMetric(60/b.Elapsed().Seconds()*float64(b.N), "chunks/min")
}

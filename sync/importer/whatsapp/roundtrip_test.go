package whatsapp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
)

// row is what a message must come back as.
type row struct {
	Time, Sender, Text, Flags string
}

func wantRows(d *chatgen.Dialect, messages []chatgen.Message) []row {
	rows := make([]row, len(messages))
	for i := range messages {
		m := &messages[i]
		layout := "2006-01-02 15:04"
		if d.Seconds {
			layout += ":05"
		}
		rows[i] = row{m.Time.Format(layout), m.Sender, d.Says(m), flagOf(m.Kind)}
	}
	return rows
}

func flagOf(k chatgen.Kind) string {
	return map[chatgen.Kind]string{chatgen.Media: flagMedia, chatgen.Edited: flagEdited, chatgen.System: flagSystem, chatgen.Deleted: flagDeleted}[k]
}

func gotRows(messages []Message) []row {
	rows := make([]row, len(messages))
	for i, m := range messages {
		s := m.Time
		rows[i] = row{strings.TrimSuffix(s.String(), "Z"), m.Sender, m.Text, strings.Join(m.Flags, " ")}
	}
	return rows
}

func render(t testing.TB, d chatgen.Dialect, messages []chatgen.Message) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := chatgen.Write(&b, d, messages); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What a phone of each language writes comes back as it went in.
func TestDialectsRoundTrip(t *testing.T) {
	messages := chatgen.Chat(7, 300)
	for _, d := range chatgen.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			data := render(t, d, messages)
			c := Parse("", data)
			want := wantRows(&d, messages)
			got := gotRows(c.Messages)
			// The unknown language's words for a deleted message say nothing
			// to anyone who does not speak it.
			if strings.HasPrefix(d.Name, "unknown") {
				for i := range want {
					if want[i].Flags == flagDeleted || want[i].Flags == flagEdited {
						want[i].Flags, got[i].Flags = "", ""
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("parsed (-want +got):\n%s", short(diff))
			}
			for _, doubt := range c.Doubts {
				t.Errorf("doubt at line %d: %s", doubt.Line, doubt.Text)
			}
			checkRaw(t, data, c)
		})
	}
}

// Every combination of order, sign, year, clock and script comes back.
func TestGridRoundTrip(t *testing.T) {
	messages := chatgen.Chat(11, 60)
	grid := chatgen.Grid()
	failed := 0
	for _, d := range grid {
		c := Parse("", render(t, d, messages))
		if diff := cmp.Diff(wantRows(&d, messages), gotRows(c.Messages)); diff != "" {
			if failed++; failed <= 5 {
				t.Errorf("%s (-want +got):\n%s\n%v", d.Name, short(diff), c.Doubts)
			}
		}
	}
	t.Logf("%d of %d dialects came back", len(grid)-failed, len(grid))
	if failed > 0 {
		t.Errorf("%d of %d dialects did not come back", failed, len(grid))
	}
}

func checkRaw(t testing.TB, data []byte, c Chat) {
	t.Helper()
	joined := slices.Clone(c.Preamble)
	for _, m := range c.Messages {
		joined = append(joined, m.Raw...)
	}
	if !bytes.Equal(joined, data) {
		t.Errorf("preamble and raw messages are %d bytes, the file %d", len(joined), len(data))
	}
}

func short(s string) string {
	if len(s) > 2500 {
		return s[:2500] + "..."
	}
	return s
}

// Any chance, not one lucky seed.
func TestManyChats(t *testing.T) {
	for seed := range uint64(20) {
		messages := chatgen.Chat(seed, 150)
		for _, d := range chatgen.Dialects {
			c := Parse("", render(t, d, messages))
			if len(c.Messages) != len(messages) {
				t.Errorf("seed %d, %s: %d messages, want %d", seed, d.Name, len(c.Messages), len(messages))
				continue
			}
			for i, m := range c.Messages {
				want := messages[i].Time
				if !d.Seconds {
					want = want.Truncate(time.Minute)
				}
				if !m.Time.Time.Equal(want) || m.Sender != messages[i].Sender {
					t.Errorf("seed %d, %s: message %d is %s %q, want %s %q", seed, d.Name, i, m.Time, m.Sender, want, messages[i].Sender)
					break
				}
			}
		}
	}
}

func ExampleParse() {
	c := Parse("", []byte("[12.08.25, 16:02:10] Jonas: Kommst du?\n[12.08.25, 16:03:44] Anna: Ja,\nnach der Arbeit\n"))
	for _, m := range c.Messages {
		fmt.Printf("%d %s %s: %q\n", m.Line, m.Time, m.Sender, m.Text)
	}
	// Output:
	// 1 2025-08-12 16:02:10 Jonas: "Kommst du?"
	// 2 2025-08-12 16:03:44 Anna: "Ja,\nnach der Arbeit"
}

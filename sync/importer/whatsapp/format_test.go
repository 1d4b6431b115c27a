package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/importertest"
	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/vault"
)

func readAll(t testing.TB, f Format, name string, data []byte) []importer.Conversation {
	t.Helper()
	r := importertest.Read(t, f, importertest.Input(name, data))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	importertest.Check(t, name, r)
	return r.Conversations
}

// ledger is a vault as small as it gets: what was imported, by conversation.
type ledger struct {
	order []string
	turns map[string][]vault.Turn
	at    map[string]string
}

func newLedger() *ledger {
	return &ledger{turns: map[string][]vault.Turn{}, at: map[string]string{}}
}

func (l *ledger) known(message string) string { return l.at[message] }

// add appends what is new, as an import does, and returns how much that was.
func (l *ledger) add(conversations []importer.Conversation) (added int) {
	for _, c := range conversations {
		if _, ok := l.turns[c.ID]; !ok {
			l.order = append(l.order, c.ID)
		}
		for _, t := range c.Turns {
			if l.at[t.MessageID] == c.ID {
				continue
			}
			l.at[t.MessageID] = c.ID
			l.turns[c.ID] = append(l.turns[c.ID], t)
			added++
		}
	}
	return added
}

func total(conversations []importer.Conversation) (n int) {
	for _, c := range conversations {
		n += len(c.Turns)
	}
	return n
}

var english, german = chatgen.Dialects[2], chatgen.Dialects[4]

// An export that has grown adds what is new, and nothing moves.
func TestGrowth(t *testing.T) {
	messages := chatgen.Chat(3, 900)
	for _, n := range []int{1, 2, 40, 333, 899} {
		l := newLedger()
		first := readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages[:n]))
		if got := l.add(first); got != n {
			t.Errorf("%d messages of %d came in", got, n)
		}
		again := readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages[:n]))
		if got := l.add(again); got != 0 {
			t.Errorf("the same export again adds %d", got)
		}
		grown := readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages))
		if got := l.add(grown); n > 1 && got != len(messages)-n {
			t.Errorf("from %d to %d messages, %d are new", n, len(messages), got)
		}
		// Each session but the last is as it was.
		for i, c := range first[:len(first)-1] {
			if diff := cmp.Diff(c, grown[i]); diff != "" {
				t.Errorf("session %d moved (-before +after):\n%s", i, short(diff))
			}
		}
	}
}

// Another phone writes another dialect, another language and other names.
func TestAnotherDialect(t *testing.T) {
	messages := chatgen.Chat(5, 600)
	renamed := append([]chatgen.Message(nil), messages...)
	for i := range renamed {
		switch renamed[i].Sender {
		case "Anna Kern":
			renamed[i].Sender = "Anna (work)"
		case "~ Mira", "+49 170 1234567":
			renamed[i].Sender = "Mira Lind"
		}
	}
	for _, d := range chatgen.Dialects {
		if strings.HasPrefix(d.Name, "unknown") {
			continue
		}
		l := newLedger()
		l.add(readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages[:400])))
		for _, f := range []Format{{}, {Known: l.known}} {
			got := readAll(t, f, "WhatsApp Chat - Anna (work).zip/_chat.txt", render(t, d, renamed))
			fresh := newLedger()
			fresh.order, fresh.turns, fresh.at = l.order, cloneTurns(l.turns), cloneMap(l.at)
			if n := fresh.add(got); n != 200 {
				t.Errorf("%s: %d messages are new, want 200", d.Name, n)
			}
		}
	}
}

func cloneTurns(m map[string][]vault.Turn) map[string][]vault.Turn {
	out := map[string][]vault.Turn{}
	for k, v := range m {
		out[k] = append([]vault.Turn(nil), v...)
	}
	return out
}

func cloneMap(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// WhatsApp exports only the newest messages of a long chat, so a later export
// begins later.
func TestLaterBeginning(t *testing.T) {
	messages := chatgen.Chat(9, 900)
	l := newLedger()
	l.add(readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages[:600])))
	// The later export begins on a minute of its own.
	start := 400
	for messages[start].Time.Truncate(60e9).Equal(messages[start-1].Time.Truncate(60e9)) {
		start++
	}
	got := readAll(t, Format{Known: l.known}, "WhatsApp Chat with Anna.txt", render(t, german, messages[start:]))
	if n := l.add(got); n != 300 {
		t.Errorf("%d messages are new, want 300", n)
	}
	all := readAll(t, Format{}, "x.txt", render(t, english, messages))
	want := total(all)
	have := 0
	for _, turns := range l.turns {
		have += len(turns)
	}
	if have != want {
		t.Errorf("the vault has %d messages, the chat %d", have, want)
	}
}

// An export with media holds less of a chat than one without, so a later export
// may begin earlier.
func TestEarlierBeginning(t *testing.T) {
	messages := chatgen.Chat(11, 900)
	start := 500
	for messages[start].Time.Truncate(60e9).Equal(messages[start-1].Time.Truncate(60e9)) {
		start++
	}
	l := newLedger()
	l.add(readAll(t, Format{}, "WhatsApp Chat with Anna.txt", render(t, english, messages[start:800])))
	before := len(l.turns)
	got := readAll(t, Format{Known: l.known}, "WhatsApp Chat with Anna.txt", render(t, german, messages))
	if n, want := l.add(got), total(got)-total(readAll(t, Format{}, "x.txt", render(t, german, messages[start:800]))); n != want {
		t.Errorf("%d messages are new, want %d", n, want)
	}
	if len(l.turns) <= before {
		t.Errorf("%d sessions, %d before", len(l.turns), before)
	}
	chat, _, _ := strings.Cut(got[0].ID, "#")
	for _, c := range got {
		if !strings.HasPrefix(c.ID, chat+"#") {
			t.Errorf("session %s is of another chat than %s", c.ID, chat)
		}
	}
}

// Two chats that began with the same greeting in the same minute stay two.
func TestSameGreeting(t *testing.T) {
	anna := []byte("23/04/2022, 10:00 - Me: Hi, this is my new number\n23/04/2022, 10:05 - Anna: Thanks!\n23/04/2022, 10:06 - Me: bye\n23/04/2022, 10:07 - Anna: bye!\n")
	jonas := []byte("23/04/2022, 10:00 - Me: Hi, this is my new number\n23/04/2022, 10:09 - Jonas: Who is it?\n23/04/2022, 10:11 - Me: Guess\n23/04/2022, 10:12 - Jonas: no\n")
	l := newLedger()
	first := readAll(t, Format{}, "WhatsApp Chat with Anna.txt", anna)
	l.add(first)
	second := readAll(t, Format{Known: l.known}, "WhatsApp Chat with Jonas.txt", jonas)
	if first[0].ID == second[0].ID {
		t.Errorf("both have the id %s", first[0].ID)
	}
}

func TestConversation(t *testing.T) {
	data := []byte("[12.08.25, 16:02:10] Jonas: Kommst du?\r\n[12.08.25, 16:03:44] Anna: Ja,\nnach der Arbeit\r\n[14.08.25, 09:00:00] Jonas: Danke\r\n")
	got := readAll(t, Format{}, "WhatsApp Chat - Jonas.zip/_chat.txt", data)
	if len(got) != 2 {
		t.Fatalf("%d conversations, want 2", len(got))
	}
	c := got[0]
	chat, at, _ := strings.Cut(c.ID, "#")
	if at != "2025-08-12-1602" || !strings.HasPrefix(got[1].ID, chat+"#2025-08-14-0900") {
		t.Errorf("ids are %s and %s", c.ID, got[1].ID)
	}
	if c.Source != "whatsapp" || c.Title != "Jonas" || c.Created.String() != "2025-08-12 16:02:10" || c.Updated.String() != "2025-08-12 16:03:44" {
		t.Errorf("conversation is %+v", c)
	}
	if diff := cmp.Diff([]string{"Jonas", "Anna"}, c.Participants); diff != "" {
		t.Errorf("participants (-want +got):\n%s", diff)
	}
	if got, want := c.Turns[1].Text, "Ja,\nnach der Arbeit"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	err := Format{}.Read(t.Context(), importertest.Input("notes.txt", []byte("just\nsome notes\n")), nil, func(importer.Warning) {})
	if err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("error is %v", err)
	}
	boom := errors.New("disk is full")
	err = Format{}.Read(t.Context(), importertest.Input("c.txt", chat(opening...)), func(importer.Conversation) error { return boom }, func(importer.Warning) {})
	if !errors.Is(err, boom) {
		t.Errorf("error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Format{}.Read(ctx, importertest.Input("c.txt", chat(opening...)), func(importer.Conversation) error { return nil }, func(importer.Warning) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// What cannot be a turn is named: no text, no UTF-8.
func TestReadWarns(t *testing.T) {
	data := chat("23/04/2022, 10:00 - Anna: hi", "23/04/2022, 10:01 - Anna: ", "23/04/2022, 10:02 - Anna: a\xffb")
	r := importertest.Read(t, Format{}, importertest.Input("c.txt", append([]byte("Exported by me\n"), data...)))
	importertest.Check(t, "c.txt", r)
	var lines []int
	for _, w := range r.Warnings {
		lines = append(lines, w.Line)
	}
	if diff := cmp.Diff([]int{1, 3, 4}, lines); diff != "" || total(r.Conversations) != 2 {
		t.Errorf("%d turns, warnings %v", total(r.Conversations), r.Warnings)
	}
}

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       bool
	}{
		{"WhatsApp Chat with Anna.txt", "23/04/2022, 10:00 - Anna: hi\n", true},
		{"_chat.txt", "[23.04.22, 10:00:00] Anna: hi\r\n", true},
		{"a.txt", "\ufeff\u200e[23.04.22, 10:00:00] Anna: hi\r\n", true},
		{"a.txt", "23/04/2022, 10:00 - You created the group\n23/04/2022, 10:01 - Anna: hi\n", true},
		{"diary.txt", "Dear diary,\n23/04/2022, 10:00 - dentist: no\n\nmore\nand more\n", false},
		{"notes.txt", "just notes\n", false},
		{"empty.txt", "", false},
		{"a.md", "23/04/2022, 10:00 - Anna: hi\n", false},
		{"conversations.json", "[{\"title\":\"23/04/2022, 10:00 - Anna: hi\"}]", false},
		{"server.log", "2022-04-23 10:00:00 - server: started\n", false},
	} {
		if got := (Format{}).Sniff(tt.name, []byte(tt.head)); got != tt.want {
			t.Errorf("%s %q: %v", tt.name, tt.head, got)
		}
	}
}

func TestTitle(t *testing.T) {
	for name, want := range map[string]string{
		"WhatsApp Chat with Anna Kern.txt":              "Anna Kern",
		"dir/WhatsApp Chat - Trip: Goa.zip/_chat.txt":   "Trip: Goa",
		"WhatsApp-Chat mit Jonas.txt":                   "Jonas",
		"Chat de WhatsApp con María.txt":                "María",
		"Чат WhatsApp с контактом Иван.txt":             "Иван",
		"WhatsApp Chat with Anna (1).txt":               "Anna",
		"_chat.txt":                                     "",
		"export.zip/WhatsApp Chat with Anna.txt":        "Anna",
		"C:\\Users\\me\\WhatsApp Chat with +49 170.txt": "+49 170",
	} {
		if got := Title(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A chat in a language whose file name nobody listed is named by its sender.
func TestTitleBySender(t *testing.T) {
	got := readAll(t, Format{}, "Blorf WhatsApp snib Jonas.txt", chat(opening...))
	if got[0].Title != "Jonas" {
		t.Errorf("title is %q", got[0].Title)
	}
}

// endless is a reader of one chat line again and again, with a running date.
type endless struct {
	left, n int
	buf     []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.buf) < len(p) && e.left > 0 {
		day := e.n / 500
		e.buf = fmt.Appendf(e.buf, "%02d/%02d/%04d, %02d:%02d - P%d: message number %d of a very long chat about nothing in particular\n",
			day%28+1, day/28%12+1, 2010+day/336, e.n%500/21%24, e.n%21+30, e.n%7, e.n)
		e.n++
		e.left--
	}
	n := copy(p, e.buf)
	e.buf = e.buf[:copy(e.buf, e.buf[n:])]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory does not grow with the file.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 20 MB")
	}
	const lines = 200_000
	in := importer.Input{Name: "long.txt", Size: -1, Open: func() (io.ReadCloser, error) { return io.NopCloser(&endless{left: lines}), nil }}
	var peak, base uint64
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	base = stats.HeapAlloc
	n := 0
	err := Format{}.Read(t.Context(), in, func(c importer.Conversation) error {
		if n/50_000 != (n+len(c.Turns))/50_000 {
			runtime.GC()
			runtime.ReadMemStats(&stats)
			peak = max(peak, stats.HeapAlloc)
		}
		n += len(c.Turns)
		return nil
	}, func(importer.Warning) {})
	if err != nil {
		t.Fatal(err)
	}
	if n != lines {
		t.Errorf("%d messages, want %d", n, lines)
	}
	if grown := int64(peak) - int64(base); grown > 16<<20 {
		t.Errorf("%d MiB are held while reading", grown>>20)
	} else {
		t.Logf("%d KiB are held while reading %d messages", grown>>10, n)
	}
}

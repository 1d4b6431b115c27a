package sync

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/whatsapp"
	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/vault"
)

// importChat imports a chat as the command does: with an importer that knows which
// conversation holds a message.
func importChat(t *testing.T, v *vault.Vault, name string, d chatgen.Dialect, messages []chatgen.Message) Run {
	t.Helper()
	var b bytes.Buffer
	if err := chatgen.Write(&b, d, messages); err != nil {
		t.Fatal(err)
	}
	im := NewImporter(v, directly{v}, ImportConfig{})
	f := whatsapp.Format{Known: func(message string) string {
		id, err := im.Holder(t.Context(), whatsapp.Source, message)
		if err != nil {
			t.Error(err)
		}
		return id
	}}
	in := importer.Input{Name: name, Size: int64(b.Len()), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }}
	run, err := im.Import(t.Context(), in, f)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// The same chat from another phone, in another language, with contacts renamed and
// more at its end: what is new comes in, nothing else, and nothing counts as
// reworded. What its sender edited since does.
func TestAChatFromAnotherPhone(t *testing.T) {
	messages := chatgen.Chat(5, 240)
	grown := append([]chatgen.Message(nil), messages...)
	for i := range grown {
		if grown[i].Sender == "Anna Kern" {
			grown[i].Sender = "Anna (work)"
		}
	}
	edited := 0
	reworded := append([]chatgen.Message(nil), grown...)
	for i := 20; i < 200; i += 30 {
		for reworded[i].Kind != chatgen.Text {
			i++
		}
		reworded[i].Kind, reworded[i].Text = chatgen.Edited, "On second thoughts it is the red one, not the blue one"
		edited++
	}
	first := chatgen.Dialects[2]
	for _, d := range chatgen.Dialects {
		if strings.HasPrefix(d.Name, "unknown") {
			continue // nobody knows its words for what was deleted
		}
		t.Run(d.Name, func(t *testing.T) {
			v := openVault(t, t.TempDir(), nil)
			importChat(t, v, "WhatsApp Chat with Anna.txt", first, messages[:200])
			before := turnsIn(t, v)
			run := importChat(t, v, "WhatsApp Chat with Anna (work).txt", d, grown)
			if added := turnsIn(t, v) - before; run.MessagesNew != 40 || added != 40 || run.MessagesRevised+run.MessagesDeleted > 0 {
				t.Errorf("%d turns came in: %+v", added, run)
			}
			if run = importChat(t, v, "WhatsApp Chat with Anna (work).txt", d, grown); run.Changed() || run.MessagesRevised+run.MessagesDeleted > 0 {
				t.Errorf("the same again: %+v", run)
			}
			run = importChat(t, v, "WhatsApp Chat with Anna (work).txt", d, reworded)
			if run.MessagesNew != 0 || run.MessagesRevised != edited {
				t.Errorf("%d messages were edited: %+v", edited, run)
			}
			if run = importChat(t, v, "WhatsApp Chat with Anna (work).txt", d, reworded); run.Changed() {
				t.Errorf("the edited ones again: %+v", run)
			}
		})
	}
}

func turnsIn(t *testing.T, v *vault.Vault) (n int) {
	t.Helper()
	for path, raw := range read(t, v) {
		n += len(vault.ParseTranscript(vault.Parse(vault.Path(path), []byte(raw))).Turns)
	}
	return n
}

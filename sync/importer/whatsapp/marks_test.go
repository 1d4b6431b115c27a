package whatsapp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		name, message, flags, files string
	}{
		{"ios picture", "\u200e[23.04.22, 10:00:00] Anna: \u200eimage omitted", "media", ""},
		{"ios picture, unknown language", "\u200e[23.04.22, 10:00:00] Anna: \u200eblorf snibed", "media", ""},
		{"ios attached", "\u200e[23.04.22, 10:00:00] Anna: \u200e<Anhang: 00000035-PHOTO-2022-04-23-10-00-00.jpg>", "media", "00000035-PHOTO-2022-04-23-10-00-00.jpg"},
		{"ios document", "\u200e[23.04.22, 10:00:00] Anna: Plan.pdf • \u200e2 Seiten \u200eDokument weggelassen", "media", "Plan.pdf"},
		{"ios contact", "\u200e[23.04.22, 10:00:00] Anna: \u200eKontaktkarte ausgelassen", "media contact", ""},
		{"ios view once", "\u200e[23.04.22, 10:00:00] Anna: \u200eview once photo omitted", "media view-once", ""},
		{"ios deleted", "[23.04.22, 10:00:00] Anna: \u200eDu hast diese Nachricht gelöscht.", "deleted", ""},
		{"ios edited", "[23.04.22, 10:00:00] Anna: later then \u200e<This message was edited>", "edited", ""},
		{"ios call", "[23.04.22, 10:00:00] Anna: \u200eMissed voice call, \u200eTap to call back", "call", ""},
		{"ios encryption", "[23.04.22, 10:00:00] Anna: \u200eMessages and calls are end-to-end encrypted. No one outside of this chat can read or listen to them.", "system", ""},
		{"ios security code", "[23.04.22, 10:00:00] Anna: \u200eYour security code with Anna changed. Tap to learn more.", "system", ""},
		{"ios poll", "\u200e[23.04.22, 10:00:00] Anna: \u200eUMFRAGE:\nWann?\n\u200eOPTION: Montag (\u200e2 Stimmen)\n\u200eOPTION: Dienstag (\u200e0 Stimmen)\n", "poll", ""},
		{"ios location", "[23.04.22, 10:00:00] Anna: \u200eStandort: https://maps.google.com/?q=51.5021456,-0.127397", "location", ""},
		{"android media", "23.04.22, 10:00 - Anna: <Media omitted>", "media", ""},
		{"android media with caption", "23.04.22, 10:00 - Anna: <Medien ausgeschlossen>\nschön hier", "media", ""},
		{"android file", "23.04.22, 10:00 - Anna: \u200ePTT-20220423-WA0000.opus (bestand bijgevoegd)", "media", "PTT-20220423-WA0000.opus"},
		{"android contact", "23.04.22, 10:00 - Anna: Alex.vcf (file attached)", "media contact", "Alex.vcf"},
		{"android deleted", "23.04.22, 10:00 - Anna: Вы удалили данное сообщение", "deleted", ""},
		{"android edited", "23.04.22, 10:00 - Anna: later then <This message was edited>", "edited", ""},
		{"android view once", "23.04.22, 10:00 - Anna: <View once voice message omitted>", "media view-once", ""},
		{"android null", "23.04.22, 10:00 - Anna: null", "media", ""},
		{"android call", "23.04.22, 10:00 - Anna: Missed voice call", "call", ""},
		{"android live location", "23.04.22, 10:00 - Anna: location: https://maps.google.com/?q=-51.5,0.1", "location", ""},
		{"android disappearing", "23.04.22, 10:00 - Anna turned on disappearing messages.", "system disappearing", ""},
		{"android pinned", "23.04.22, 10:00 - Anna pinned a message", "system pinned", ""},
		{"words about deleting", "23.04.22, 10:00 - Anna: I deleted this message yesterday", "", ""},
		{"words about a call", "23.04.22, 10:00 - Anna: I missed your voice call", "", ""},
		{"a grin", "23.04.22, 10:00 - Anna: good idea <grin>", "", ""},
		{"markup", "23.04.22, 10:00 - Anna: use <b>bold</b>", "", ""},
		{"a file name in a sentence", "23.04.22, 10:00 - Anna: read plan.txt (twice)", "", ""},
		{"a name of a file", "23.04.22, 10:00 - Anna: plan.txt (the new one)", "", ""},
		{"a map", "23.04.22, 10:00 - Anna: look at https://maps.google.com/maps/place/Goa", "", ""},
		{"a list is no poll", "23.04.22, 10:00 - Anna: Plan:\na: one\nb: two\nc: three", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Parse("", []byte(strings.TrimSuffix(tt.message, "\n")+"\n"))
			if len(c.Messages) != 1 {
				t.Fatalf("%d messages", len(c.Messages))
			}
			m := c.Messages[0]
			if diff := cmp.Diff(tt.flags, strings.Join(m.Flags, " ")); diff != "" {
				t.Errorf("flags (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.files, strings.Join(m.Attachments, " ")); diff != "" {
				t.Errorf("attachments (-want +got):\n%s", diff)
			}
		})
	}
}

package whatsapp

import (
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// A feature is something that exports do, with a chat of our own that does it.
type feature struct {
	name string
	data string
	// want are the messages: time, sender, text and flags, parted by " | ".
	want []string
	// doubts is how many lines or decisions are named to the person.
	doubts int
}

const (
	lro, pdi = "\u202a", "\u202c"
	nb, nnb  = "\u00a0", "\u202f"
	m        = "\u200e"
)

// androidChat is a chat in the plainest dialect around lines of interest.
func androidChat(lines ...string) string {
	return strings.Join(append([]string{"23/04/2022, 09:00 - Anna: Morning", "23/04/2022, 09:01 - Jonas: Hi"}, lines...), "\n") + "\n"
}

var morning2 = []string{"2022-04-23 09:00 | Anna | Morning | ", "2022-04-23 09:01 | Jonas | Hi | "}

func after(want ...string) []string { return append(append([]string{}, morning2...), want...) }

var features = []feature{
	{"iOS, brackets", "[23.04.22, 14:05:09] Anna: Hallo\n[23.04.22, 14:06:10] Jonas: Na\n",
		[]string{"2022-04-23 14:05:09 | Anna | Hallo | ", "2022-04-23 14:06:10 | Jonas | Na | "}, 0},
	{"Android, dashes", "23/04/2022, 14:05 - Anna: Hello\n24/04/2022, 14:06 – Jonas: Hi\n",
		[]string{"2022-04-23 14:05 | Anna | Hello | ", "2022-04-24 14:06 | Jonas | Hi | "}, 0},
	{"24 hours, with a dot", "23.4.2022 klo 14.05 - Anna: Hei\n", []string{"2022-04-23 14:05 | Anna | Hei | "}, 0},
	{"24 hours, with an h", "[2022-04-23, 14 h 05] Anna: Allô\n", []string{"2022-04-23 14:05 | Anna | Allô | "}, 0},
	{"24 hours, with signs", "2022年4月23日 14時05分 - Anna: こんにちは\n", []string{"2022-04-23 14:05 | Anna | こんにちは | "}, 0},
	{"12 hours, AM and PM", "4/23/22, 12:05 AM - Anna: a\n4/23/22, 12:05 PM - Anna: b\n4/23/22, 11:59 PM - Anna: c\n",
		[]string{"2022-04-23 00:05 | Anna | a | ", "2022-04-23 12:05 | Anna | b | ", "2022-04-23 23:59 | Anna | c | "}, 0},
	{"12 hours, a. m. and p. m.", "23/4/22, 9:05 a." + nb + "m. - Anna: a\n23/4/22, 9:05 p." + nb + "m. - Anna: b\n",
		[]string{"2022-04-23 09:05 | Anna | a | ", "2022-04-23 21:05 | Anna | b | "}, 0},
	{"12 hours, a word before the time", "2022. 4. 23. 오전 9:05 - Anna: a\n2022. 4. 23. 오후 9:05 - Anna: b\n",
		[]string{"2022-04-23 09:05 | Anna | a | ", "2022-04-23 21:05 | Anna | b | "}, 0},
	{"12 hours, parts of the day", "2022/4/23 凌晨1:05 - 安娜: a\n2022/4/23 中午12:10 - 安娜: b\n2022/4/23 晚上9:05 - 安娜: c\n",
		[]string{"2022-04-23 01:05 | 安娜 | a | ", "2022-04-23 12:10 | 安娜 | b | ", "2022-04-23 21:05 | 安娜 | c | "}, 0},
	{"12 hours, words of no list", "23/04/2022, 8:00 vur - Anna: a\n23/04/2022, 11:30 vur - Anna: b\n23/04/2022, 1:00 nem - Anna: c\n",
		[]string{"2022-04-23 08:00 | Anna | a | ", "2022-04-23 11:30 | Anna | b | ", "2022-04-23 13:00 | Anna | c | "}, 0},
	{"two-digit years", "23/04/09, 14:05 - Anna: a\n", []string{"2009-04-23 14:05 | Anna | a | "}, 0},
	{"four-digit years", "23/04/2009, 14:05 - Anna: a\n", []string{"2009-04-23 14:05 | Anna | a | "}, 0},
	{"day first, by the whole file", "03/04/2022, 10:00 - Anna: a\n13/04/2022, 10:00 - Anna: b\n",
		[]string{"2022-04-03 10:00 | Anna | a | ", "2022-04-13 10:00 | Anna | b | "}, 0},
	{"month first, by the whole file", "03/04/2022, 10:00 - Anna: a\n03/14/2022, 10:00 - Anna: b\n",
		[]string{"2022-03-04 10:00 | Anna | a | ", "2022-03-14 10:00 | Anna | b | "}, 0},
	{"year first, by the whole file", "22-03-11, 10:00 - Anna: a\n22-03-12, 10:00 - Anna: b\n22-04-30, 10:00 - Anna: c\n",
		[]string{"2022-03-11 10:00 | Anna | a | ", "2022-03-12 10:00 | Anna | b | ", "2022-04-30 10:00 | Anna | c | "}, 0},
	{"an order that the file leaves open is said", "03/04/2022, 10:00 - Anna: a\n03/04/2022, 10:01 - Anna: b\n",
		[]string{"2022-04-03 10:00 | Anna | a | ", "2022-04-03 10:01 | Anna | b | "}, 1},
	{"time first", "[14:05:09, 23/04/2022] Anna: chào\n", []string{"2022-04-23 14:05:09 | Anna | chào | "}, 0},
	{"Arabic digits", "[٢٣/٤/٢٠٢٢، ٢:٠٥:٠٩" + nb + "م] آنا: مرحبا\n", []string{"2022-04-23 14:05:09 | آنا | مرحبا | "}, 0},
	{"Persian digits", "۲۰۲۲/۴/۲۳، ۱۴:۰۵ - آنا: سلام\n", []string{"2022-04-23 14:05 | آنا | سلام | "}, 0},
	{"Devanagari digits", "२३/०४/२२, २:०५ अपराह्न - अन्ना: नमस्ते\n", []string{"2022-04-23 14:05 | अन्ना | नमस्ते | "}, 0},
	{"Bengali digits", "২৩/৪/২২, ২:০৫ PM - আনা: হ্যালো\n", []string{"2022-04-23 14:05 | আনা | হ্যালো | "}, 0},
	{"Thai digits", "๒๓/๔/๒๕๖๕ ๑๔:๐๕ - แอนนา: สวัสดี\n", []string{"2022-04-23 14:05 | แอนนา | สวัสดี | "}, 0},
	{"Tamil digits", "௨௩/௦௪/௨௦௨௨, ௧௪:௦௫ - அன்னா: a\n", []string{"2022-04-23 14:05 | அன்னா | a | "}, 0},
	{"Buddhist years", "23/4/2565 14:05 - Anna: a\n", []string{"2022-04-23 14:05 | Anna | a | "}, 0},
	{"Buddhist years of two digits", "[23/4/65 14:05:09] Anna: a\n", []string{"2022-04-23 14:05:09 | Anna | a | "}, 0},
	{"Persian years", "۱۴۰۳/۲/۵،\u200f ۱۴:۰۵ - Farid: a\n۱۴۰۳/۱۲/۳۰،\u200f ۱۴:۰۶ - Omid: b\n", []string{"2024-04-24 14:05 | Farid | a | ", "2025-03-20 14:06 | Omid | b | "}, 0},
	{"Japanese years in signs", "[令和4年4月23日 14:05:09] Anna: a\n", []string{"2022-04-23 14:05:09 | Anna | a | "}, 0},
	{"Japanese years by a letter", "[R4/04/23 14:05:09] Anna: a\n", []string{"2022-04-23 14:05:09 | Anna | a | "}, 0},
	{"direction marks", "\u200f[\u200f23\u200f/4\u200f/2022، 14:05:09] " + lro + "+49 170 1234567" + pdi + ": " + "a\u200fb\n",
		[]string{"2022-04-23 14:05:09 | +49 170 1234567 | a\u200fb | "}, 0},
	{"narrow and no-break spaces", "[4/23/22, 2:05:09" + nnb + "PM] Anna: a\n[4/23/22, 2:06:09" + nb + "PM] ~" + nnb + "Mira: b\n",
		[]string{"2022-04-23 14:05:09 | Anna | a | ", "2022-04-23 14:06:09 | ~ Mira | b | "}, 0},
	{"BOM", "\ufeff23/04/2022, 14:05 - Anna: a\n", []string{"2022-04-23 14:05 | Anna | a | "}, 0},
	{"CRLF", "[23.04.22, 14:05:09] Anna: a\nb\r\n[23.04.22, 14:06:09] Jonas: c\r\n",
		[]string{"2022-04-23 14:05:09 | Anna | a\nb | ", "2022-04-23 14:06:09 | Jonas | c | "}, 0},
	{"UTF-16, little end first", utf16Of("\ufeff23/04/2022, 14:05 - Anna: grüß dich 🎂\n", false), []string{"2022-04-23 14:05 | Anna | grüß dich 🎂 | "}, 0},
	{"UTF-16, big end first", utf16Of("\ufeff23/04/2022, 14:05 - Anna: grüß dich 🎂\n", true), []string{"2022-04-23 14:05 | Anna | grüß dich 🎂 | "}, 0},
	{"messages of several lines", androidChat("23/04/2022, 10:00 - Anna: flour", "", "  salt", "- water", "23/04/2022, 10:01 - Jonas: ok"),
		after("2022-04-23 10:00 | Anna | flour\n\n  salt\n- water | ", "2022-04-23 10:01 | Jonas | ok | "), 0},
	{"pasted quotes that look like headers", androidChat("23/04/2022, 10:00 - Anna: she wrote", "[4/22/22, 9:00:00 PM] Mira: I quit", "[22/04, 21:01] Mira: today", "23/04/2022, 10:01 - Jonas: oh"),
		after("2022-04-23 10:00 | Anna | she wrote\n[4/22/22, 9:00:00 PM] Mira: I quit\n[22/04, 21:01] Mira: today | ", "2022-04-23 10:01 | Jonas | oh | "), 2},
	{"what is nearly a header is named by its line", androidChat("23/04/2022, 10:00 - Anna: the log:", "2022-04-23 10:00:01,123 INFO start: now", "23/04/2022, 10:01 - Jonas: ok"),
		after("2022-04-23 10:00 | Anna | the log:\n2022-04-23 10:00:01,123 INFO start: now | ", "2022-04-23 10:01 | Jonas | ok | "), 1},
	{"system lines", androidChat("23/04/2022, 10:00 - Anna created group “Trip: Goa”", "23/04/2022, 10:01 - Messages to this chat are now secured: nobody can read them"),
		after("2022-04-23 10:00 |  | Anna created group “Trip: Goa” | system", "2022-04-23 10:01 |  | Messages to this chat are now secured: nobody can read them | system"), 1},
	{"system lines in other languages", androidChat("23/04/2022, 10:00 - Anna hat die Gruppe „Reise: Goa“ erstellt", "23/04/2022, 10:01 - 安娜将群组名称改为“旅行: 果阿”", "23/04/2022, 10:02 - أنشأت آنا هذه المجموعة"),
		after("2022-04-23 10:00 |  | Anna hat die Gruppe „Reise: Goa“ erstellt | system", "2022-04-23 10:01 |  | 安娜将群组名称改为“旅行: 果阿” | system", "2022-04-23 10:02 |  | أنشأت آنا هذه المجموعة | system"), 0},
	{"system lines in a language of no list", "[23.04.22, 10:00:00] Anna: " + m + "Va blorf ne snib ot krendu\n[23.04.22, 10:01:00] Anna: hi\n",
		[]string{"2022-04-23 10:00:00 | Anna | " + m + "Va blorf ne snib ot krendu | system", "2022-04-23 10:01:00 | Anna | hi | "}, 0},
	{"media omitted", androidChat("23/04/2022, 10:00 - Anna: <Media omitted>", "23/04/2022, 10:01 - Anna: <Medien ausgeschlossen>\nschön hier"),
		after("2022-04-23 10:00 | Anna | <Media omitted> | media", "2022-04-23 10:01 | Anna | <Medien ausgeschlossen>\nschön hier | media"), 0},
	{"media omitted, in a language of no list", m + "[23.04.22, 10:00:00] Anna: " + m + "blorf snibed\n", []string{"2022-04-23 10:00:00 | Anna | " + m + "blorf snibed | media"}, 0},
	{"media omitted, older exports of iOS", "[23.04.22, 10:00:00] Anna: " + m + "Bild weggelassen\n[23.04.22, 10:01:00] Jonas: " + m + "imagem ocultada\n[23.04.22, 10:02:00] Oper: " + m + "Anna hat die Gruppe verlassen.\n",
		[]string{"2022-04-23 10:00:00 | Anna | " + m + "Bild weggelassen | media", "2022-04-23 10:01:00 | Jonas | " + m + "imagem ocultada | media", "2022-04-23 10:02:00 | Oper | " + m + "Anna hat die Gruppe verlassen. | system"}, 0},
	{"media attached", androidChat("23/04/2022, 10:00 - Anna: IMG-20220423-WA0002.jpg (file attached)"),
		after("2022-04-23 10:00 | Anna | IMG-20220423-WA0002.jpg (file attached) | media +IMG-20220423-WA0002.jpg"), 0},
	{"media attached, iOS", m + "[23.04.22, 10:00:00] Anna: Plan • " + m + "<Anhang: 00000035-PHOTO-2022-04-23-10-00-00.jpg>\n",
		[]string{"2022-04-23 10:00:00 | Anna | Plan • " + m + "<Anhang: 00000035-PHOTO-2022-04-23-10-00-00.jpg> | media +00000035-PHOTO-2022-04-23-10-00-00.jpg"}, 0},
	{"deleted", androidChat("23/04/2022, 10:00 - Anna: This message was deleted", "23/04/2022, 10:01 - Anna: I deleted this message yesterday"),
		after("2022-04-23 10:00 | Anna | This message was deleted | deleted", "2022-04-23 10:01 | Anna | I deleted this message yesterday | "), 0},
	{"edited", androidChat("23/04/2022, 10:00 - Anna: later then <This message was edited>"), after("2022-04-23 10:00 | Anna | later then <This message was edited> | edited"), 0},
	{"poll", "[23.04.22, 10:00:00] Anna: " + m + "UMFRAGE:\nWann?\n" + m + "OPTION: Montag (" + m + "2 Stimmen)\n" + m + "OPTION: Dienstag (" + m + "0 Stimmen)\n",
		[]string{"2022-04-23 10:00:00 | Anna | " + m + "UMFRAGE:\nWann?\n" + m + "OPTION: Montag (" + m + "2 Stimmen)\n" + m + "OPTION: Dienstag (" + m + "0 Stimmen) | poll"}, 0},
	{"location", androidChat("23/04/2022, 10:00 - Anna: location: https://maps.google.com/?q=-51.5,0.1"), after("2022-04-23 10:00 | Anna | location: https://maps.google.com/?q=-51.5,0.1 | location"), 0},
	{"contact", androidChat("23/04/2022, 10:00 - Anna: Alex.vcf (file attached)"), after("2022-04-23 10:00 | Anna | Alex.vcf (file attached) | media contact +Alex.vcf"), 0},
	{"view once", androidChat("23/04/2022, 10:00 - Anna: <View once voice message omitted>"), after("2022-04-23 10:00 | Anna | <View once voice message omitted> | media view-once"), 0},
	{"missed call", "[23.04.22, 10:00:00] Anna: " + m + "Missed voice call, " + m + "Tap to call back\n",
		[]string{"2022-04-23 10:00:00 | Anna | " + m + "Missed voice call, " + m + "Tap to call back | call"}, 0},
	{"disappearing messages", androidChat("23/04/2022, 10:00 - Anna turned on disappearing messages."), after("2022-04-23 10:00 |  | Anna turned on disappearing messages. | system disappearing"), 0},
	{"pinned", androidChat("23/04/2022, 10:00 - Anna pinned a message"), after("2022-04-23 10:00 |  | Anna pinned a message | system pinned"), 0},
	{"senders with \"~\", and numbers", androidChat("23/04/2022, 10:00 - ~"+nnb+"Mira: a", "23/04/2022, 10:01 - "+lro+"+49 170 1234567"+pdi+": b"),
		after("2022-04-23 10:00 | ~ Mira | a | ", "2022-04-23 10:01 | +49 170 1234567 | b | "), 0},
	{"renamed senders in one file", androidChat("23/04/2022, 10:00 - Jonas changed to Jonas Kern", "23/04/2022, 10:01 - Jonas Kern: it is me", "23/04/2022, 10:02 - Jonas Kern: still"),
		after("2022-04-23 10:00 |  | Jonas changed to Jonas Kern | system", "2022-04-23 10:01 | Jonas Kern | it is me | ", "2022-04-23 10:02 | Jonas Kern | still | "), 0},
	{"names with a colon", androidChat("23/04/2022, 10:00 - Team: Ops: up", "23/04/2022, 10:01 - Team: Ops: down", "23/04/2022, 10:02 - Team: Ops: up: again"),
		after("2022-04-23 10:00 | Team: Ops | up | ", "2022-04-23 10:01 | Team: Ops | down | ", "2022-04-23 10:02 | Team: Ops | up: again | "), 0},
}

func utf16Of(s string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// Each feature of the export by itself. docs/whatsapp.md lists them by these names.
func TestFeatures(t *testing.T) {
	for _, f := range features {
		t.Run(f.name, func(t *testing.T) {
			c := Parse("", []byte(f.data))
			checkRaw(t, []byte(f.data), c)
			var got []string
			for _, m := range c.Messages {
				row := m.Time.String() + " | " + m.Sender + " | " + m.Text + " | " + strings.Join(m.Flags, " ")
				for _, a := range m.Attachments {
					row += " +" + a
				}
				got = append(got, row)
			}
			if diff := cmp.Diff(f.want, got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			if len(c.Doubts) != f.doubts {
				t.Errorf("%d doubts, want %d: %v", len(c.Doubts), f.doubts, c.Doubts)
			}
			for _, d := range c.Doubts {
				if f.doubts > 1 && d.Line == 0 {
					t.Errorf("no line is named: %s", d.Text)
				}
			}
		})
	}
}

// The page of the manual names each feature, and no other.
func TestTheManualListsEachFeature(t *testing.T) {
	page, err := os.ReadFile("../../../docs/whatsapp.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "<!-- features -->\n")
	list, _, _ = strings.Cut(list, "<!-- end -->")
	listed := map[string]bool{}
	for line := range strings.Lines(list) {
		_, names, ok := strings.Cut(strings.Trim(line, "| \n"), " | ")
		if !ok || !strings.Contains(line, "`") {
			continue
		}
		for i, name := range strings.Split(names, "`") {
			if i%2 == 1 {
				listed[name] = true
			}
		}
	}
	for _, f := range features {
		if !listed[f.name] {
			t.Errorf("docs/whatsapp.md does not list %q", f.name)
		}
		delete(listed, f.name)
	}
	for name := range listed {
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") {
			t.Errorf("docs/whatsapp.md lists %q, which is not tested", name)
		}
	}
}

package sync

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

func turnsOf(texts ...string) (out []vault.Turn) {
	for _, text := range texts {
		out = append(out, vault.Turn{Text: text})
	}
	return out
}

func TestTagLanguages(t *testing.T) {
	const (
		en = "I would like to know what the weather will be in the mountains, and how we get there."
		de = "Wir haben gestern Abend noch lange über das neue Haus gesprochen und sind nicht einig geworden."
		es = "Mañana tengo que llevar a los niños al colegio y después compro el pan para la cena."
		hi = "Yaar main kal nahi aa paunga, office mein bahut kaam hai"
		ru = "Мы вчера долго говорили о новом доме и не договорились."
	)
	for _, c := range []struct {
		name  string
		texts []string
		all   []string
		tags  []string // separated by blanks
	}{
		{"English alone", []string{en, "ok", en}, nil, []string{"", "", ""}},
		{"German", []string{de, de}, []string{"de"}, []string{"", ""}},
		{"three languages", []string{de, en, de, es}, []string{"de", "en", "es"}, []string{"", "en", "", "es"}},
		{"too short", []string{"ja", "👍", "```\nwhile true {}\n```"}, nil, []string{"", "", ""}},
		{"bytes that are no text", []string{"\xff\xfe\x00" + en}, nil, []string{""}},
		{"Hindi in Latin letters", []string{hi, "theek hai", hi}, []string{"hi-Latn"}, []string{"", "", ""}},
		{"two languages in one turn", []string{hi, hi, "The client was not happy with the demo that we have shown, kal phir se karna hoga"},
			[]string{"hi-Latn", "en"}, []string{"", "", "en hi-Latn"}},
		{"two scripts in one turn", []string{ru, "Посмотри на this is not what you have in the report, завтра скажу"}, []string{"ru", "en"}, []string{"", "en ru"}},
		{"a script and a name", []string{ru, "Меня зовут Ana Brandt и я живу в Берлине"}, []string{"ru"}, []string{"", ""}},
		{"short turns of a script are of its language", []string{ru, "да нет", "хорошо"}, []string{"ru"}, []string{"", "", ""}},
		{"Japanese without kana", []string{"明日は駅で会いましょう。", "了解了解"}, []string{"ja"}, []string{"", ""}},
		{"one odd line is no language", []string{en, en, "Pizza Napoli Roma Bologna Firenze tutti frutti", en}, nil, []string{"", "", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := turnsOf(c.texts...)
			if diff := cmp.Diff(c.all, tagLanguages(in, "")); diff != "" {
				t.Errorf("languages (-want +got):\n%s", diff)
			}
			for i, turn := range in {
				if got := strings.Join(turn.Languages, " "); got != c.tags[i] {
					t.Errorf("turn %d has %q, want %q", i, got, c.tags[i])
				}
			}
		})
	}
}

// The file holds chats, apart by blank lines, each line beginning with the tags
// that a reader gives it, or "-" where it is too short to tell.
func TestLanguagesOfChats(t *testing.T) {
	raw, err := os.ReadFile("testdata/languages.txt")
	if err != nil {
		t.Fatal(err)
	}
	told, right, wrong := 0, 0, 0
	for chat := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n\n") {
		var want, texts []string
		for line := range strings.Lines(chat) {
			tags, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			want, texts = append(want, tags), append(texts, text)
		}
		turns := turnsOf(texts...)
		all := tagLanguages(turns, "")
		main := "en"
		if len(all) > 0 {
			main = all[0]
		}
		for i, turn := range turns {
			if want[i] == "-" {
				continue
			}
			got := turn.Languages
			if len(got) == 0 {
				got = []string{main}
			}
			got = slices.Sorted(slices.Values(got))
			told++
			if strings.Join(got, ",") == want[i] {
				right++
				continue
			}
			for _, tag := range got {
				if !slices.Contains(strings.Split(want[i], ","), tag) {
					wrong++ // a language that is not there
					break
				}
			}
			t.Logf("%v, want %s: %s", got, want[i], texts[i])
		}
	}
	t.Logf("%d of %d turns have exactly the tags that a reader gives them; %d have one of a language that is not there", right, told, wrong)
	if float64(right) < 0.85*float64(told) || float64(wrong) > 0.05*float64(told) {
		t.Errorf("%d of %d right, %d wrong; wanted 85 %% and at most 5 %%", right, told, wrong)
	}
}

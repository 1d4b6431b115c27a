package index

import (
	"strings"
	"testing"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/vault"
)

const mixedChat = vault.Path("transcripts/whatsapp/2025/2025-03-14-mira.md")

func mixed() *tree {
	transcript := "---\nid: tr-mira\ntype: transcript\nsource: whatsapp\ntitle: Mira\nconversation: chat-1\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{
		{Sender: "Mira", MessageID: "wa-1", Text: "Kal nahi aa paungi, office mein bahut kaam hai"},
		{Sender: "Ana", MessageID: "wa-2", Text: "Theek hai, phir chaabi padosi ko de dena"},
		{Sender: "Mira", MessageID: "wa-3", Text: "The landlord called about the keys"},
	}))
	rendering := "---\nid: en-mira\ntype: rendering\nsource: whatsapp\ntitle: Mira\n---\n\nA model's words about the landlord and the office.\n\n"
	for turn, text := range []string{"Cannot come tomorrow, a lot of work at the office", "Give the keys to the neighbour"} {
		id := []string{"t0001", "t0002"}[turn]
		rendering += vault.FormatRendering(mixedChat, vault.Rendering{Sender: []string{"Mira", "Ana"}[turn], Text: text, Of: vault.Link{Block: id}})
	}
	return newTree(map[string]string{
		string(mixedChat): transcript, "english/whatsapp/2025/2025-03-14-mira.md": rendering,
		"tea.md": "We drink darjeeling.\n",
	})
}

// A turn is found by what it says in English and shown in its own words.
func TestRenderingsFindTheirTurns(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words", 64))
	src := mixed()
	sync1(t, x, src)
	for query, want := range map[string]string{
		"who gets the keys, the neighbour?": "Theek hai, phir chaabi padosi ko de dena",
		"lot of work tomorrow":              "Kal nahi aa paungi, office mein bahut kaam hai",
		"chaabi padosi":                     "Theek hai, phir chaabi padosi ko de dena",
		"landlord called":                   "The landlord called about the keys",
	} {
		r := search(t, x, query)
		if len(r.Hits) == 0 || r.Hits[0].Text != want {
			t.Errorf("%q: %+v", query, r.Hits)
			continue
		}
		h := r.Hits[0]
		if h.Path != mixedChat || h.Type != "transcript" || h.Kind != chunk.Turn || !strings.HasPrefix(h.ID, "tr-mira#^") || len(h.MessageIDs) != 1 {
			t.Errorf("%q: the hit is no turn: %+v", query, h)
		}
		seen := map[string]bool{}
		for _, h := range r.Hits {
			if seen[h.ID] || strings.Contains(h.Text, "model's words") || h.Type == "rendering" {
				t.Errorf("%q: %s %q comes twice or is a rendering", query, h.ID, h.Text)
			}
			seen[h.ID] = true
		}
	}
	only, err := x.Search(t.Context(), Query{Text: "neighbour", Types: []string{"transcript"}, Limit: 1})
	if err != nil || len(only.Hits) != 1 || only.Hits[0].Turn != "t0002" {
		t.Errorf("among transcripts: %+v, %v", only.Hits, err)
	}
	none, err := x.Search(t.Context(), Query{Text: "neighbour", Types: []string{"session"}})
	if err != nil || len(none.Hits) != 0 {
		t.Errorf("among sessions: %+v, %v", none.Hits, err)
	}

	// A rendering of what is gone shows nothing.
	src.remove(string(mixedChat))
	sync1(t, x, src)
	for _, p := range paths(search(t, x, "keys neighbour")) {
		if p != "tea.md" {
			t.Errorf("without the transcript: %s", p)
		}
	}
}

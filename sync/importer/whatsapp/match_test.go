package whatsapp

import (
	"slices"
	"testing"
	"time"

	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/vault"
)

func history(t *testing.T, d chatgen.Dialect, messages []chatgen.Message) []vault.Turn {
	t.Helper()
	turns := turnsOf(Parse("", render(t, d, messages)).Messages)
	if len(turns) != len(messages) {
		t.Fatalf("%d turns, want %d", len(turns), len(messages))
	}
	return turns
}

// right counts pairs that are the same message, given where newer begins.
func right(pairs []int, offset, older int) (right, want int) {
	for j, i := range pairs {
		w := j + offset
		if w >= older {
			w = -1
		} else {
			want++
		}
		if i == w && w >= 0 {
			right++
		}
	}
	return right, want
}

func TestMatch(t *testing.T) {
	messages := chatgen.Chat(4, 500)
	older := history(t, english, messages[:400])

	t.Run("the same again", func(t *testing.T) {
		if got, want := right(Match(older, older), 0, 400); got != want {
			t.Errorf("%d of %d", got, want)
		}
	})
	t.Run("another dialect, a later beginning, grown", func(t *testing.T) {
		newer := history(t, german, messages[100:])
		pairs := Match(older, newer)
		if got, want := right(pairs, 100, 400); got != want {
			t.Errorf("%d of %d are found", got, want)
		}
		for j := 300; j < len(pairs); j++ {
			if pairs[j] != -1 {
				t.Errorf("the new message %d is taken for %d", j, pairs[j])
			}
		}
	})
	t.Run("another time zone", func(t *testing.T) {
		shifted := slices.Clone(messages)
		for i := range shifted {
			shifted[i].Time = shifted[i].Time.Add(5*time.Hour + 30*time.Minute)
		}
		pairs := Match(older, history(t, english, shifted))
		got, want := right(pairs, 0, 400)
		t.Logf("%d of %d are found", got, want)
		// The sentences are few and come again, so only their order tells.
		if got*100 < want*95 {
			t.Errorf("%d of %d are found", got, want)
		}
	})
	t.Run("deleted and edited since", func(t *testing.T) {
		changed := slices.Clone(messages)
		for i := 10; i < 400; i += 20 {
			if changed[i].Kind == chatgen.Text {
				changed[i].Kind, changed[i].Text = chatgen.Deleted, ""
			}
		}
		pairs := Match(older, history(t, english, changed))
		got, want := right(pairs, 0, 400)
		t.Logf("%d of %d are found", got, want)
		if got*100 < want*99 {
			t.Errorf("%d of %d are found", got, want)
		}
	})
	t.Run("nothing in common", func(t *testing.T) {
		for j, i := range Match(nil, older) {
			if i != -1 {
				t.Fatalf("message %d is taken for %d", j, i)
			}
		}
	})
}

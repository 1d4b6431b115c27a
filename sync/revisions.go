package sync

import (
	"fmt"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// This file is about messages that came again with other words: edited by their
// sender, or deleted, since they were imported. A transcript is only ever added to,
// so both wordings are kept: the new one is a turn of its own that says which it
// revises, and stands in its place on the active path. Of a message that was
// deleted, what it said stays.

// A wordReader knows what of a turn are somebody's words, for formats that write
// the same message differently from one export to the next. ok is false where
// nothing of it is: media, a deleted message.
type wordReader interface {
	Words(t vault.Turn) (words string, ok bool)
}

// deleted is the flag of a message whose sender took it back.
const deleted = "deleted"

// revise returns the turn that keeps t's words beside those that the transcript
// has under place. ok is false where they are the same, and gone says that the
// message was deleted since.
func (im *Importer) revise(tr *vault.Transcript, place int, t vault.Turn, words func(vault.Turn) (string, bool)) (revision vault.Turn, ok, gone bool) {
	old := lastWording(tr, place)
	for _, f := range old.Flags {
		if f == deleted || f == "refused" {
			return t, false, false // what it said is not here to compare
		}
	}
	was, spoken := words(old)
	if !spoken {
		return t, false, false
	}
	now, spoken := words(t)
	if !spoken {
		for _, f := range t.Flags {
			gone = gone || f == deleted
		}
		return t, false, gone
	}
	if im.sameWords(was, now) {
		return t, false, false
	}
	t.Revises, t.Parent = tr.Turns[place].MessageID, ""
	if t.MessageID == t.Revises {
		t.MessageID = fmt.Sprintf("%s~%d", t.MessageID, wordings(tr, place)+1)
	}
	return t, true, false
}

// lastWording is the last revision of a turn, or the turn.
func lastWording(tr *vault.Transcript, place int) vault.Turn {
	last := tr.Turns[place].Turn
	for _, p := range tr.Turns {
		if p.Revises != "" && p.Revises == tr.Turns[place].MessageID {
			last = p.Turn
		}
	}
	return last
}

func wordings(tr *vault.Transcript, place int) int {
	n := 1
	for _, p := range tr.Turns {
		if p.Revises != "" && p.Revises == tr.Turns[place].MessageID {
			n++
		}
	}
	return n
}

// sameWords reports whether a transcript's words are those of an export, where
// secrets may stand as marks.
func (im *Importer) sameWords(kept, given string) bool {
	if kept == given {
		return true
	}
	marks := privacy.Marks(kept)
	if len(marks) == 0 || !fits(kept, marks, given) {
		return false
	}
	if im.cfg.Redact == nil {
		return true
	}
	now := privacy.Marks(im.cfg.Redact(given))
	if len(now) != len(marks) {
		return true // other settings by now, or a secret that only its context showed
	}
	for i := range now {
		if now[i].Class == marks[i].Class && now[i].ID != marks[i].ID {
			return false
		}
	}
	return true
}

// fits reports whether text is kept with other words in place of its marks.
func fits(kept string, marks []privacy.Mark, text string) bool {
	at := 0
	for i, m := range marks {
		before := kept[at:m.Start]
		switch k := strings.Index(text, before); {
		case k < 0 || i == 0 && k > 0:
			return false
		default:
			text = text[k+len(before):]
		}
		at = m.End
	}
	return strings.HasSuffix(text, kept[at:])
}

// wordsOf is the format's reading of turns, or their text as it is.
func wordsOf(f importer.Format) func(vault.Turn) (string, bool) {
	if w, ok := f.(wordReader); ok {
		return w.Words
	}
	return func(t vault.Turn) (string, bool) { return t.Text, true }
}

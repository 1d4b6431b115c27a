package pack

import (
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
)

// structural are the properties of a card that say nothing of the person: those of
// the format, and those by which Obsidian shows and publishes a note.
var structural = []string{
	"id", "type", "title", "created", "updated", "tags", "aliases", "domain", "topic", "source", "generated", "tokens", "version",
	"cssclass", "cssclasses", "publish", "permalink",
}

// mostCritical bounds how many properties are taken: a card has two to five.
const mostCritical = 8

// Critical is what an assistant must never get wrong, as the card's front matter
// has it (name, timezone, allergies, whatever the person adds), in one line before
// the card's text; "" where there is none. Readers of the body alone would miss it.
func Critical(card *vault.Note) string {
	var parts []string
	for _, p := range card.Properties() {
		value := vault.Fold(strings.Join(p.Values, ", "))
		if slices.Contains(structural, strings.ToLower(p.Key)) || value == "" || len(parts) == mostCritical {
			continue
		}
		parts = append(parts, p.Key+": "+value)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "\n"
}

package main

import (
	"fmt"
	"strings"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

// shownChats is how many chats are named in which nobody is known to be the person.
const shownChats = 3

// showWho says who is taken for the person in chats, where that was concluded, and
// what to set where nobody is. Given and found, there is nothing to say.
func showWho(p *output.Page, w *synth.Who) {
	if w == nil {
		return
	}
	if w.Inferred && len(w.Names) > 0 {
		var names, why []string
		for _, k := range w.Names {
			names, why = append(names, k.Name), append(why, k.Because)
		}
		p.Println(output.Plain(fmt.Sprintf("Taken for you in chats: %s (%s). If that is wrong, set me: [YOUR NAME] in .memoryrc.",
			strings.Join(names, ", "), strings.Join(why[:1], ""))))
	}
	if n := len(w.Unknown); n > 0 {
		chats := strings.Join(w.Unknown[:min(n, shownChats)], ", ")
		if n > shownChats {
			chats += ", ..."
		}
		p.Printf("%s %s\n", p.Warn("note:"), output.Plain(fmt.Sprintf("nobody is known to be you in %s (%s): nothing said there becomes a fact of yours. Set me: [YOUR NAME] in .memoryrc, as the chats write it.",
			output.Count(n, "chat", "chats"), chats)))
	}
}

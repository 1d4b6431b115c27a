package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/memsync/memsync/vault"
)

// This file finds out who the person is in chats between people. The exports do
// not say it: both are names. Config.Me does; where it is empty, the person is
// taken for known only where the chats leave no other possibility.

// A Known name is one under which the person appears in chats.
type Known struct {
	Name string `json:"name"`
	// Because says how that is known.
	Because string `json:"because"`
}

// Who says who the person is in the vault's chats.
type Who struct {
	Names []Known `json:"names"`
	// Inferred says that Names are concluded from the chats and were not given.
	Inferred bool `json:"inferred"`
	// Unknown are the titles of the chats in which nobody is known to be the
	// person: nothing in them becomes a fact of theirs.
	Unknown []string `json:"unknown"`
}

// A chat is a conversation between people: the people who spoke in the sessions
// that have one title.
type peopled struct {
	id, title string
	people    []string
}

// Who tells who the person is in the vault's chats, and where nobody knows.
func (r *Runner) Who(ctx context.Context) (Who, error) {
	r.heads = nil
	_, err := r.transcripts(ctx, NewView(r.v))
	return r.who, err
}

// chatsOf gathers the chats between people. The sessions of one chat have ids that
// are alike up to a "#"; after a contact was renamed they have several titles.
func chatsOf(heads []head) []peopled {
	var chats []peopled
	at := map[string]int{}
	for _, h := range heads {
		chat, _, _ := strings.Cut(h.conversation, "#")
		for _, p := range h.people {
			if p == "" || roles[p] {
				continue
			}
			key := chat + "\x00" + h.title
			i, ok := at[key]
			if !ok {
				i = len(chats)
				at[key] = i
				chats = append(chats, peopled{id: chat, title: h.title})
			}
			if !slices.Contains(chats[i].people, p) {
				chats[i].people = append(chats[i].people, p)
			}
		}
	}
	return chats
}

// whoIn says who the person is in chats: whom they named, else whom the chats
// leave no doubt about.
func whoIn(chats []peopled, given []string) Who {
	w := Who{Names: []Known{}, Unknown: []string{}}
	if len(given) > 0 {
		for _, name := range given {
			w.Names = append(w.Names, Known{name, "the setting me names it"})
		}
	} else {
		w.Inferred = true
		w.Names = inferred(chats)
	}
	known := map[string]bool{} // chats, under whatever title
	for _, c := range chats {
		known[c.id] = known[c.id] || slices.ContainsFunc(c.people, w.has)
	}
	for _, c := range chats {
		if !known[c.id] && !slices.Contains(w.Unknown, c.title) {
			w.Unknown = append(w.Unknown, c.title)
		}
	}
	return w
}

func (w Who) has(name string) bool {
	return slices.ContainsFunc(w.Names, func(k Known) bool { return strings.EqualFold(k.Name, name) })
}

// inferred concludes who exported the chats. A chat of two that is titled with the
// name of one was exported by the other. Failing that, whoever exported several
// chats is in all of them: the only sender that they have in common. Two names that
// stand in one chat are two people, and then nobody is known.
func inferred(chats []peopled) []Known {
	names := byTitle(chats)
	if len(names) == 0 {
		names = inCommon(chats)
	}
	for _, c := range chats {
		n := 0
		for _, k := range names {
			if slices.Contains(c.people, k.Name) {
				n++
			}
		}
		if n > 1 {
			return []Known{}
		}
	}
	return names
}

func byTitle(chats []peopled) []Known {
	names := []Known{}
	for _, c := range chats {
		if len(c.people) != 2 {
			continue
		}
		for i, p := range c.people {
			other := c.people[1-i]
			if sameName(p, c.title) && !sameName(other, c.title) && !slices.ContainsFunc(names, func(k Known) bool { return k.Name == other }) {
				names = append(names, Known{other, "the other one in the chat with " + c.title})
			}
		}
	}
	return names
}

// Fewest chats that may tell by the one sender whom they share: in a chat of two
// the exporter has spoken, and two chats do; in a group they may be silent while a
// friend is in both, so that three are wanted.
const (
	fewestPairs  = 2
	fewestGroups = 3
)

func inCommon(chats []peopled) []Known {
	all := map[string][]string{} // people by chat, under all its titles
	for _, c := range chats {
		all[c.id] = append(all[c.id], c.people...)
	}
	count := map[string]int{}
	pairs := true
	for _, people := range all {
		slices.Sort(people)
		people = slices.Compact(people)
		pairs = pairs && len(people) == 2
		for _, p := range people {
			count[p]++
		}
	}
	fewest := fewestGroups
	if pairs {
		fewest = fewestPairs
	}
	names := []Known{}
	for p, n := range count {
		if n == len(all) && n >= fewest {
			names = append(names, Known{p, fmt.Sprintf("the one sender that %d chats have in common", n)})
		}
	}
	if len(names) != 1 {
		return []Known{}
	}
	return names
}

// sameName compares names as files and contacts write them: by their letters and
// digits.
func sameName(a, b string) bool {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	a, b = plain(a), plain(b)
	return a == b && a != ""
}

// A head is the front matter of a transcript.
type head struct {
	path                    vault.Path
	key                     string // source and the provider's id
	conversation, title     string
	created, updated, ended string
	people, languages       []string
}

// readHeads reads the front matter of all transcripts, and says which could not
// be read.
func readHeads(ctx context.Context, w *View) ([]head, []Skipped, error) {
	paths, err := w.Paths(ctx, "transcripts")
	if err != nil {
		return nil, nil, err
	}
	var heads []head
	var skipped []Skipped
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		n, err := w.Head(p)
		if err != nil {
			skipped = append(skipped, Skipped{p, err.Error()})
			continue
		}
		heads = append(heads, head{
			path: p, key: conversationKey(n), conversation: n.Prop("conversation"), title: n.Title(),
			created: n.Prop("created"), updated: n.Prop("updated"), ended: transcriptEnd(n), people: n.List("participants"), languages: n.List("languages"),
		})
	}
	return heads, skipped, nil
}

// transcripts are the heads of the vault's transcripts. They are read once in a
// run, in which nothing is imported, and tell who the person is.
func (r *Runner) transcripts(ctx context.Context, w *View) ([]head, error) {
	if r.heads == nil {
		heads, unread, err := readHeads(ctx, w)
		if err != nil {
			return nil, err
		}
		r.heads, r.unread, r.who = heads, unread, whoIn(chatsOf(heads), r.cfg.Me)
	}
	return r.heads, nil
}

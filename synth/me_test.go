package synth

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

func TestWhoIn(t *testing.T) {
	c := func(id, title string, people ...string) peopled { return peopled{id, title, people} }
	for name, tt := range map[string]struct {
		chats   []peopled
		given   []string
		names   []string
		unknown []string
	}{
		"the title names the other":                  {chats: []peopled{c("1", "Mira Lind", "Mira Lind", "Ana")}, names: []string{"Ana"}},
		"as a file writes a name":                    {chats: []peopled{c("1", "Ruth work", "Ana", "Ruth (work)")}, names: []string{"Ana"}},
		"a title of nobody's":                        {chats: []peopled{c("1", "Holiday", "Mira", "Ana")}, unknown: []string{"Holiday"}},
		"both are called alike":                      {chats: []peopled{c("1", "Ana", "Ana", "ana")}, unknown: []string{"Ana"}},
		"known from a chat of two, found in a group": {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("2", "Family", "Ana", "Papa", "Leo")}, names: []string{"Ana"}},
		"a group in which the person is silent":      {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("2", "Club", "Papa", "Leo")}, names: []string{"Ana"}, unknown: []string{"Club"}},
		"in common of two chats of two":              {chats: []peopled{c("1", "", "Mira", "Ana"), c("2", "", "Leo", "Ana")}, names: []string{"Ana"}},
		"two groups are too few":                     {chats: []peopled{c("1", "x", "Mira", "Ana", "Papa"), c("2", "y", "Leo", "Ana", "Tim")}, unknown: []string{"x", "y"}},
		"three groups":                               {chats: []peopled{c("1", "x", "Mira", "Ana", "Papa"), c("2", "y", "Leo", "Ana"), c("3", "z", "Omar", "Ana", "Nadia")}, names: []string{"Ana"}},
		"two in common":                              {chats: []peopled{c("1", "x", "Mira", "Ana"), c("2", "y", "Mira", "Ana")}, unknown: []string{"x", "y"}},
		"one chat tells nothing by what is common":   {chats: []peopled{c("1", "x", "Ana")}, unknown: []string{"x"}},
		"two answers that contradict each other":     {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("2", "Ana", "Ana", "Mira")}, unknown: []string{"Mira", "Ana"}},
		"two names of one person":                    {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("2", "Leo", "Leo", "Ana Brandt")}, names: []string{"Ana", "Ana Brandt"}},
		"a contact was renamed":                      {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("1", "Mira (Arbeit)", "Mira", "Ana", "Mira (Arbeit)")}, names: []string{"Ana"}},
		"what is given wins":                         {chats: []peopled{c("1", "Mira", "Mira", "Ana"), c("2", "Leo", "Leo", "Tim")}, given: []string{"tim"}, names: []string{"tim"}, unknown: []string{"Mira"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := whoIn(tt.chats, tt.given)
			var names []string
			for _, k := range w.Names {
				names = append(names, k.Name)
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if tt.unknown == nil {
				tt.unknown = []string{}
			}
			if diff := cmp.Diff(tt.unknown, w.Unknown); diff != "" {
				t.Errorf("unknown (-want +got):\n%s", diff)
			}
		})
	}
}

// between makes a chat between people, "NAME: text" a turn.
func between(id, title, start string, lines ...string) chat {
	at, err := vault.ParseStamp(start)
	if err != nil {
		panic(err)
	}
	c := chat{source: "whatsapp", id: id, title: title}
	for _, line := range lines {
		name, text, _ := strings.Cut(line, ": ")
		c.turns = append(c.turns, vault.Turn{Sender: name, Time: at, Text: text})
	}
	return c
}

// A chat of two gives facts without any setting, of the person's alone.
func TestFactsOfAChatWithoutASetting(t *testing.T) {
	l := newLab(t)
	l.add(between("chat-1#2025-04-05-1200", "Leo", "2025-04-05 12:00",
		"Leo: I moved to Oslo last year and I work at a shipyard there.",
		"Ana Brandt: I am allergic to walnuts.",
		"Ana Brandt: I live in Lisbon since 2019 and I always bake the rye bread myself."))
	l.run()
	facts := ""
	for p, text := range l.pages() {
		if p.Under("facts") {
			facts += text
		}
	}
	if !strings.Contains(facts, "llergic to walnuts") || strings.Contains(facts, "Oslo") {
		t.Errorf("facts:\n%s", facts)
	}
	w, err := NewRunner(l.v, l.cfg).Who(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := Who{Names: []Known{{"Ana Brandt", "the other one in the chat with Leo"}}, Inferred: true, Unknown: []string{}}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("who (-want +got):\n%s", diff)
	}
}

package sync

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// known is what a vault already holds of one source's conversations.
type known struct {
	byConversation map[string]knownTranscript
	taken          map[vault.Path]bool
}

type knownTranscript struct {
	path    vault.Path
	updated string
}

// readKnown lists the transcripts of a source in the vault, and the names that are
// taken. Only the front matter of each is read.
func readKnown(ctx context.Context, v *vault.Vault, source string) (*known, error) {
	k := &known{byConversation: map[string]knownTranscript{}, taken: map[vault.Path]bool{}}
	heads, all, err := transcriptsOf(ctx, v, source)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		k.taken[foldPath(p)] = true
	}
	for _, n := range heads {
		k.byConversation[n.Prop("conversation")] = knownTranscript{n.Path, n.Prop("updated")}
	}
	return k, nil
}

// transcriptsOf are the heads of a source's transcripts, wherever below transcripts/
// the person keeps them, and the paths of all notes there.
func transcriptsOf(ctx context.Context, v *vault.Vault, source string) (heads []*vault.Note, all []vault.Path, err error) {
	entries, err := v.WalkUnder(ctx, v.Layout().Folder("transcripts"))
	if err != nil {
		return nil, nil, err
	}
	own := v.Layout().Folder("transcripts").Join(vault.Slug(source))
	for _, e := range entries {
		all = append(all, e.Path)
		head, err := v.Head(e.Path)
		if err != nil {
			if e.Path.Under(own) {
				return nil, nil, err
			}
			continue // hardly one of the source's, and what cannot be read stops no other
		}
		if !e.Path.Under(own) && !bytes.Contains(head, []byte(source)) {
			continue // taking front matter apart takes longer than reading it
		}
		n := vault.Parse(e.Path, head)
		if n.Type() == vault.TypeTranscript && n.Prop("conversation") != "" && (n.Prop("source") == source || e.Path.Under(own)) {
			heads = append(heads, n)
		}
	}
	return heads, all, nil
}

// Transcript finds the transcript of a source's conversation; nil where there is none.
func Transcript(ctx context.Context, v *vault.Vault, source, conversation string) (*vault.Note, error) {
	heads, _, err := transcriptsOf(ctx, v, source)
	if err != nil {
		return nil, err
	}
	for _, n := range heads {
		if n.Prop("conversation") == conversation {
			return v.Note(n.Path)
		}
	}
	return nil, nil
}

// foldPath is what a path is called on disks that do not tell case apart.
func foldPath(p vault.Path) vault.Path { return vault.Path(strings.ToLower(string(p))) }

// place chooses the path of a new transcript. A name that is taken gets the end
// of the transcript's id behind it.
func (k *known) place(l vault.Layout, c importer.Conversation, id string) vault.Path {
	p := l.Transcript(c.Source, c.Created.Date(), title(c))
	if k.taken[foldPath(p)] {
		p = l.Transcript(c.Source, c.Created.Date(), title(c)+" "+id[len(id)-4:])
		for n := 2; k.taken[foldPath(p)]; n++ {
			p = l.Transcript(c.Source, c.Created.Date(), fmt.Sprintf("%s %s %d", title(c), id[len(id)-4:], n))
		}
	}
	k.taken[foldPath(p)] = true
	return p
}

// maxTitle is the length in runes at which a title made of a turn is cut.
const maxTitle = 60

// title is the conversation's, else the beginning of its first turn in the words
// of whoever wrote it.
func title(c importer.Conversation) string {
	if t := vault.Fold(c.Title); t != "" {
		return t
	}
	for _, t := range c.Turns {
		line := vault.Fold(vault.StripInjected(t.Text))
		if line == "" {
			continue
		}
		if r := []rune(line); len(r) > maxTitle {
			line = string(r[:maxTitle])
			if i := strings.LastIndexByte(line, ' '); i > maxTitle/2 {
				line = line[:i]
			}
		}
		return line
	}
	return "Untitled"
}

// prepare fills in what a provider may leave out: times from the turns, message
// ids from their content, participants from the senders.
func prepare(c *importer.Conversation) {
	seen := map[string]int{}
	ids := map[string]bool{}
	for i := range c.Turns {
		t := &c.Turns[i]
		if t.MessageID == "" || ids[t.MessageID] {
			key := t.Sender + "\x00" + t.Time.String() + "\x00" + t.Text
			seen[key]++
			t.MessageID = vault.ContentID("m", 10, key, fmt.Sprint(seen[key]))
		}
		ids[t.MessageID] = true
		if c.Created.IsZero() {
			c.Created = t.Time
		}
		if t.Sender != "" && !slices.Contains(c.Participants, t.Sender) {
			c.Participants = append(c.Participants, t.Sender)
		}
	}
	if c.Updated.IsZero() {
		for _, t := range c.Turns {
			if t.Time.Time.After(c.Updated.Time) {
				c.Updated = t.Time
			}
		}
	}
}

// transcriptID is the id of the note that holds a conversation.
func transcriptID(c importer.Conversation) string {
	return vault.ContentID("tr", 8, c.Source, c.ID)
}

// newTranscript writes the whole note of a conversation.
func newTranscript(c importer.Conversation, languages []string) []byte {
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Plain(transcriptID(c))},
		{Key: "type", Value: vault.Text(string(vault.TypeTranscript))},
		{Key: "title", Value: vault.Text(title(c))},
		{Key: "source", Value: vault.Text(c.Source)},
		{Key: "conversation", Value: vault.Text(c.ID)},
	}
	add := func(key, text string, value vault.Value) {
		if text != "" {
			props = append(props, vault.NewProperty{Key: key, Value: value})
		}
	}
	add("created", c.Created.Property(), vault.Plain(c.Created.Property()))
	add("updated", c.Updated.Property(), vault.Plain(c.Updated.Property()))
	add("model", c.Model, vault.Text(c.Model))
	add("current", current(c), vault.Text(current(c)))
	props = append(props, vault.NewProperty{Key: "participants", Value: vault.List(c.Participants...)})
	if len(languages) > 0 {
		props = append(props, vault.NewProperty{Key: "languages", Value: vault.List(languages...)})
	}
	props = append(props,
		vault.NewProperty{Key: "turns", Value: vault.Number(len(c.Turns))},
		vault.NewProperty{Key: "tags", Value: vault.List("transcript")},
	)
	var b bytes.Buffer
	b.WriteString(vault.FormatFrontMatter(props...) + "\n")
	b.WriteString(vault.FormatSummary(c.Source, c.Summary))
	b.Write(vault.FormatTurns(1, c.Turns))
	return b.Bytes()
}

// current names the last turn of the active path where it is not the last turn
// that is on no branch, which is what a transcript without `current` means.
func current(c importer.Conversation) string {
	for _, t := range slices.Backward(c.Turns) {
		if !t.Branch {
			if c.Current != "" && c.Current != t.MessageID {
				return c.Current
			}
			return ""
		}
	}
	return c.Current
}

// A growth is what an export has of a conversation beyond its transcript.
type growth struct {
	// added are ready to stand behind the turns that are there, the last revised
	// of them with other words for earlier ones.
	added   []vault.Turn
	revised int
	// deleted counts messages that were taken back since.
	deleted int
}

// compare compares c with its transcript.
func (im *Importer) compare(t *vault.Transcript, c importer.Conversation, f importer.Format) (g growth) {
	place := placesOf(t, c.Turns, f)
	words := wordsOf(f)
	var revisions []vault.Turn
	previous := ""
	for i, turn := range c.Turns {
		parent := cmp.Or(turn.Parent, previous, vault.RootParent)
		previous = turn.MessageID
		if place[i] >= 0 {
			revision, ok, gone := im.revise(t, place[i], turn, words)
			if ok {
				revisions = append(revisions, revision)
			}
			if gone {
				g.deleted++
			}
			continue
		}
		// What stands before the turn in the note may not be what it answers.
		last := ""
		if len(g.added) > 0 {
			last = g.added[len(g.added)-1].MessageID
		} else if len(t.Turns) > 0 {
			last = t.Turns[len(t.Turns)-1].MessageID
		}
		turn.Parent = ""
		if parent != last {
			turn.Parent = parent
		}
		g.added = append(g.added, turn)
	}
	g.added, g.revised = append(g.added, revisions...), len(revisions)
	return g
}

// placesOf says for each turn of an export where the transcript has the message,
// -1 for one that it has not.
func placesOf(t *vault.Transcript, turns []vault.Turn, f importer.Format) []int {
	at := make(map[string]int, len(t.Turns))
	first := func(i int) int { // the turn that a wording belongs to
		if p := t.Turns[i]; p.Revises != "" {
			if of, ok := at[p.Revises]; ok {
				return of
			}
		}
		return i
	}
	for i, p := range t.Turns {
		if p.MessageID != "" {
			at[p.MessageID] = first(i)
		}
	}
	out := make([]int, len(turns))
	for i, turn := range turns {
		out[i] = -1
		if k, ok := at[turn.MessageID]; ok {
			out[i] = k
		}
	}
	m, ok := f.(matcher)
	if !ok {
		return out
	}
	var older []vault.Turn
	var places []int
	for i, p := range t.Turns {
		if p.Revises == "" {
			older, places = append(older, p.Turn), append(places, i)
		}
	}
	for i, k := range m.Match(older, turns) {
		if k >= 0 && out[i] < 0 {
			out[i] = places[k]
		}
	}
	return out
}

// grown returns the bytes of a transcript with turns added to it; the same bytes
// where nothing is new.
func grown(t *vault.Transcript, c importer.Conversation, added []vault.Turn) ([]byte, error) {
	next := vault.Parse(t.Path, t.AppendTurns(added))
	if err := updateHead(next, t, c, added); err != nil {
		return nil, err
	}
	return next.Bytes(), nil
}

// updateHead brings a transcript's front matter up to its turns. The title is
// left as it is: the person may have given the note a better one.
func updateHead(n *vault.Note, t *vault.Transcript, c importer.Conversation, added []vault.Turn) error {
	set := func(key string, v vault.Value) error { return n.Set(key, v) }
	old, err := vault.ParseStamp(n.Prop("updated"))
	ends := err != nil || !old.Time.After(c.Updated.Time) || sameMinute(c.Updated, old) // not an export from before
	same := err == nil && c.Updated.Minutes != old.Minutes && sameMinute(c.Updated, old)
	if s := c.Updated.Property(); s != "" && s != n.Prop("updated") && !same && ends {
		if err := set("updated", vault.Plain(s)); err != nil {
			return err
		}
	}
	if len(added) > 0 {
		if err := set("turns", vault.Number(len(t.Turns)+len(added))); err != nil {
			return err
		}
		people := n.List("participants")
		for _, p := range c.Participants {
			if p != "" && !slices.Contains(people, p) {
				people = append(slices.Clone(people), p)
			}
		}
		if err := set("participants", vault.List(people...)); err != nil {
			return err
		}
	}
	if want := lastActive(c); ends && want != "" && want != lastActiveTurn(vault.ParseTranscript(n)) {
		return set("current", vault.Text(want))
	}
	return nil
}

// lastActive is the message that ends c's active path.
func lastActive(c importer.Conversation) string {
	if c.Current != "" {
		return c.Current
	}
	for _, t := range slices.Backward(c.Turns) {
		if !t.Branch {
			return t.MessageID
		}
	}
	return ""
}

func lastActiveTurn(t *vault.Transcript) string {
	if path := t.Active(); len(path) > 0 {
		return path[len(path)-1].MessageID
	}
	return ""
}

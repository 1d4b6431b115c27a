package claudecode

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// A session is what was said under one session id, in order.
type session struct {
	id, project string
	last        vault.Stamp
	parents     map[string]string // of every line that has an id
	said        []spoken
}

// spoken is an entry that becomes a turn.
type spoken struct {
	turn   vault.Turn
	prompt bool // typed by the person
}

func (s *session) add(e entry) {
	if s.project == "" {
		s.project = e.project
	}
	if e.id != "" {
		if _, again := s.parents[e.id]; again {
			return // a resumed session repeats its beginning
		}
		s.parents[e.id] = e.parent
	}
	if e.time.Time.After(s.last.Time) {
		s.last = e.time
	}
	if !e.said() {
		return
	}
	t := vault.Turn{Sender: e.kind, Time: e.time, MessageID: e.id, Attachments: e.attachments, Flags: e.flags(), Text: e.text}
	if e.kind == "assistant" {
		t.Model = e.model
	}
	s.said = append(s.said, spoken{t, e.kind == "user" && !slices.Contains(t.Flags, vault.FlagMeta)})
}

// conversation lays the session out as turns: the active path, then what was
// said before the person went back and asked again.
func (s *session) conversation(file string, titles []title) importer.Conversation {
	c := importer.Conversation{Source: Format{}.Source(), ID: s.id, Project: s.project, Updated: s.last}
	if len(s.said) == 0 {
		return c
	}
	c.Created = s.said[0].turn.Time
	if c.ID == "" {
		c.ID = s.deriveID(file)
	}
	c.Title, c.Summary = s.title(titles)
	onBranch := s.branches()
	index := map[string]int{}
	for i, sp := range s.said {
		if sp.turn.MessageID != "" {
			index[sp.turn.MessageID] = i
		}
		if sp.turn.Model != "" {
			c.Model = sp.turn.Model
		}
	}
	parents := make([]int, len(s.said))
	var path []int
	for i, sp := range s.said {
		parents[i] = -1
		if !onBranch[i] {
			if len(path) > 0 {
				parents[i] = path[len(path)-1]
			}
			path = append(path, i)
			continue
		}
		s.above(sp.turn.MessageID, func(id string) bool {
			p, ok := index[id]
			if ok {
				parents[i] = p
			}
			return !ok
		})
	}
	when := func(int) time.Time { return time.Time{} } // siblings stay in the file's order
	tree := importer.NewTree(parents, -1, when)
	l := importer.NewLayout(&c, tree)
	for _, n := range path {
		l.Add(n, s.said[n].turn, false)
	}
	tree.Branches(path, when, func(n int) { l.Add(n, s.said[n].turn, true) })
	return c
}

// above calls visit for each line above id until it returns false.
func (s *session) above(id string, visit func(id string) bool) {
	// A hostile file may link lines in a circle; no path is longer than the file.
	for range s.parents {
		id = s.parents[id]
		if id == "" || !visit(id) {
			return
		}
	}
}

// branches says which turns are off the active path: where two prompts answer
// the same line, the earlier one and all that follows from it.
func (s *session) branches() []bool {
	lastAnswer := map[string]int{} // the last prompt below a line
	for i, sp := range s.said {
		if parent := s.parents[sp.turn.MessageID]; sp.prompt && parent != "" {
			lastAnswer[parent] = i
		}
	}
	abandoned := map[string]bool{}
	for i, sp := range s.said {
		if parent := s.parents[sp.turn.MessageID]; sp.prompt && parent != "" && lastAnswer[parent] != i {
			abandoned[sp.turn.MessageID] = true
		}
	}
	off := make([]bool, len(s.said))
	if len(abandoned) == 0 {
		return off
	}
	known := map[string]bool{} // line is (or is not) on a branch
	for i, sp := range s.said {
		var walked []string
		on := abandoned[sp.turn.MessageID]
		if !on {
			walked = append(walked, sp.turn.MessageID)
			s.above(sp.turn.MessageID, func(id string) bool {
				if v, ok := known[id]; ok {
					on = v
					return false
				}
				if on = abandoned[id]; on {
					return false
				}
				walked = append(walked, id)
				return true
			})
		}
		for _, id := range walked {
			known[id] = on
		}
		off[i] = on
	}
	return off
}

// longTitle is where a title is rather a summary, in bytes.
const longTitle = 80

// title picks what the program or the person called the session. A summary line
// names the line that it sums up, which may belong to another file's session.
func (s *session) title(titles []title) (name, summary string) {
	best := title{}
	for _, t := range titles {
		_, here := s.parents[t.leaf]
		if (here && t.leaf != "" || t.leaf == "" && t.session == s.id) && t.rank >= best.rank {
			best = t
		}
	}
	if best.rank == 1 && len(best.text) > longTitle {
		return "", best.text
	}
	return best.text, ""
}

// deriveID makes an id for a session without one: the file's name where it is an
// id, else from the first message.
func (s *session) deriveID(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name := strings.TrimSuffix(base, path.Ext(base))
	if len(name) == 36 && strings.Count(name, "-") == 4 {
		return name
	}
	first := s.said[0].turn
	sum := sha256.Sum256([]byte("claude-code\x00" + first.Time.String() + "\x00" + first.Text))
	return fmt.Sprintf("%x", sum[:16])
}

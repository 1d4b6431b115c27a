package synth

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file finds how the person's opinions moved: claims that took another's
// place, and what they said of one matter on two days that does not go together.
// Both sides are named with their months and sources; what it means is for the
// reader.

// An opinion is something that the person wants, prefers or has decided, and when
// they said so.
type opinion struct {
	day, text, cite string
	id              string   // of the claim, where it is one
	replaces        []string // the ids of the claims whose place it took
	topic           string   // key of the topic under which it is filed
	from            string   // the transcript that it comes from
	words           map[string]bool
}

// A shift is an opinion and the later one that took its place or denies it.
type shift struct{ before, after opinion }

// maxShifts bounds the shifts that a topic names, the latest ones.
const maxShifts = 8

// comparedOpinions bounds the opinions on a topic that are compared with each
// other, the latest ones.
const comparedOpinions = 200

// opinionCue tells a line of a summary that holds an opinion by how it begins.
var opinionCue = lazyregexp.New(`(?i)^(?:prefer|like|love|enjoy|hate|dislike|favou?r|value|can'?t stand|a (?:big |huge )?fan|into|always|never|no longer|don'?t|decided|chose|chosen|settled|opted|agreed|going with|go with|switched|moved|changed|want|plan|aim|hope|would rather|my (?:favou?rite|goal|plan|budget|preference)|tired of|stopped|gave up|quit)\b`)

// changed are words with which people say that something is no longer as it was.
var changed = lazyregexp.New(`(?i)\b(?:switch(?:ed|ing)|mov(?:ed|ing) (?:from|away|back)|moved to|changed (?:my mind|to|from)|no longer|anymore|any more|instead of|used to|rather than|stopped|gave up|quit|back to|over (?:to|from)|replac(?:ed|ing)|dropped|ditched|after all)\b|\b(?:is|are|'s|'m) now\b|^now\b`)

// The shares of content words from which two opinions are about one matter: where
// one denies the other or names another figure, and where the later one says itself
// that something changed.
const (
	deniedMatter  = 0.6
	changedMatter = 0.4
)

// opinionsOf are the opinions in the ledgers and in the sessions' summaries, in the
// order of time.
func opinionsOf(ctx context.Context, w *View, sessions []session) ([]opinion, error) {
	var all []opinion
	filed := map[string]bool{}
	for _, folder := range []string{"schema", "facts"} {
		notes, err := w.Notes(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			if !n.IsLedger() {
				continue
			}
			for _, o := range filedIn(n) {
				all = append(all, o)
				filed[o.from+o.text] = true
			}
		}
	}
	for _, s := range sessions {
		for _, it := range s.items {
			if len(s.start) >= 10 && opinionCue.MatchString(it.text) && !filed[s.from+it.text] {
				all = append(all, opinion{day: s.start[:10], text: it.text, cite: citeOf(it.line, s), from: s.from})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b opinion) int { return cmp.Or(strings.Compare(a.day, b.day), strings.Compare(a.text, b.text)) })
	return all, nil
}

// opinionKinds are the kinds of claims that say what somebody thinks or wants.
var opinionKinds = map[string]bool{"preference": true, "decision": true, "goal": true, "policy": true, "value": true, "constraint": true, "correction": true}

// filedIn are the opinions of a ledger: claims of their kinds, and claims that took
// another's place with those others.
func filedIn(n *vault.Note) []opinion {
	claims := n.Claims()
	linked := map[string]bool{}
	for _, c := range claims {
		for _, id := range c.Supersedes {
			linked[c.ID], linked[id] = true, true
		}
	}
	var out []opinion
	for _, c := range claims {
		says := opinionKinds[c.Kind] || c.Kind == "event" && changed.MatchString(c.Text)
		if !(linked[c.ID] && c.ID != "" || says && c.InForce()) || len(c.FirstSeen) < 10 {
			continue
		}
		o := opinion{day: c.FirstSeen[:10], text: c.Text, cite: placedClaim{c, n.Path}.cited(), id: c.ID, replaces: c.Supersedes, topic: extract.PhraseKey(n.Prop("topic"))}
		if isSubject(n.Prop("topic")) {
			o.topic = "" // of many topics
		}
		if len(c.From) > 0 {
			o.from = c.From[0].Link.Target
		}
		out = append(out, o)
	}
	return out
}

// citeOf is the citation at the end of a line of a summary, or the session where the
// line has none.
func citeOf(line string, s session) string {
	if i := strings.LastIndex(line, " ([["); i >= 0 && strings.HasSuffix(strings.TrimRight(line, ".!? "), "]])") {
		return strings.TrimRight(line[i:], ".!? ")
	}
	return " (" + vault.LinkTo(s.note.Path, s.title).String() + ")"
}

// shiftsOf are the shifts among the opinions on one topic: those said in its
// sessions, and the claims filed under it.
func shiftsOf(t topic, all []opinion) []shift {
	from := map[string]bool{}
	for _, s := range t.sessions {
		from[s.from] = true
	}
	var mine []opinion
	for _, o := range all {
		if from[o.from] || o.topic == t.key {
			mine = append(mine, o)
		}
	}
	mine = mine[max(0, len(mine)-comparedOpinions):]
	for i := range mine {
		mine[i].words = extract.Words(mine[i].text)
	}
	var out []shift
	taken := map[string]bool{}
	for i, after := range mine {
		for _, before := range slices.Backward(mine[:i]) {
			chain := before.id != "" && slices.Contains(after.replaces, before.id)
			if taken[before.text] || taken[after.text+"\x00after"] || before.text == after.text || before.day >= after.day && !chain {
				continue
			}
			if chain || share(before.words, after.words) && moved(before.text, after.text, t.key) {
				out = append(out, shift{before, after})
				taken[before.text], taken[after.text+"\x00after"] = true, true
			}
		}
	}
	slices.SortStableFunc(out, func(a, b shift) int {
		return cmp.Or(strings.Compare(a.after.day, b.after.day), strings.Compare(a.before.day, b.before.day))
	})
	return out[max(0, len(out)-maxShifts):]
}

// stance are the words of taking one, which say nothing of the matter.
var stance = lazyregexp.New(`(?i)\b(?:prefer(?:red)?|decided|chose|chosen|opted|agreed|want(?:ed)?|plan(?:ning|ned)?|aim(?:ing)?|hop(?:e|ing)|like|love|enjoy|hate)\b`)

// share reports whether two sets of words have some in common.
func share(a, b map[string]bool) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}

// moved reports whether the later of two opinions is another one on the same matter.
func moved(before, after, topic string) bool {
	before, after = stance.ReplaceAllString(before, ""), stance.ReplaceAllString(after, "")
	shared, least := extract.Shared(before, after)
	if least < 2 || shared == 0 {
		return false
	}
	share := float64(shared) / float64(least)
	switch {
	case extract.Denies(before, after) && share >= deniedMatter:
		return true
	case extract.HasNumbers(before) && extract.HasNumbers(after) && !extract.SameNumbers(before, after) && share >= sameMatter && least > 2:
		return true
	case changed.MatchString(after) && !changed.MatchString(before) && share >= changedMatter:
		// The topic's own words are in all that is said of it.
		own, _ := extract.Shared(before, topic)
		both, _ := extract.Shared(after, topic)
		return shared > min(own, both)
	}
	return false
}

// opinionsMoved writes how the opinions on a topic moved, empty where they did not.
func opinionsMoved(shifts []shift) string {
	var body strings.Builder
	for _, s := range shifts {
		from, to := s.before.day[:7], s.after.day[:7]
		if from == to {
			from, to = s.before.day, s.after.day
		}
		body.WriteString("- " + from + ": " + side(s.before) + "; " + to + ": " + side(s.after) + "\n")
	}
	if body.Len() == 0 {
		return ""
	}
	return "\n## How opinions moved\n\n" + body.String()
}

func side(o opinion) string { return lowerFirst(strings.TrimRight(o.text, ".! ")) + o.cite }

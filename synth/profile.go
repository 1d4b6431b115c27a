package synth

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// Bounds of the profile card (source 1): at most 200 tokens, 5 to 10 bullets. A
// card with fewer bullets than fewBullets is filled up with what is new.
const (
	profileTokens  = 200
	profileBullets = 10
	fewBullets     = 7
)

// profileKinds are the kinds that a card is made of and how much each weighs.
// Identity is for the line above the bullets as well.
var profileKinds = map[string]float64{
	"policy": 1, "value": 1, "identity": 0.95, "preference": 0.9, "goal": 0.85, "relationship": 0.75, "constraint": 0.7, "decision": 0.65,
}

// profile writes the card from the claims in force. Rules take what was said
// outright, or was seen on two days at least.
func (r *Runner) profile(ctx context.Context, w *View) (Made, error) {
	claims, err := claimsInForce(ctx, w)
	if err != nil {
		return Made{}, err
	}
	sessions, err := readSessions(ctx, w)
	if err != nil || len(claims)+len(sessions) == 0 {
		return Made{}, err
	}
	var made Made
	claims = slices.DeleteFunc(claims, func(c vault.Claim) bool { return over(c, newestDay(sessions, claims)) })
	card := r.cardDraft(w, claims, sessions, func() []byte { return profilePage(claims, introduce(claims, sessions), latelyAbout(sessions)) })
	made.Subject = "from " + count(len(claims), "claim")
	_, err = r.writeDrafts(ctx, w, "profile", []draft{card}, &made)
	return made, err
}

// claimsInForce reads the claims of the schema and the facts that still hold.
func claimsInForce(ctx context.Context, w *View) ([]vault.Claim, error) {
	placed, err := placedClaims(ctx, w)
	var out []vault.Claim
	for _, c := range placed {
		out = append(out, c.Claim)
	}
	return out, err
}

// A placedClaim is a claim and the ledger in which it stands.
type placedClaim struct {
	vault.Claim
	at vault.Path
}

// placedClaims are the same with their ledgers.
func placedClaims(ctx context.Context, w *View) ([]placedClaim, error) {
	var out []placedClaim
	for _, folder := range []string{"schema", "facts"} {
		notes, err := w.Notes(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			if !n.IsLedger() {
				continue
			}
			for _, c := range n.Claims() {
				if c.InForce() && c.Status != "proposed" {
					out = append(out, placedClaim{c, n.Path})
				}
			}
		}
	}
	return out, nil
}

// cited links the claim in its ledger, which has its quotes: a short address in a
// page that is read at every start. A line of the person's without an id is cited
// by its first turn, if it has one.
func (c placedClaim) cited() string {
	if c.ID == "" {
		return proof(c.Claim)
	}
	return " (" + vault.LinkToBlock(c.at, c.ID, c.ID).String() + ")"
}

// stable reports whether a claim may stand on the card: the person pinned or
// confirmed it, said it outright in the first person, or it was seen on two days.
func stable(c vault.Claim) bool {
	switch {
	case c.Pin != "" || c.Status == "confirmed" || len(c.From) == 0, c.FirstSeen != c.LastSeen:
		return true
	}
	switch c.Kind {
	case "identity", "policy", "preference", "value":
		return true
	case "relationship":
		return whoIsWho.MatchString(c.Text)
	case "goal":
		return extract.LifeGoal(c.Text)
	}
	return false
}

// whoIsWho tells who somebody is to the person: by name, not only what a friend did.
var whoIsWho = lazyregexp.New(`^(?:[Mm]y (?:(?:best|old|oldest|youngest|younger|older|elder|little|big|late|former|new) )?[\w-]+,?(?:'s name)?(?: is| are| named| called| is called| is named)? \p{Lu}\p{L}+|(?:Met|Known|Married|Engaged|Dating|Close)\b)`)

// latest are routines, decisions, goals and events: what a card is filled up with,
// routines first, then month by month the newest. They were said outright, and name
// a day, a number or a name. One conversation gives at most maxFromOne of them.
func latest(claims []vault.Claim) []vault.Claim {
	var out []vault.Claim
	for _, c := range claims {
		switch c.Kind {
		case "decision", "goal", "event", "constraint":
			if c.Kind != "decision" && extract.WorkStep(c.Text) || strings.Contains(c.Text, "`") {
				continue // what was done to the piece of work in hand says nothing of them later
			}
			if len(c.Text) <= 140 && c.Confidence >= 0.75 && len(c.From) > 0 {
				out = append(out, c)
			}
		}
	}
	month := func(c vault.Claim) string { return c.LastSeen[:min(7, len(c.LastSeen))] }
	again := func(c vault.Claim) int {
		if often.MatchString(c.Text) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b vault.Claim) int {
		return cmp.Or(cmp.Compare(again(b), again(a)), strings.Compare(month(b), month(a)), cmp.Compare(profileKinds[b.Kind], profileKinds[a.Kind]),
			cmp.Compare(b.Confidence, a.Confidence), strings.Compare(b.LastSeen, a.LastSeen))
	})
	from := map[string]int{}
	return slices.DeleteFunc(out, func(c vault.Claim) bool {
		from[c.From[0].Link.Target]++
		return from[c.From[0].Link.Target] > maxFromOne
	})
}

// maxFromOne bounds what one conversation gives to the rest of a card.
const maxFromOne = 2

// newestDay is the day to which memory goes.
func newestDay(sessions []session, claims []vault.Claim) string {
	newest := ""
	for _, s := range sessions {
		newest = max(newest, isoDay(s.start))
	}
	for _, c := range claims {
		newest = max(newest, c.LastSeen)
	}
	return newest
}

// An introduction is the person's name, where it is known, and the line above the
// bullets.
type introduction struct{ name, line string }

// introduce takes the sentence in which the person introduced themselves. Where
// there is none, the name is the one that they have in chats, and the line says
// what the sessions are mostly about.
func introduce(claims []vault.Claim, sessions []session) introduction {
	name, who := identity(claims)
	if who != "" && !onlyName(who, name) {
		return introduction{name, who}
	}
	names, areas := map[string]int{}, map[string]int{}
	first, last := "", ""
	for _, s := range sessions {
		if me := s.note.Prop("me"); me != "" {
			names[me]++
		}
		if d := s.note.Prop("domain"); d != "" && d != "general" {
			areas[d]++
		}
		if len(s.start) >= 7 {
			first, last = cmp.Or(first, s.start[:7]), max(last, s.start[:7])
		}
	}
	if most := ranked(names); len(most) > 0 && name == "" {
		name = most[0]
	}
	most := ranked(areas)
	if len(most) == 0 {
		return introduction{name, ""}
	}
	line := "talks mostly about " + joinNames(most[:min(3, len(most))]) + " (" + count(len(sessions), "session") + ", " + first
	if last != first {
		line += " to " + last
	}
	return introduction{name, extract.Capital(strings.TrimSpace(name+" "+line)) + ")."}
}

// onlyName reports whether a sentence says somebody's name and nothing else of them.
func onlyName(text, name string) bool {
	return name != "" && introducing.MatchString(strings.Replace(text, name, "", 1))
}

var introducing = lazyregexp.New(`(?i)^(?:my name(?: is|'s)?|call me|i'?m|i am)?[\s.,!]*$`)

// ranked are the keys of counts, the highest first.
func ranked(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

// latelyAbout links what the last sessions were about, the last first: their
// topics, and the best phrases of those that have none.
func latelyAbout(sessions []session) []string {
	var names, links []string
	add := func(s session, name string) {
		key := extract.PhraseKey(name)
		if name != "" && len(names) < 4 && !slices.ContainsFunc(names, func(n string) bool {
			k := extract.PhraseKey(n)
			return strings.Contains(k, key) || strings.Contains(key, k)
		}) {
			names = append(names, name)
			links = append(links, vault.LinkTo(s.note.Path, name).String())
		}
	}
	last := sessions[max(0, len(sessions)-profileSessions):]
	for _, s := range slices.Backward(last) {
		add(s, s.note.Prop("topic"))
	}
	for i := range 2 {
		for _, s := range slices.Backward(last) {
			if names := s.note.List("topics"); i < len(names) {
				add(s, names[i])
			}
		}
	}
	return links
}

// mostOfKind is how many claims of one kind a card has, beside those that the person
// pinned or confirmed: ten likes say less of somebody than four, two plans and an event.
const mostOfKind = 4

// profileSessions is how many of the last sessions the card looks at (source 1:
// the last 5).
const profileSessions = 5

func profilePage(claims []vault.Claim, intro introduction, lately []string) []byte {
	name, who := intro.name, intro.line
	lead := ""
	if who != "" {
		lead = who + "\n\n"
	}
	var bullets []string
	used := Tokens(lead)
	add := func(line, cite string) {
		if cost := Tokens(line) + 1; len(bullets) < profileBullets && used+cost <= profileTokens {
			used += cost
			bullets = append(bullets, line+cite)
		}
	}
	kinds := map[string]int{}
	for _, c := range rankForProfile(claims) {
		if onlyName(c.Text, name) {
			continue // it stands in the line above
		}
		if kinds[c.Kind]++; c.Text != who && (kinds[c.Kind] <= mostOfKind || c.Pin != "" || c.Status == "confirmed") {
			add("- "+c.Text, proof(c))
		}
	}
	if len(lately) > 0 && len(bullets) < profileBullets {
		add("- Lately: "+strings.Join(lately, ", ")+".", "")
	}
	for _, c := range latest(claims) {
		if len(bullets) >= fewBullets {
			break
		}
		if !slices.ContainsFunc(bullets, func(b string) bool { return extract.Similar(c.Text, Visible(b), similarText) }) {
			add("- "+c.Text, proof(c))
		}
	}
	body := lead + strings.Join(bullets, "\n") + "\n"
	updated := ""
	for _, c := range claims {
		updated = max(updated, c.LastSeen)
	}
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Text("profile")},
		{Key: "type", Value: vault.Text(string(vault.TypeProfile))},
		{Key: "title", Value: vault.Text("Profile")},
	}
	if name != "" {
		props = append(props, vault.NewProperty{Key: "name", Value: vault.Text(name)})
	}
	props = append(props, criticalFacts(claims)...)
	if updated != "" {
		props = append(props, vault.NewProperty{Key: "updated", Value: vault.Plain(updated)})
	}
	props = append(props,
		vault.NewProperty{Key: "tokens", Value: vault.Number(Tokens(body))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("profile")},
	)
	return []byte(vault.FormatFrontMatter(props...) + "\n" + body)
}

// proof cites the first turn that proves a claim.
func proof(c vault.Claim) string {
	if len(c.From) == 0 {
		return ""
	}
	l := c.From[0].Link
	return " " + cite(vault.Path(l.Target+".md"), l.Block)
}

var ownName = lazyregexp.New(`^(?:(?i:i'?m|i am|my name is|my name's|call me) )(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:,|\.|!| and I\b|$)`)

// introduced is the name by which a person introduces themselves in a quote,
// empty where it introduces nobody. Where somebody is from is no name.
func introduced(quote string) string {
	m := ownName.FindStringSubmatch(quote)
	if m == nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.ToLower(m[1]), " ")
	if extract.StopWord(first) {
		return ""
	}
	return m[1]
}

// identity finds the person's name and the sentence in which they introduced
// themselves most often.
func identity(claims []vault.Claim) (name, who string) {
	best := -1
	for _, c := range claims {
		if c.Kind != string(extract.Identity) {
			continue
		}
		for _, e := range c.From {
			if m := introduced(e.Quote); m != "" && len(c.From) > best {
				best, name, who = len(c.From), m, c.Text
			}
		}
	}
	return name, who
}

var criticalCues = []struct {
	key string
	re  *lazyregexp.Regexp
}{
	{"timezone", lazyregexp.New(`\b(?:(?:time ?zone is|in the) ([A-Z][A-Za-z]+/[A-Z][A-Za-z_]+|[A-Z]{3,4}(?:[+-]\d+)?)(?: time ?zone)?)`)},
	{"allergies", lazyregexp.New(`(?i)\ballergic to ([\p{L} ,]+?)(?:\.|,? (?:so|and i|but)\b|$)`)},
}

// criticalFacts are what an assistant must not get wrong, as properties.
func criticalFacts(claims []vault.Claim) []vault.NewProperty {
	var props []vault.NewProperty
	for _, cue := range criticalCues {
		for _, c := range claims {
			if m := cue.re.FindStringSubmatch(c.Text); m != nil && !extract.Denies(c.Text[:strings.Index(c.Text, m[0])], "") {
				v := vault.Text(m[1])
				if cue.key == "allergies" {
					v = vault.List(strings.Split(strings.ReplaceAll(m[1], " and ", ", "), ", ")...)
				}
				props = append(props, vault.NewProperty{Key: cue.key, Value: v})
				break
			}
		}
	}
	return props
}

// rankForProfile orders the stable claims: pinned first, then by kind, by how
// often and how lately they were seen. What says the same is taken once.
func rankForProfile(claims []vault.Claim) []vault.Claim {
	score := func(c vault.Claim) float64 {
		s := profileKinds[c.Kind] + 0.1*float64(min(len(c.From), 5)) + max(c.Importance, 0)
		if c.Pin != "" || c.Status == "confirmed" {
			s += 2
		}
		return s
	}
	var out []vault.Claim
	for _, c := range claims {
		if profileKinds[c.Kind] > 0 && stable(c) && len(c.Text) <= 180 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b vault.Claim) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), strings.Compare(b.LastSeen, a.LastSeen))
	})
	var distinct []vault.Claim
	for _, c := range out {
		// An allergy is not said by the rule that came of it.
		if !slices.ContainsFunc(distinct, func(d vault.Claim) bool {
			return extract.Similar(c.Text, d.Text, sameLine) || c.Kind == d.Kind && extract.Similar(c.Text, d.Text, similarText)
		}) {
			distinct = append(distinct, c)
		}
	}
	return distinct
}

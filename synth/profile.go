package synth

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// Bounds of the profile card (source 1): at most 200 tokens, 5 to 10 bullets.
const (
	profileTokens  = 200
	profileBullets = 10
)

// profileKinds are the kinds that a card is made of and how much each weighs.
// Identity is for the line above the bullets as well.
var profileKinds = map[string]float64{
	"policy": 1, "value": 1, "preference": 0.9, "goal": 0.85, "identity": 0.8, "relationship": 0.75, "constraint": 0.7, "decision": 0.65,
}

// profile writes the card from the claims in force. Rules take what was said
// outright, or was seen on two days at least.
func (r *Runner) profile(ctx context.Context, w *View) (Made, error) {
	claims, err := claimsInForce(ctx, w)
	if err != nil || len(claims) == 0 {
		return Made{}, err
	}
	var made Made
	made.page(w.Layout().Profile(), profilePage(claims))
	made.Subject = "from " + count(len(claims), "claim")
	return made, nil
}

// claimsInForce reads the claims of the schema and the facts that still hold.
func claimsInForce(ctx context.Context, w *View) ([]vault.Claim, error) {
	var out []vault.Claim
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
					out = append(out, c)
				}
			}
		}
	}
	return out, nil
}

// stable reports whether a claim may stand on the card: the person pinned or
// confirmed it, said it outright in the first person, or it was seen on two days.
func stable(c vault.Claim) bool {
	switch {
	case c.Pin != "" || c.Status == "confirmed" || len(c.From) == 0, c.FirstSeen != c.LastSeen:
		return true
	}
	switch c.Kind {
	case "identity", "policy", "preference", "value", "relationship":
		return true
	case "goal":
		return lifeGoal.MatchString(c.Text)
	}
	return false
}

// lifeGoal tells a goal from what somebody wants of the next answer: it has a
// date, a number, or the word.
var lifeGoal = regexp.MustCompile(`(?i)\b(?:goal|20\d\d|by (?:january|february|march|april|may|june|july|august|september|october|november|december|the end of)|this year|next year|save|learn|become|marathon|degree)\b`)

func profilePage(claims []vault.Claim) []byte {
	name, who := identity(claims)
	lead := ""
	if who != "" {
		lead = who + "\n\n"
	}
	var bullets []string
	used := Tokens(lead)
	for _, c := range rankForProfile(claims) {
		if len(bullets) == profileBullets {
			break
		}
		if c.Text == who {
			continue
		}
		line := "- " + c.Text
		if cost := Tokens(line) + 1; used+cost <= profileTokens {
			used += cost
			bullets = append(bullets, line+proof(c))
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
	for _, critical := range criticalFacts(claims) {
		props = append(props, critical)
	}
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

var ownName = regexp.MustCompile(`^(?:I'm |I am |My name is |Call me )?(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:,|\.|$)`)

// identity finds the person's name and the sentence in which they introduced
// themselves most often.
func identity(claims []vault.Claim) (name, who string) {
	best := -1
	for _, c := range claims {
		if c.Kind != string(extract.Identity) {
			continue
		}
		m := ownName.FindStringSubmatch(c.Text)
		if m == nil {
			continue
		}
		if n := len(c.From); n > best {
			best, name, who = n, m[1], c.Text
		}
	}
	return name, who
}

var criticalCues = []struct {
	key string
	re  *regexp.Regexp
}{
	{"timezone", regexp.MustCompile(`\b(?:(?:time ?zone is|in the) ([A-Z][A-Za-z]+/[A-Z][A-Za-z_]+|[A-Z]{3,4}(?:[+-]\d+)?)(?: time ?zone)?)`)},
	{"allergies", regexp.MustCompile(`(?i)\ballergic to ([\p{L} ,]+?)(?:\.|,? (?:so|and i|but)\b|$)`)},
}

// criticalFacts are what an assistant must not get wrong, as properties.
func criticalFacts(claims []vault.Claim) []vault.NewProperty {
	var props []vault.NewProperty
	for _, cue := range criticalCues {
		for _, c := range claims {
			if m := cue.re.FindStringSubmatch(c.Text); m != nil {
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
		if !slices.ContainsFunc(distinct, func(d vault.Claim) bool { return overlap(c.Text, d.Text) >= similarText }) {
			distinct = append(distinct, c)
		}
	}
	return distinct
}

package ops

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// The published schema is the program's, and the page names every reason.
func TestSchemaIsPublished(t *testing.T) {
	raw, err := os.ReadFile("../../docs/ops.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	if !strings.Contains(page, "```json\n"+string(Schema())+"```\n") {
		t.Error("docs/ops.md does not hold the schema that memsync ops --schema prints")
	}
	for _, r := range []Reason{NoSource, UnknownTurn, QuoteNotInTurn, QuoteTooShort, NotTheirWords, Injected, UnknownID, NotInForce, SupersedesNothing, Secret, Forgotten, Pinned, Malformed} {
		if !strings.Contains(page, "| `"+string(r)+"` |") {
			t.Errorf("docs/ops.md lacks the reason %s", r)
		}
	}
}

// The schema and the types that Parse reads name the same fields.
func TestSchemaFitsTheTypes(t *testing.T) {
	var s struct {
		Properties map[string]struct {
			Items struct {
				Properties map[string]any
				Required   []string
			}
		}
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	whole := Operations{
		SchemaVersion: Version,
		Create:        []Create{{Statement: full, Supersedes: "a", Provenance: []Proof{{"a", "b", "c"}}}},
		Update:        []Update{{"a", "b", "c", full.Confidence, full.Importance, []Proof{{"a", "b", "c"}}}},
		Supersede:     []Supersede{{"a", full, []Proof{{"a", "b", "c"}}}},
		Delete:        []Delete{{"a", []Proof{{"a", "b", "c"}}}},
		Pin:           []Pin{{"a", "system", []Proof{{"a", "b", "c"}}}},
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for name, list := range got {
		def, ok := s.Properties[name]
		if !ok {
			t.Errorf("the schema lacks %s", name)
		}
		var items []map[string]json.RawMessage
		if json.Unmarshal(list, &items) != nil {
			continue // schema_version
		}
		var have, want []string
		for k := range items[0] {
			have = append(have, k)
		}
		for k := range def.Items.Properties {
			want = append(want, k)
		}
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("%s has %v, the schema %v", name, have, want)
		}
	}
}

var (
	half = 0.5
	full = Statement{"t", "k", "d", "t", &half, &half, "p", "o"}
)

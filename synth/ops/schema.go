package ops

import "encoding/json"

// Schema is the JSON schema (draft 2020-12) of operations, for models with strict
// output and for whoever writes a file by hand.
func Schema() []byte {
	text := func(about string) map[string]any {
		return map[string]any{"type": "string", "minLength": 1, "description": about}
	}
	score := func(about string) map[string]any {
		return map[string]any{"type": "number", "minimum": 0, "maximum": 1, "description": about}
	}
	object := func(required []string, properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "additionalProperties": false, "required": required, "properties": properties}
	}
	list := func(items any, about string) map[string]any {
		return map[string]any{"type": "array", "items": items, "description": about}
	}
	ref := func(name string) map[string]any { return map[string]any{"$ref": "#/$defs/" + name} }
	with := func(more map[string]any) map[string]any {
		p := map[string]any{
			"text":       text("the claim, one sentence of at most 400 characters"),
			"kind":       ref("kind"),
			"domain":     text("area of life: work, health, relationships, finance, learning, travel, home, leisure or general"),
			"topic":      text("what the ledger is about"),
			"confidence": score("how sure it is"),
			"importance": score("how much it matters"),
			"p":          text("predicate, where the claim has one"),
			"o":          text("object, where the claim has one"),
		}
		for k, v := range more {
			p[k] = v
		}
		return p
	}
	proofs := map[string]any{"type": "array", "minItems": 1, "items": ref("proof")}
	id := text("block id of a claim in a ledger, without ^")
	s := object([]string{}, map[string]any{
		"schema_version": map[string]any{"const": Version},
		"create":         list(object([]string{"text", "kind", "provenance"}, with(map[string]any{"supersedes": id, "provenance": proofs})), "claims to add; a correction must say what it supersedes"),
		"update": list(object([]string{"id", "provenance"}, map[string]any{
			"id": id, "text": text("the new wording"), "kind": ref("kind"), "confidence": score(""), "importance": score(""), "provenance": proofs,
		}), "claims to word anew or to prove further"),
		"supersede": list(object([]string{"id", "by", "provenance"}, map[string]any{
			"id": id, "by": object([]string{"text", "kind"}, with(nil)), "provenance": proofs,
		}), "claims that hold no more, and what replaces them"),
		"delete": list(object([]string{"id", "provenance"}, map[string]any{"id": id, "provenance": proofs}), "claims to forget"),
		"pin": list(object([]string{"id", "pin", "provenance"}, map[string]any{
			"id": id, "pin": map[string]any{"enum": []string{"system", "none"}}, "provenance": proofs,
		}), "claims to keep at hand"),
	})
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "memsync operations"
	s["description"] = "Changes of memory. Each names the turns that prove it, with words that stand in them."
	s["$defs"] = map[string]any{
		"kind": map[string]any{"enum": Kinds},
		"proof": object([]string{"transcript", "turn", "quote"}, map[string]any{
			"transcript": text("path or id of the transcript, or the conversation's id"),
			"turn":       text("block id of the turn (t0003), or the provider's message id"),
			"quote":      text("words that stand in the turn exactly; only white space may differ"),
		}),
	}
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	return append(raw, '\n')
}

package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Schema is the form of a reply: an object, described in the few terms that all
// providers hold models to. Every field is there in a reply; one that may be
// empty is null.
type Schema struct {
	// Name is letters, digits and underscores.
	Name   string
	Fields []Field
}

// A Field is a named value of an object.
type Field struct {
	Name string
	// About tells the model what belongs there.
	About string
	Type  Type
}

// A Kind is what a value is.
type Kind string

// The kinds of values.
const (
	String  Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	List    Kind = "array"
	Object  Kind = "object"
)

// A Type says what a value may be.
type Type struct {
	Kind Kind
	// Optional allows null.
	Optional bool
	// Enum are the strings that are allowed; none means any.
	Enum []string
	// Max bounds characters of a string or items of a list; 0 is MaxString or
	// MaxItems. Numbers are from 0 to 1 where Share is set.
	Max   int
	Share bool
	// Items is what a list is made of.
	Items *Type
	// Fields are an object's.
	Fields []Field
}

// Bounds of values that set none of their own.
const (
	MaxString = 4000
	MaxItems  = 200
)

// JSON is the schema as JSON Schema, in the subset that strict output takes:
// every field required, nothing else allowed. With bounds it says how long lists
// may be, which some providers do not take; Check holds replies to them anyhow.
func (s *Schema) JSON(bounds bool) json.RawMessage {
	raw, err := json.Marshal(object(s.Fields, bounds))
	if err != nil {
		panic(err) // maps of strings
	}
	return raw
}

func object(fields []Field, bounds bool) map[string]any {
	names, props := []string{}, map[string]any{}
	for _, f := range fields {
		p := f.Type.json(bounds)
		if f.About != "" {
			p["description"] = f.About
		}
		names, props[f.Name] = append(names, f.Name), p
	}
	return map[string]any{"type": "object", "additionalProperties": false, "required": names, "properties": props}
}

func (t Type) json(bounds bool) map[string]any {
	p := map[string]any{"type": string(t.Kind)}
	switch t.Kind {
	case Object:
		p = object(t.Fields, bounds)
	case List:
		p["items"] = t.Items.json(bounds)
		if bounds {
			p["maxItems"] = t.most()
		}
	case String:
		if len(t.Enum) > 0 {
			enum := []any{}
			for _, e := range t.Enum {
				enum = append(enum, e)
			}
			if t.Optional {
				enum = append(enum, nil)
			}
			p["enum"] = enum
		}
	}
	if t.Optional {
		p["type"] = []string{string(t.Kind), "null"}
	}
	return p
}

func (t Type) most() int {
	switch {
	case t.Max > 0:
		return t.Max
	case t.Kind == List:
		return MaxItems
	}
	return MaxString
}

// Check reports the first way in which a JSON value is not of the schema, in
// words that a model can act on.
func (s *Schema) Check(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return checkObject(s.Fields, v, "the reply")
}

func checkObject(fields []Field, v any, at string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s must be an object", at)
	}
	for _, f := range fields {
		value, there := m[f.Name]
		if !there && !f.Type.Optional {
			return fmt.Errorf("%s lacks the field %q", at, f.Name)
		}
		if there {
			if err := f.Type.check(value, place(at, f.Name)); err != nil {
				return err
			}
		}
	}
	for name := range m {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return fmt.Errorf("%s has a field %q that is not in the schema", at, Clip(name, 40))
		}
	}
	return nil
}

func place(at, name string) string {
	if at == "the reply" {
		return name
	}
	return at + "." + name
}

func (t Type) check(v any, at string) error {
	if v == nil {
		if t.Optional {
			return nil
		}
		return fmt.Errorf("%s must not be null", at)
	}
	switch t.Kind {
	case Object:
		return checkObject(t.Fields, v, at)
	case List:
		l, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s must be a list", at)
		}
		if len(l) > t.most() {
			return fmt.Errorf("%s has %d items, at most %d are allowed", at, len(l), t.most())
		}
		for i, item := range l {
			if err := t.Items.check(item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case String:
		s, ok := v.(string)
		switch {
		case !ok:
			return fmt.Errorf("%s must be a string", at)
		case len(t.Enum) > 0 && !slices.Contains(t.Enum, s):
			return fmt.Errorf("%s is %q, which is none of %s", at, Clip(s, 40), strings.Join(t.Enum, ", "))
		case utf8.RuneCountInString(s) > t.most():
			return fmt.Errorf("%s has more than %d characters", at, t.most())
		}
	case Number:
		n, ok := v.(float64)
		if !ok || math.IsNaN(n) {
			return fmt.Errorf("%s must be a number", at)
		}
		if t.Share && (n < 0 || n > 1) {
			return fmt.Errorf("%s must be from 0 to 1", at)
		}
	case Boolean:
		if _, ok := v.(bool); !ok {
			return fmt.Errorf("%s must be true or false", at)
		}
	}
	return nil
}

package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// document answers with the OpenAPI document.
func document(c Config, _ http.ResponseWriter, _ *http.Request) (any, error) {
	doc, err := describe(c.Version)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(doc)
	return json.RawMessage(raw), err
}

// describe makes the OpenAPI document of the routes and their types.
func describe(version string) (map[string]any, error) {
	paths := map[string]map[string]any{}
	for _, rt := range routes() {
		op := map[string]any{"summary": rt.summary, "operationId": operationID(rt), "responses": map[string]any{}}
		responses := op["responses"].(map[string]any)
		reply := map[string]any{"type": "object"}
		if rt.answers != nil && reflect.TypeOf(rt.answers).Kind() == reflect.Struct {
			var err error
			if reply, err = schemaOf(rt.answers, nil); err != nil {
				return nil, err
			}
			reply["properties"].(map[string]any)["schema_version"] = map[string]any{"type": "integer"}
		}
		responses["200"] = content("the answer", reply)
		for _, code := range rt.failing() {
			responses[strconv.Itoa(code)] = content(meanings[code], map[string]any{"$ref": "#/components/schemas/Error"})
		}
		responses["default"] = content("what went wrong", map[string]any{"$ref": "#/components/schemas/Error"})
		if rt.takes != nil {
			s, err := schemaOf(rt.takes, rt.needs)
			if err != nil {
				return nil, err
			}
			op["requestBody"] = with(content("the question", s), "required", true)
		}
		if rt.raw != nil {
			op["requestBody"] = with(content("the operations", json.RawMessage(rt.raw)), "required", true)
			op["security"] = []any{map[string]any{"token": []any{}}}
		}
		if strings.Contains(rt.path, "{id}") {
			op["parameters"] = []any{map[string]any{"name": "id", "in": "path", "required": true, "schema": map[string]any{"type": "string"}}}
		}
		if paths[rt.path] == nil {
			paths[rt.path] = map[string]any{}
		}
		paths[rt.path][strings.ToLower(rt.method)] = op
	}
	wrong, err := schemaOf(failure{}, nil)
	if err != nil {
		return nil, err
	}
	wrong["properties"].(map[string]any)["schema_version"] = map[string]any{"type": "integer"}
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "memsync", "version": version, "description": "What AI assistants know about a person, on this machine."},
		"paths":   paths,
		"components": map[string]any{
			"schemas":         map[string]any{"Error": wrong},
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}},
		},
	}, nil
}

// meanings are what the statuses of errors say.
var meanings = map[int]string{
	http.StatusBadRequest:            "the request is wrong",
	http.StatusUnauthorized:          "the token is needed: beyond loopback, and for writes",
	http.StatusForbidden:             "the Host or the Origin is not this server's, or a secret is asked for",
	http.StatusNotFound:              "nothing has that id",
	http.StatusRequestEntityTooLarge: "the body is too large",
	http.StatusUnsupportedMediaType:  "the body is not application/json",
	http.StatusTooManyRequests:       "there are too many requests; Retry-After says when to come again",
	http.StatusNotImplemented:        "this server takes no writes",
	http.StatusServiceUnavailable:    "the memory cannot be opened now, or too many searches wait; Retry-After says when to come again",
}

func operationID(rt route) string {
	return strings.ToLower(rt.method) + strings.NewReplacer("/", "-", "{id}", "item", ".", "-").Replace(rt.path)
}

func content(what string, schema any) map[string]any {
	return map[string]any{"description": what, "content": map[string]any{"application/json": map[string]any{"schema": schema}}}
}

func with(m map[string]any, key string, v any) map[string]any {
	m[key] = v
	return m
}

// schemaOf is the schema of a type. With needs, only those fields must be there.
func schemaOf(v any, needs []string) (map[string]any, error) {
	s, err := jsonschema.ForType(reflect.TypeOf(v), nil)
	if err != nil {
		return nil, fmt.Errorf("schema of %T: %w", v, err)
	}
	if needs != nil {
		s.Required = needs
	}
	listsAreLists(s, needs != nil)
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(raw, &out)
}

// listsAreLists says of every list in a schema that it is one: ours are never
// null. In a request, what a list holds needs no field.
func listsAreLists(s *jsonschema.Schema, request bool) {
	if slices.Contains(s.Types, "array") {
		s.Type, s.Types = "array", nil
	}
	if s.AdditionalProperties != nil && !request {
		s.AdditionalProperties = nil // fields are only ever added
	}
	if s.Items != nil {
		if request {
			s.Items.Required = nil
		}
		listsAreLists(s.Items, request)
	}
	for _, p := range s.Properties {
		listsAreLists(p, request)
	}
}

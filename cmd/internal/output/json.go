package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
)

// Encode writes v, which must become a JSON object, as one line that begins
// with schema_version.
func Encode(w io.Writer, v any) error {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(filled(reflect.ValueOf(v)).Interface()); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	text := bytes.TrimSpace(body.Bytes())
	if len(text) < 2 || text[0] != '{' {
		return fmt.Errorf("write JSON: %T is no object", v)
	}
	line := fmt.Appendf(nil, `{"schema_version":%d`, SchemaVersion)
	if string(text) != "{}" {
		line = append(line, ',')
	}
	line = append(append(line, text[1:]...), '\n')
	_, err := w.Write(line)
	return err
}

// filled is a copy of v in which every list that is nil is an empty one, and
// every nil map too, so that a reader finds [] and {} and never null. Types
// that encode themselves are left alone.
func filled(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return v
	}
	if _, own := v.Interface().(json.Marshaler); own {
		return v
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(filled(v.Elem()))
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(filled(v.Elem()))
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(filled(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(filled(v.Index(i)))
		}
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			out.SetMapIndex(key, filled(value))
		}
		return out
	default:
		return v
	}
}

package synth

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/passes"
)

// A scripted model answers by a function and counts what it is asked.
type scripted struct {
	name   string
	answer func(req llm.Request) (string, error)

	mu    sync.Mutex
	asked []llm.Request
}

func (s *scripted) Name() string { return s.name }

func (s *scripted) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	text, err := s.answer(req)
	return llm.Reply{Text: text, Usage: llm.Usage{In: 100, Out: 50}}, err
}

// count is how often it was asked for a pass, or at all.
func (s *scripted) count(pass string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, req := range s.asked {
		if pass == "" || req.Pass == pass {
			n++
		}
	}
	return n
}

// writer asks a scripted model, with a ledger of nothing and no waiting.
func writer(m llm.Model) *passes.Writer {
	return &passes.Writer{Model: llm.NewCaller(m, llm.Config{Retries: -1})}
}

func always(text string, err error) *scripted {
	return &scripted{name: "scripted", answer: func(llm.Request) (string, error) { return text, err }}
}

// good is a model that does each pass's work well, and in words of its own that
// can be told from the rules': it begins each sentence with "Told:", and names
// what it rests on.
func good() *scripted { return &scripted{name: "good-1", answer: goodAnswer} }

var (
	turnLine    = regexp.MustCompile(`(?m)^\[((?:c\d+/)?t\d+)\] ([^:\n]+): (.+)$`)
	claimLine   = regexp.MustCompile(`(?m)^\[(f-[a-z0-9]+)\] ([a-z]+)(?:, [^:]*)?: (.+)$`)
	sessionLine = regexp.MustCompile(`(?m)^\[(s\d+)\] (\S+), .*\n(.+)$`)
	wish        = regexp.MustCompile(`I(?:'ve decided| prefer| never|'m allergic)[^.?!]*[.?!]`)
)

// dataOf is what stands between fences.
func dataOf(req llm.Request) string {
	var all []string
	for rest := req.Messages[0].Text; ; {
		_, after, ok := strings.Cut(rest, "<<<data ")
		if !ok {
			return strings.Join(all, "\n")
		}
		mark, after, _ := strings.Cut(after, "\n")
		text, after, _ := strings.Cut(after, mark+" data>>>")
		all, rest = append(all, text), after
	}
}

type object map[string]any

func inJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func firstSentence(text string) string {
	text = strings.TrimLeft(text, "- ")
	if i := strings.IndexAny(text, ".?!\n"); i > 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

func goodAnswer(req llm.Request) (string, error) {
	data := dataOf(req)
	switch req.Pass {
	case "session":
		items, topics := []object{}, []string{}
		for _, m := range turnLine.FindAllStringSubmatch(data, -1) {
			if m[2] != "assistant" && len(items) < 4 {
				items = append(items, object{"turn": m[1], "kind": "fact", "text": "Told: " + firstSentence(m[3]) + "."})
			}
		}
		for _, word := range []string{"sourdough", "Grimming", "apples"} {
			if strings.Contains(data, word) {
				topics = append(topics, word)
			}
		}
		return inJSON(object{"items": items, "key_topics": topics}), nil
	case "operations":
		all := []object{}
		for _, m := range turnLine.FindAllStringSubmatch(data, -1) {
			for _, s := range wish.FindAllString(m[3], -1) {
				if m[2] != "assistant" {
					all = append(all, object{"turn": m[1], "quote": s, "op": "create", "id": nil, "kind": "preference", "text": "Told: " + s, "domain": "home", "topic": nil, "confidence": 0.9})
				}
			}
		}
		return inJSON(object{"operations": all}), nil
	case "profile":
		bullets := []object{}
		for _, m := range claimLine.FindAllStringSubmatch(data, -1) {
			bullets = append(bullets, object{"text": "Card: " + m[3], "from": []string{m[1]}})
		}
		return inJSON(object{"one": bullets[0], "bullets": bullets[:min(5, len(bullets))]}), nil
	case "topic":
		entries := []object{}
		for _, m := range sessionLine.FindAllStringSubmatch(data, -1) {
			entries = append(entries, object{"session": m[1], "text": "Narrated: " + firstSentence(m[3]) + "."})
		}
		return inJSON(object{"entries": entries, "shifts": []object{}}), nil
	case "epoch":
		bullets := []object{}
		for _, m := range sessionLine.FindAllStringSubmatch(data, -1) {
			bullets = append(bullets, object{"text": "Came to: " + firstSentence(m[3]) + ".", "from": []string{m[1]}})
		}
		return inJSON(object{"bullets": bullets}), nil
	case "user":
		out := object{"style": []object{}, "decisions": []object{}, "taste": []object{}, "humour": []object{}, "expertise": []object{}, "frustrations": []object{}, "delights": []object{}}
		for _, m := range turnLine.FindAllStringSubmatch(data, -1) {
			if m[2] != "assistant" {
				out["style"] = []object{{"text": "Portrayed as brief and plain.", "from": []string{m[1]}}}
				break
			}
		}
		return inJSON(out), nil
	}
	return "", llm.ErrRefused
}

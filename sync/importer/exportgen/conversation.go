package exportgen

import "strings"

// A node of the tree that is being written.
type node struct {
	id, parent string
	children   []string
	message    string // JSON, or "null"
}

// conversation writes one conversation.
func (g *generator) conversation() {
	t := &tree{g: g, model: pick(g, "gpt-4o", "gpt-4o", "gpt-5", "gpt-5-thinking", "o3")}
	t.reasons = t.model == "gpt-5-thinking" || t.model == "o3"
	id := g.id()
	title := g.words.title(g)
	created := g.tick(40_000)
	current := t.add("", "null")
	current = t.add(current, t.msg("system", "null", `"content_type":"text","parts":[""]`, `"is_visually_hidden_from_conversation":true`, "all"))
	if g.chance(40) {
		current = t.add(current, t.msg("user", "null", `"content_type":"user_editable_context","user_profile":"`+g.words.text(g, 40)+`","user_instructions":"Answer briefly."`,
			`"is_visually_hidden_from_conversation":true,"is_user_system_message":true`, "all"))
	}
	topic := g.words.topic(g)
	for range g.long(5, 0.8, 120) {
		question := current
		current = t.ask(question, topic)
		if g.chance(6) { // the question was edited: the first try stays as a branch
			t.branch = true
			t.answer(t.ask(question, topic), topic)
			t.branch = false
		}
		asked := current
		current = t.answer(asked, topic)
		if g.chance(8) {
			t.branch = true
			t.answer(asked, topic)
			t.branch = false
		}
	}
	g.rawf(`{"title":"%s","create_time":%s,"update_time":%s,"mapping":{`, title, created, g.tick(60))
	// The provider writes nodes in no useful order.
	order := g.rnd.Perm(len(t.nodes))
	for i, n := range order {
		if i > 0 {
			g.raw(",")
		}
		t.write(t.nodes[n])
	}
	g.rawf(`},"moderation_results":[],"current_node":"%s","plugin_ids":null,"conversation_id":"%s","conversation_template_id":null,"gizmo_id":null,"is_archived":false,"safe_urls":[],"default_model_slug":"%s","id":"%s"}`,
		current, id, t.model, id)
	g.stats.Conversations++
}

type tree struct {
	g       *generator
	nodes   []*node
	byID    map[string]*node
	model   string
	reasons bool
	branch  bool
}

func (t *tree) write(n *node) {
	children := ""
	if len(n.children) > 0 {
		children = `"` + strings.Join(n.children, `","`) + `"`
	}
	parent := "null"
	if n.parent != "" {
		parent = `"` + n.parent + `"`
	}
	t.g.rawf(`"%s":{"id":"%s","message":`, n.id, n.id)
	t.g.raw(strings.Replace(n.message, "NODE", n.id, 1))
	t.g.rawf(`,"parent":%s,"children":[%s]}`, parent, children)
}

// add puts a node below parent and returns its id.
func (t *tree) add(parent, message string) string {
	n := &node{id: t.g.id(), parent: parent, message: message}
	if t.byID == nil {
		t.byID = map[string]*node{}
	}
	t.byID[n.id] = n
	t.nodes = append(t.nodes, n)
	if p := t.byID[parent]; p != nil {
		p.children = append(p.children, n.id)
	}
	return n.id
}

// msg is a message as JSON; NODE stands for its id.
func (t *tree) msg(role, time, content, metadata, recipient string) string {
	return `{"id":"NODE","author":{"role":"` + role + `","name":null,"metadata":{}},"create_time":` + time +
		`,"update_time":null,"content":{` + content + `},"status":"finished_successfully","end_turn":true,"weight":1.0,"metadata":{` + metadata +
		`},"recipient":"` + recipient + `","channel":null}`
}

func (t *tree) counted() {
	if t.branch {
		t.g.stats.Branch++
	} else {
		t.g.stats.Active++
	}
}

// ask adds a question.
func (t *tree) ask(parent string, topic []int) string {
	g := t.g
	t.counted()
	time := g.tick(900)
	if g.chance(3) {
		time = "null"
	}
	text := g.words.question(g, topic, g.long(22, 0.9, 1500))
	if g.chance(4) {
		file := g.id()
		return t.add(parent, t.msg("user", time,
			`"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-`+file+`","size_bytes":182734,"width":1024,"height":768,"fovea":null,"metadata":null},"`+text+`"]`,
			`"attachments":[{"id":"file-`+file+`","size":182734,"name":"photo-`+file[:4]+`.jpg","mime_type":"image/jpeg"}],"request_id":"`+g.id()+`","timestamp_":"absolute","message_type":null`, "all"))
	}
	return t.add(parent, t.msg("user", time, `"content_type":"text","parts":["`+text+`"]`,
		`"request_id":"`+g.id()+`","timestamp_":"absolute","message_type":null`, "all"))
}

// answer adds an answer, with the reasoning and the tools that come before it.
func (t *tree) answer(parent string, topic []int) string {
	g := t.g
	slug := `"model_slug":"` + t.model + `","default_model_slug":"` + t.model + `"`
	if t.reasons {
		parent = t.add(parent, t.msg("assistant", g.tick(10),
			`"content_type":"thoughts","thoughts":[{"summary":"Thinking","content":"`+g.words.text(g, g.long(60, 0.7, 500))+`","finished":true}],"source_analysis_msg_id":"x"`, slug, "all"))
		parent = t.add(parent, t.msg("assistant", g.tick(5), `"content_type":"reasoning_recap","content":"Thought for 12s"`, slug, "all"))
	}
	switch {
	case g.chance(5): // code run by a tool
		t.counted()
		parent = t.add(parent, t.msg("assistant", g.tick(5), `"content_type":"code","language":"unknown","response_format_name":null,"text":"`+g.words.code(g)+`"`, slug, "python"))
		g.stats.Tool++
		parent = t.add(parent, t.msg("tool", g.tick(5), `"content_type":"execution_output","text":"`+g.words.text(g, 12)+`"`, slug, "all"))
	case g.chance(4): // a page fetched
		t.counted()
		parent = t.add(parent, t.msg("assistant", g.tick(5), `"content_type":"code","language":"unknown","response_format_name":null,"text":"search(\"`+g.words.words(g, topic, 4)+`\")"`, slug, "browser"))
		parent = t.add(parent, t.msg("tool", g.tick(5), `"content_type":"tether_browsing_display","result":"`+g.words.text(g, 300)+`","summary":null,"assets":[],"tether_id":null`, slug, "all"))
	}
	t.counted()
	return t.add(parent, t.msg("assistant", g.tick(60), `"content_type":"text","parts":["`+g.words.answer(g, topic, g.long(180, 0.8, 4000))+`"]`,
		slug+`,"finish_details":{"type":"stop","stop_tokens":[200002]},"is_complete":true,"citations":[],"content_references":[],"parent_id":"`+parent+`","request_id":"`+g.id()+`","timestamp_":"absolute"`, "all"))
}

func pick[T any](g *generator, from ...T) T { return from[g.rnd.IntN(len(from))] }

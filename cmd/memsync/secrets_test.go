package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

type plantedSecret struct {
	class        privacy.Class
	text, secret string
	// words find the sentence; asking asks for the secret.
	words, asking string
}

// planted are secrets of every class in sentences, and the words that ask for what
// stands around them.
var planted = []plantedSecret{
	{privacy.Password, "The wifi password of the bakery is Mango#55kiwi, it hangs by the oven.", "Mango#55kiwi", "bakery oven wifi", "what is my wifi password?"},
	{privacy.OTP, "Your OTP for the market stall login is 482913, do not share it.", "482913", "market stall login", "what was the OTP?"},
	{privacy.Card, "Booked the ferry with my visa card 4111 1111 1111 1111 for the crossing.", "4111 1111 1111 1111", "ferry crossing visa", "tell me my card number"},
	{privacy.IBAN, "The landlord wants the deposit on IBAN DE89 3704 0044 0532 0130 00 by June.", "DE89 3704 0044 0532 0130 00", "landlord deposit June", "what's my IBAN?"},
	{privacy.Aadhaar, "For the visa form my Aadhaar number is 5873 7167 8684 and nothing else.", "5873 7167 8684", "visa form", "what is my aadhaar number"},
	{privacy.PAN, "The tax office in Pune knows me under PAN ABCPE1234F since spring.", "ABCPE1234F", "tax office Pune spring", "what's my PAN number?"},
	{privacy.IFSC, "The branch by the harbour has the IFSC code SBIN0001234 for transfers.", "SBIN0001234", "branch harbour transfers", "what is the IFSC code of my bank?"},
	{privacy.UPI, "Send the money for the tent to anabrandt@okhdfcbank before the trip.", "anabrandt@okhdfcbank", "tent money trip", "what is my UPI id?"},
	{privacy.SSN, "My social security number is 536-90-4399 on the old payslip.", "536-90-4399", "old payslip", "what is my social security number?"},
	{privacy.Account, "The savings for the boat are in account number 50100123456789 at the bank.", "50100123456789", "savings boat", "what is my bank account number"},
	{privacy.Key, "The deploy job uses the github token ghp_16C7e42F292c6912E7710c838347Ae178B4a at night.", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "deploy job night", "what is my github token?"},
	{privacy.PrivateKey, "The server in the cellar has this key:\n\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75dG3xQ1uB2fLkVvN8yT0aZr\nq5c9HhJtW4mPbXs7RkDeYoUiLgFwKpSxCvBn2M6E\n-----END RSA PRIVATE KEY-----\n", "MIIEpAIBAAKCAQEA75dG3xQ1uB2fLkVvN8yT0aZr", "server cellar", "show me my private key"},
}

// Secrets that a person wrote into the vault by hand, in notes of every type, were
// redacted by no import. They come out of it through no interface.
func TestSecretsStayIn(t *testing.T) {
	d := privacy.New(privacy.Config{})
	for _, p := range planted {
		if !slices.ContainsFunc(d.Find(p.text), func(f privacy.Finding) bool { return f.Class == p.class }) {
			t.Errorf("%s: nothing is found in %q", p.class, p.text)
		}
	}
	for _, c := range privacy.Secrets() {
		if !slices.ContainsFunc(planted, func(p plantedSecret) bool { return p.class == c }) {
			t.Errorf("no secret of the class %s is planted", c)
		}
	}
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vault")
	setup, _, stderr := testApp(t, home, home)
	if status := setup.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatal(stderr)
	}
	ids := plant(t, dir)

	var said strings.Builder
	t.Run("commands", func(t *testing.T) { said.WriteString(askCommands(t, home, dir, ids)) })
	t.Run("http", func(t *testing.T) { said.WriteString(askHTTP(t, home, dir, ids)) })
	t.Run("mcp", func(t *testing.T) { said.WriteString(askMCP(t, home, dir, ids)) })
	for _, p := range planted {
		if !strings.Contains(said.String(), "["+string(p.class)+" ") {
			t.Errorf("no answer has a mark of the class %s: the note with it was not found, and the test tests nothing", p.class)
		}
	}
}

// leaks fails for each secret in an answer, however JSON writes it.
func leaks(t *testing.T, what, said string) string {
	t.Helper()
	for _, p := range planted {
		for _, form := range []string{p.secret, strings.ReplaceAll(p.secret, " ", ""), url.QueryEscape(p.secret)} {
			if i := strings.Index(said, form); i >= 0 {
				t.Errorf("%s lets out the %s: ...%s...", what, p.class, said[max(0, i-80):min(len(said), i+len(form)+40)])
				break
			}
		}
	}
	return said
}

// plant writes the secrets into notes of every type, and returns ids to ask for.
func plant(t *testing.T, dir string) []string {
	t.Helper()
	write := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	front := func(typ, id string, more ...string) string {
		return "---\nid: " + id + "\ntype: " + typ + "\ntitle: House book\n" + strings.Join(more, "") + "---\n\n"
	}
	var prose, claims strings.Builder
	var turns []vault.Turn
	for i, p := range planted {
		prose.WriteString(p.text + "\n\n")
		if !strings.Contains(p.text, "\n") {
			fmt.Fprintf(&claims, "- %s (kind:: policy) (status:: confirmed) (confidence:: 0.9) (pin:: user) (seen:: 2025-08-01) (from:: [[transcripts/chatgpt/2025/2025-08-01-house#^t%04d|\"%s\"]]) ^f-s%02d\n", p.text, i+1, vault.Fold(p.text), i)
		}
		turns = append(turns, vault.Turn{Sender: "user", MessageID: fmt.Sprintf("m-%d", i), Text: p.text})
	}
	for _, p := range planted { // one note a secret, so that each is found by its words
		write("notes/"+string(p.class)+".md", p.text+"\n")
	}
	write("house.md", "# House book, wifi password: "+planted[0].secret+"\n\n"+prose.String())
	write("profile.md", front("profile", "profile", "name: Ana\n")+claims.String())
	write("USER.md", front("user", "user")+prose.String())
	write("MEMORY.md", front("boot", "memory")+prose.String())
	write("memory/house.md", front("topic", "tp-house", "topic: house\n")+prose.String())
	write("sessions/2025/2025-08-01-house.md", front("session", "ss-house", "start: 2025-08-01T08:00:00Z\n", "end: 2025-08-01T09:00:00Z\n", "transcript: \"[[transcripts/chatgpt/2025/2025-08-01-house]]\"\n", "salience: 0.8\n")+prose.String())
	write("epochs/2025-07.md", front("epoch", "ep-house")+prose.String())
	write("facts/home/house.md", front("facts", "fa-house", "domain: home\n", "topic: house\n")+claims.String())
	write("schema/policies.md", front("schema", "sc-house")+strings.ReplaceAll(claims.String(), "^f-s", "^s-s"))
	write("transcripts/chatgpt/2025/2025-08-01-house.md", front("transcript", "tr-house", "source: chatgpt\n", "conversation: c-1\n", "created: 2025-08-01T08:00:00Z\n", "updated: 2025-08-01T09:00:00Z\n")+string(vault.FormatTurns(1, turns)))
	write("english/chatgpt/2025/2025-08-01-house.md", front("rendering", "en-house", "source: chatgpt\n", "conversation: c-1\n")+
		vault.FormatRendering("transcripts/chatgpt/2025/2025-08-01-house.md", vault.Rendering{Sender: "user", Text: planted[0].text, Of: vault.Link{Block: "t0001"}}))
	ids := []string{"house.md", "profile.md", "MEMORY.md", "USER.md", "tp-house", "ss-house", "ep-house", "fa-house", "sc-house", "tr-house", "en-house", "tr-house#^t0001"}
	for i, p := range planted {
		ids = append(ids, "notes/"+string(p.class)+".md", fmt.Sprintf("m-%d", i))
		if !strings.Contains(p.text, "\n") {
			ids = append(ids, fmt.Sprintf("f-s%02d", i))
		}
	}
	return ids
}

var intents = []string{"plan", "reflect", "recall", "decide", "nudge"}

func askCommands(t *testing.T, home, dir string, ids []string) string {
	var all strings.Builder
	run := func(args ...string) string {
		t.Helper()
		a, stdout, stderr := testApp(t, home, dir)
		a.run(t.Context(), args)
		return leaks(t, strings.Join(args, " "), stdout.String()+stderr.String())
	}
	for _, p := range planted {
		for _, form := range [][]string{nil, {"--json"}, {"--explain"}} {
			all.WriteString(run(append([]string{"search", p.words}, form...)...))
		}
		all.WriteString(run("ask", "--trace", "--json", "what about the "+p.words))
		for _, intent := range intents {
			all.WriteString(run("context", "--intent", intent, "tell me about the "+p.words))
		}
		for _, c := range []string{"ask", "context"} {
			if got := run(c, p.asking); !strings.Contains(got, privacy.Refusal(p.class)) {
				t.Errorf("%s %q is not refused with its reason: %s", c, p.asking, got)
			}
		}
		run("search", p.asking)
	}
	for _, id := range ids {
		all.WriteString(run("get", id))
		all.WriteString(run("get", "--json", id))
		run("inspect", id)
	}
	for _, args := range [][]string{{"boot"}, {"context", "--json", "hello"}, {"export", "profile"}, {"export", "profile", "--json"}, {"stats"}, {"status"}, {"review"}} {
		run(args...)
	}
	return all.String()
}

func askHTTP(t *testing.T, home, dir string, ids []string) string {
	a, _, _ := testApp(t, home, dir)
	said, w := io.Pipe()
	a.stderr = w
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		defer w.Close()
		a.run(ctx, []string{"serve", "--addr", "127.0.0.1:0"})
	})
	defer running.Wait()
	defer stop()
	at := ""
	for lines := bufio.NewScanner(said); at == "" && lines.Scan(); {
		_, at, _ = strings.Cut(lines.Text(), "answering at ")
	}
	go io.Copy(io.Discard, said)
	if at == "" {
		t.Fatal("the server did not say where it answers")
	}
	var all strings.Builder
	post := func(path string, body map[string]any) string {
		raw, _ := json.Marshal(body)
		return leaks(t, path+" "+string(raw), ask(t, at, path, string(raw)))
	}
	for _, p := range planted {
		for _, mode := range []string{"hybrid", "keyword", "vector"} {
			all.WriteString(post("/query", map[string]any{"query": p.words, "mode": mode, "limit": 50}))
		}
		for _, intent := range intents {
			all.WriteString(post("/context", map[string]any{"message": "tell me about the " + p.words, "intent": intent}))
		}
		for path, field := range map[string]string{"/query": "query", "/context": "message"} {
			if got := post(path, map[string]any{field: p.asking}); !strings.Contains(got, privacy.Refusal(p.class)) {
				t.Errorf("%s %q is not refused with its reason: %.300s", path, p.asking, got)
			}
		}
	}
	for _, path := range append([]string{"/status", "/openapi.json", "/healthz"}, memoryPaths(ids)...) {
		r, err := http.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(r.Body)
		r.Body.Close()
		all.WriteString(leaks(t, path, string(raw)))
	}
	return all.String()
}

func memoryPaths(ids []string) []string {
	var out []string
	for _, id := range ids {
		out = append(out, "/memory/"+url.PathEscape(id))
	}
	return out
}

func askMCP(t *testing.T, home, dir string, ids []string) string {
	a, _, _ := testApp(t, home, dir)
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	a.stdin, a.stdout = in, answers
	var running sync.WaitGroup
	running.Go(func() {
		a.run(t.Context(), []string{"mcp"})
		answers.Close()
	})
	defer running.Wait()
	defer feed.Close()
	lines := bufio.NewReaderSize(out, 1<<20)
	n := 0
	call := func(method string, params any) string {
		n++
		raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": n, "method": method, "params": params})
		if _, err := feed.Write(append(raw, '\n')); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, fmt.Sprintf(`"id":%d`, n)) {
				return leaks(t, string(raw), line)
			}
		}
	}
	tool := func(name string, args map[string]any) string {
		return call("tools/call", map[string]any{"name": name, "arguments": args})
	}
	call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	if _, err := feed.Write([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, p := range planted {
		all.WriteString(tool("memory_search", map[string]any{"query": p.words, "limit": 20}))
		all.WriteString(tool("search", map[string]any{"query": p.words}))
		all.WriteString(tool("memory_context", map[string]any{"message": "tell me about the " + p.words}))
		for name, field := range map[string]string{"memory_search": "query", "memory_context": "message", "search": "query"} {
			got := tool(name, map[string]any{field: p.asking})
			want, _ := json.Marshal(privacy.Refusal(p.class))
			if !strings.Contains(strings.ReplaceAll(got, `\u0026`, "&"), strings.Trim(string(want), `"`)) {
				t.Errorf("%s %q is not refused with its reason: %.300s", name, p.asking, got)
			}
		}
	}
	for _, id := range ids {
		all.WriteString(tool("memory_get", map[string]any{"ids": []string{id}}))
		all.WriteString(tool("fetch", map[string]any{"id": id}))
	}
	var listed struct {
		Result struct {
			Resources []struct {
				URI string `json:"uri"`
			} `json:"resources"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(call("resources/list", map[string]any{})), &listed); err != nil {
		t.Fatal(err)
	}
	for _, r := range listed.Result.Resources {
		all.WriteString(call("resources/read", map[string]any{"uri": r.URI}))
	}
	return all.String()
}

package synth

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
)

var drift = flag.Int("drift", 0, "in how many random orders TestDrift adds the conversations of the public exports; about half a minute each")

// leastAgreement is the share of claims on which vaults must agree that were made from the
// same conversations in other orders and increments, and of those the share that must be
// filed in the same ledger.
const leastAgreement = 0.95

// The same conversations in any order and in any increments give the same facts, and
// a second run over everything makes no commit. In full: go test ./synth -run
// TestDrift -drift 10 -v
func TestDrift(t *testing.T) {
	if *drift == 0 {
		t.Skip("takes minutes: -drift 10 runs it")
	}
	var all []chat
	for i := range 6 {
		file := filepath.Join("..", "..", "shared", "data", "end-to-end", "chatgpt", fmt.Sprintf("%02d", i+1), "conversations.json")
		chats, err := exported(file)
		if err != nil {
			t.Skipf("the public exports are not here: %v", err)
		}
		all = append(all, chats...)
	}
	var first map[string]string
	worst, filed := 1.0, 1.0
	for seed := range *drift {
		chance := rand.New(rand.NewPCG(uint64(seed), 7))
		chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		l := newLab(t)
		for rest := all; len(rest) > 0; {
			n := min(len(rest), 1+chance.IntN(len(all)/2))
			l.add(rest[:n]...)
			l.run()
			rest = rest[n:]
		}
		commits := l.commits()
		l.state = t.TempDir()
		l.cfg.State = l.state
		l.run()
		if l.commits() != commits {
			t.Errorf("order %d: a second full run made %d commits", seed, l.commits()-commits)
		}
		got := map[string]string{}
		for _, p := range l.paths("facts") {
			for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
				got[c.Text] = string(p)
			}
		}
		if first == nil {
			first = got
			continue
		}
		same, place, union := 0, 0, len(first)
		for text, at := range got {
			if was, ok := first[text]; !ok {
				union++
			} else if same++; was == at {
				place++
			}
		}
		agree := float64(same) / float64(union)
		worst, filed = min(worst, agree), min(filed, float64(place)/float64(max(same, 1)))
		if agree < leastAgreement || float64(place) < leastAgreement*float64(same) {
			t.Errorf("order %d: %d of %d claims agree, %d of them in the same ledger", seed, same, union, place)
		}
	}
	t.Logf("%d orders, %d claims: at least %.3f of them agree, %.3f of those in the same ledger", *drift, len(first), worst, filed)
}

// exported reads the active paths of a ChatGPT export.
func exported(file string) ([]chat, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	type node struct {
		Parent  string
		Message *struct {
			ID      string
			Author  struct{ Role string }
			Created float64 `json:"create_time"`
			Content struct{ Parts []any }
		}
	}
	var export []struct {
		ID, Title string
		Current   string `json:"current_node"`
		Mapping   map[string]node
	}
	if err := json.Unmarshal(raw, &export); err != nil {
		return nil, err
	}
	var chats []chat
	for _, e := range export {
		c := chat{source: "chatgpt", id: e.ID, title: e.Title}
		for at := e.Current; at != ""; at = e.Mapping[at].Parent {
			m := e.Mapping[at].Message
			if m == nil || m.Author.Role != "user" && m.Author.Role != "assistant" || len(m.Content.Parts) == 0 {
				continue
			}
			text, _ := m.Content.Parts[0].(string)
			turn := vault.Turn{Sender: m.Author.Role, MessageID: m.ID, Text: text, Time: vault.Stamp{Time: time.Unix(int64(m.Created), 0).UTC()}}
			c.turns = append([]vault.Turn{turn}, c.turns...)
		}
		if len(c.turns) > 0 {
			chats = append(chats, c)
		}
	}
	return chats, nil
}

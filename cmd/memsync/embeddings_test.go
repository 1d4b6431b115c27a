package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/memsync/memsync/index/lexical"
)

// documentMark stands before texts that are stored, in the settings of scripts
// that count them.
const documentMark = "doc: "

// An embeddingServer speaks OpenAI's embeddings protocol. Its model "words" puts
// texts near each other that share words, "guess" none, and it has no other.
type embeddingServer struct {
	*httptest.Server
	mu        sync.Mutex
	down      bool
	documents int             // texts with documentMark that it was given
	seen      map[string]bool // those
	twice     int             // how many of them not for the first time
}

func newEmbeddingServer() *embeddingServer {
	s := &embeddingServer{seen: make(map[string]bool)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", s.embed)
	s.Server = httptest.NewServer(mux)
	return s
}

func (s *embeddingServer) embed(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil || body.Model != "words" && body.Model != "guess" {
		http.Error(w, `{"error":{"message":"there is no such model"}}`, http.StatusNotFound)
		return
	}
	if s.down {
		http.Error(w, `{"error":{"message":"the model is down"}}`, http.StatusForbidden)
		return
	}
	type vector struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	data := []vector{}
	for i, text := range body.Input {
		if strings.HasPrefix(text, documentMark) {
			if s.documents++; s.seen[text] {
				s.twice++
			}
			s.seen[text] = true
		}
		pieces := lexical.Analyze(text)
		if body.Model == "guess" {
			pieces = []string{text}
		}
		v := make([]float32, 48)
		for _, p := range append(pieces, "at least one") {
			h := fnv.New32a()
			h.Write([]byte(p))
			v[h.Sum32()%48]++
		}
		data = append(data, vector{i, v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

// endpoint up, endpoint down switch the script's embedding server; endpoint asked
// FILE writes how many texts it was given to store, and how many of them twice.
func endpoint(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := ts.Value("embeddings").(*embeddingServer)
	if neg || !ok || len(args) == 0 {
		ts.Fatalf("usage: endpoint up|down|asked FILE")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case args[0] == "asked" && len(args) == 2:
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), fmt.Appendf(nil, "%d texts, %d twice\n", s.documents, s.twice), 0o600))
	case len(args) == 1 && (args[0] == "up" || args[0] == "down"):
		s.down = args[0] == "down"
	default:
		ts.Fatalf("endpoint %q is not known", args)
	}
}

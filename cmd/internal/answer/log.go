package answer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/index/rank"
)

// A Log keeps what was asked of a memory and what it answered, on this machine, so
// that retrieval can be judged on real questions. It holds redacted questions and
// ids, never the text of a note. It is bounded: a file that is full becomes the old
// one, and the one before it goes.
type Log struct {
	dir string
	mu  sync.Mutex
}

const (
	logFile    = "retrievals.jsonl"
	oldLogFile = "retrievals.old.jsonl"
	logLock    = "retrievals.lock"
	// maxLog is the size of one of the two files in bytes: some 500 questions.
	maxLog = 4 << 20
	// loggedCandidates bounds the candidates of one record.
	loggedCandidates = 30
)

// OpenLog keeps a log in dir, the vault's state folder.
func OpenLog(dir string) *Log { return &Log{dir: dir} }

// A Record is one question.
type Record struct {
	At time.Time `json:"at"`
	// Kind is search, context or ask.
	Kind  string `json:"kind"`
	Query string `json:"query"`
	Mode  string `json:"mode,omitempty"`
	// Intent is that of a context.
	Intent string `json:"intent,omitempty"`
	// Candidates are what could have been taken, best first; Picked what was.
	Candidates []Candidate `json:"candidates"`
	Picked     []string    `json:"picked"`
	Dropped    int         `json:"dropped,omitempty"`
	// Tokens is the length of a pack.
	Tokens int `json:"tokens,omitempty"`
	// Recalls and Outcome are those of an ask.
	Recalls int     `json:"recalls,omitempty"`
	Outcome string  `json:"outcome,omitempty"`
	Refused bool    `json:"refused,omitempty"`
	TookMS  float64 `json:"took_ms"`
	// Trace are the steps of an ask.
	Trace []Step `json:"trace,omitempty"`
}

// A Step is one of an ask.
type Step struct {
	State string `json:"state"`
	// What says what the step did, in a few words.
	What string `json:"what"`
	// IDs are the items it found or used.
	IDs    []string `json:"ids"`
	Tokens int      `json:"tokens,omitempty"`
}

// A Candidate is an item and the parts of its score.
type Candidate struct {
	ID       string      `json:"id"`
	Score    float64     `json:"score"`
	Parts    *rank.Parts `json:"parts,omitempty"`
	Priority float64     `json:"priority,omitempty"`
}

func searchRecord(query string, found index.Result, took time.Duration, at time.Time) Record {
	r := Record{At: at, Kind: "search", Query: query, Mode: found.Mode.String(), Candidates: []Candidate{}, Picked: []string{}, TookMS: millis(took)}
	for _, h := range found.Hits[:min(len(found.Hits), loggedCandidates)] {
		parts := h.Parts
		r.Candidates = append(r.Candidates, Candidate{ID: h.ID, Score: h.Score, Parts: &parts})
		r.Picked = append(r.Picked, h.ID)
	}
	return r
}

func packRecord(query string, p pack.Pack, took time.Duration, at time.Time) Record {
	return Record{
		At: at, Kind: "context", Query: query, Intent: string(p.Intent), Candidates: CandidatesOf(p), Picked: p.Used, Dropped: p.Dropped,
		Tokens: p.Tokens, Refused: p.Refusal != "", TookMS: millis(took),
	}
}

// CandidatesOf are what a pack was chosen from, the picked ones always among them:
// what was found for the message, with the parts of its score, and what is in the
// pack for its priority alone.
func CandidatesOf(p pack.Pack) []Candidate {
	out := []Candidate{}
	priority := map[string]float64{}
	for _, s := range p.Sections {
		for _, it := range s.Items {
			if it.ID != "" {
				priority[it.ID] = it.Priority
			}
		}
	}
	left := len(priority)
	for _, c := range p.Candidates {
		pr, picked := priority[c.ID]
		if !picked && len(out) >= loggedCandidates-left {
			continue
		}
		if picked {
			left--
			delete(priority, c.ID)
		}
		out = append(out, Candidate{ID: c.ID, Score: c.Score, Parts: &c.Parts, Priority: pr})
	}
	for _, id := range slices.Sorted(maps.Keys(priority)) {
		if len(out) < loggedCandidates {
			out = append(out, Candidate{ID: id, Priority: priority[id]})
		}
	}
	return out
}

// NoteSearch keeps the record of a search whose query is redacted already.
func (l *Log) NoteSearch(query string, found index.Result, took time.Duration, at time.Time) {
	l.add(searchRecord(query, found, took, at))
}

// Add keeps a record. A log that cannot be written loses records and nothing else.
func (l *Log) Add(r Record) { l.add(r) }

func (l *Log) add(r Record) {
	if l == nil {
		return
	}
	line, err := json.Marshal(r)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	lock := flock.New(filepath.Join(l.dir, logLock), flock.SetPermissions(0o600))
	if lock.Lock() != nil {
		return
	}
	defer lock.Unlock()
	name := filepath.Join(l.dir, logFile)
	if info, err := os.Stat(name); err == nil && info.Size()+int64(len(line)) > maxLog {
		_ = os.Rename(name, filepath.Join(l.dir, oldLogFile))
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(append(line, '\n'))
	_ = f.Close()
}

// Records reads the log, oldest first. What a crash tore is passed over.
func (l *Log) Records() ([]Record, error) {
	var out []Record
	for _, name := range []string{oldLogFile, logFile} {
		f, err := os.Open(filepath.Join(l.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("retrieval log: %w", err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, maxLog)
		for lines.Scan() {
			var r Record
			if json.Unmarshal(lines.Bytes(), &r) == nil && r.Kind != "" {
				out = append(out, r)
			}
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			return nil, fmt.Errorf("retrieval log: %w", err)
		}
	}
	return out, nil
}

// A Summary is what a log comes to.
type Summary struct {
	Records int            `json:"records"`
	Kinds   map[string]int `json:"kinds"`
	Since   string         `json:"since"`
	Until   string         `json:"until"`
	// Empty counts questions to which nothing was found, Refused those for a
	// secret.
	Empty   int `json:"empty"`
	Refused int `json:"refused"`
	// P50MS and P99MS are latencies; MeanTokens is that of packs.
	P50MS      float64 `json:"p50_ms"`
	P99MS      float64 `json:"p99_ms"`
	MeanTokens float64 `json:"mean_tokens"`
	MeanPicked float64 `json:"mean_picked"`
}

// Summarise works out what records come to.
func Summarise(records []Record) Summary {
	s := Summary{Records: len(records), Kinds: map[string]int{}}
	var took []float64
	packs, tokens, picked := 0, 0, 0
	for i, r := range records {
		if i == 0 {
			s.Since = rfc3339(r.At)
		}
		s.Until = rfc3339(r.At)
		s.Kinds[r.Kind]++
		took = append(took, r.TookMS)
		picked += len(r.Picked)
		switch {
		case r.Refused:
			s.Refused++
		case len(r.Picked) == 0:
			s.Empty++
		}
		if r.Kind == "context" && !r.Refused {
			packs++
			tokens += r.Tokens
		}
	}
	slices.Sort(took)
	if n := len(took); n > 0 {
		s.P50MS, s.P99MS = took[n/2], took[min(n-1, n*99/100)]
		s.MeanPicked = float64(picked) / float64(n)
	}
	if packs > 0 {
		s.MeanTokens = float64(tokens) / float64(packs)
	}
	return s
}

// Note keeps the record of a question that was answered by more than one search.
func (m *Memory) Note(r Record) { m.cfg.Log.add(r) }

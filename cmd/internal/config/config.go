// Package config works out every setting of memsync and remembers where each
// came from.
//
// Settings come in layers, and a later one wins: the defaults, the person's own
// config.yaml, the vault's .memoryrc, the environment (MEMSYNC_...), the flags
// of a command. An empty file is a valid one. A key that nobody knows is an
// error with its file and line and the key that was probably meant.
//
// A vault may be shared, so its .memoryrc is not believed in everything: what
// would send notes elsewhere or open a port beyond this machine is ignored
// until its owner trusts it once (Trust). Secrets never stand in a file; a file
// names the environment variable that holds one.
//
// The package is thin on purpose: it is resolved once, in cmd, into the plain
// structs that the other packages take. It looks up nothing by itself.
package config

import (
	"time"

	"github.com/memsync/memsync/vault/privacy"
)

// Config is every setting, resolved.
type Config struct {
	// Version is the vault's format.
	Version int
	// DefaultVault is the vault that is used where no other is named or near.
	DefaultVault string
	// Root is the folder in the vault that memsync writes; notes beside it are
	// searched and never written.
	Root string
	// Commit says when a person's own edits become commits: off, quiet (once
	// nothing changed for CommitQuiet) or manual (when they say memsync commit).
	Commit      string
	CommitQuiet time.Duration
	// Review says whether passes commit (auto) or propose (gate).
	Review string
	// Me are the names under which the person appears in chats between people.
	Me []string
	// Ignore are patterns, as in .gitignore, of files that are no notes.
	Ignore []string

	LLM       LLM
	Embedding Embedding
	Index     Index
	Search    Search
	Synth     Synth
	// Privacy says for each class of secrets what becomes of it.
	Privacy privacy.Policy
	HTTP    HTTP
}

// LLM is the language model that improves summaries; none is needed.
type LLM struct {
	// Provider is none, openai (any compatible endpoint) or anthropic.
	Provider string
	// BaseURL is the endpoint; empty means the provider's own.
	BaseURL string
	Model   string
	// APIKeyEnv names the environment variable that holds the key.
	APIKeyEnv string
	// Timeout bounds one request.
	Timeout time.Duration
	// Concurrency is how many requests run at once.
	Concurrency int
	// MaxTokensPerRun and MaxCostPerRun (US dollars) end a run early; 0 means
	// without that bound.
	MaxTokensPerRun int
	MaxCostPerRun   float64
	// Batch sends bulk work through the provider's batch interface.
	Batch bool
}

// Embedding is the model that makes vectors.
type Embedding struct {
	// Provider is builtin or openai (any compatible endpoint).
	Provider string
	// BaseURL is the endpoint; empty means the provider's own.
	BaseURL string
	Model   string
	// Dimensions asks the model for shorter vectors; 0 means its own length.
	Dimensions int
	// APIKeyEnv names the environment variable that holds the key.
	APIKeyEnv string
	// QueryPrefix and DocumentPrefix stand before each text, for models that
	// tell questions and documents apart.
	QueryPrefix, DocumentPrefix string
	// Batch is how many texts one request carries.
	Batch int
	// Concurrency is how many requests run at once.
	Concurrency int
}

// Index is where chunks and vectors are kept.
type Index struct {
	// Backend is sqlite (a file in the cache) or pgvector (PostgreSQL).
	Backend string
	// DSNEnv names the environment variable with PostgreSQL's address.
	DSNEnv string
}

// Search holds what a search does when it is not told.
type Search struct {
	// Mode is hybrid, keyword or vector.
	Mode string
	// Limit is the number of hits.
	Limit int
	// Log keeps a local record of searches, for evaluation.
	Log bool
}

// Synth bounds what the passes write.
type Synth struct {
	// MaxSessions is how many session summaries stay live; older ones fold into
	// their month.
	MaxSessions int
	// SummaryTokens caps one session's summary.
	SummaryTokens int
	// DeepPercent and BriefPercent bound how many conversations are distilled
	// deep and briefly where more than Whole wait.
	DeepPercent, BriefPercent, Whole int
}

// HTTP is where the daemon answers.
type HTTP struct {
	// Addr is host:port; beyond loopback a token is needed.
	Addr string
	// TokenFile is a file, readable by its owner alone, that holds the token.
	TokenFile string
}

// Default is the configuration of an empty file.
func Default() Config {
	return Config{
		Version:     FormatVersion,
		Root:        ".",
		Commit:      "quiet",
		CommitQuiet: 30 * time.Second,
		Review:      "auto",
		LLM: LLM{
			Provider:        "none",
			Timeout:         2 * time.Minute,
			Concurrency:     4,
			MaxTokensPerRun: 2_000_000,
			MaxCostPerRun:   5,
		},
		Embedding: Embedding{Provider: "builtin", Batch: 64, Concurrency: 4},
		Index:     Index{Backend: "sqlite"},
		Search:    Search{Mode: "hybrid", Limit: 10, Log: true},
		Synth:     Synth{MaxSessions: 120, SummaryTokens: 180, DeepPercent: 25, BriefPercent: 50, Whole: 120},
		Privacy:   defaultPrivacy(),
		HTTP:      HTTP{Addr: "127.0.0.1:7583"},
	}
}

func defaultPrivacy() privacy.Policy {
	p := privacy.Policy{}
	for _, class := range privacy.Classes() {
		p[class] = privacy.Policy(nil).For(class)
	}
	return p
}

// FormatVersion is the newest vault format that this program reads.
const FormatVersion = 1

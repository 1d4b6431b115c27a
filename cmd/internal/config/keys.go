package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/memsync/memsync/vault/privacy"
)

// A key is one setting: its name, the field it fills and how it is written.
type key struct {
	name string
	// list says that the value is a list; others are single words.
	list bool
	set  func(words []string) error
	get  func() any
}

// keys lists every setting of c in the order in which they are explained.
func keys(c *Config) []key {
	all := []key{
		version("version", &c.Version),
		text("default_vault", &c.DefaultVault),
		folder("root", &c.Root),
		choice("commit", &c.Commit, "off", "quiet", "manual"),
		duration("commit_quiet", &c.CommitQuiet, time.Second, 24*time.Hour),
		choice("review", &c.Review, "auto", "gate"),
		list("me", &c.Me),
		list("ignore", &c.Ignore),

		choice("llm.provider", &c.LLM.Provider, "none", "openai", "anthropic"),
		url("llm.base_url", &c.LLM.BaseURL),
		text("llm.model", &c.LLM.Model),
		variable("llm.api_key_env", &c.LLM.APIKeyEnv),
		duration("llm.timeout", &c.LLM.Timeout, time.Second, time.Hour),
		number("llm.concurrency", &c.LLM.Concurrency, 1, 64),
		number("llm.max_tokens_per_run", &c.LLM.MaxTokensPerRun, 0, 1e12),
		money("llm.max_cost_per_run", &c.LLM.MaxCostPerRun),
		boolean("llm.batch", &c.LLM.Batch),

		choice("embedding.provider", &c.Embedding.Provider, "builtin", "openai"),
		url("embedding.base_url", &c.Embedding.BaseURL),
		text("embedding.model", &c.Embedding.Model),
		number("embedding.dimensions", &c.Embedding.Dimensions, 0, 16_000),
		variable("embedding.api_key_env", &c.Embedding.APIKeyEnv),
		text("embedding.query_prefix", &c.Embedding.QueryPrefix),
		text("embedding.document_prefix", &c.Embedding.DocumentPrefix),
		number("embedding.batch", &c.Embedding.Batch, 1, 2048),
		number("embedding.concurrency", &c.Embedding.Concurrency, 1, 64),

		choice("index.backend", &c.Index.Backend, "sqlite", "pgvector"),
		variable("index.dsn_env", &c.Index.DSNEnv),

		choice("search.mode", &c.Search.Mode, "hybrid", "keyword", "vector"),
		number("search.limit", &c.Search.Limit, 1, 1000),
		boolean("search.log", &c.Search.Log),

		number("synth.max_sessions", &c.Synth.MaxSessions, 60, 120),
		number("synth.summary_tokens", &c.Synth.SummaryTokens, 60, 200),
		number("synth.deep_percent", &c.Synth.DeepPercent, 0, 100),
		number("synth.brief_percent", &c.Synth.BriefPercent, 0, 100),
		number("synth.whole", &c.Synth.Whole, 0, 1_000_000),

		address("http.addr", &c.HTTP.Addr),
		text("http.token_file", &c.HTTP.TokenFile),
	}
	for _, class := range privacy.Classes() {
		all = append(all, action(class, &c.Privacy))
	}
	return all
}

// Keys are the names of all settings.
func Keys() []string {
	var c Config
	var names []string
	for _, k := range keys(&c) {
		names = append(names, k.name)
	}
	return names
}

// Variable is the environment variable that sets the key name.
func Variable(name string) string {
	return "MEMSYNC_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// single makes a key whose value is one word.
func single(name string, get func() any, set func(word string) error) key {
	return key{name: name, get: get, set: func(words []string) error { return set(words[0]) }}
}

func text(name string, field *string) key {
	return single(name, func() any { return *field }, func(word string) error {
		*field = word
		return nil
	})
}

func list(name string, field *[]string) key {
	return key{name: name, list: true, get: func() any { return append([]string{}, *field...) }, set: func(words []string) error {
		*field = append([]string(nil), words...)
		return nil
	}}
}

func choice(name string, field *string, allowed ...string) key {
	return single(name, func() any { return *field }, func(word string) error {
		for _, a := range allowed {
			if word == a {
				*field = word
				return nil
			}
		}
		return fmt.Errorf("%q is none of %s", word, strings.Join(allowed, ", "))
	})
}

// action is what becomes of a class of secrets.
func action(class privacy.Class, policy *privacy.Policy) key {
	word := string(policy.For(class))
	k := choice("privacy."+string(class), &word, string(privacy.Redact), string(privacy.Keep), string(privacy.Refuse))
	set := k.set
	k.set = func(words []string) error {
		if err := set(words); err != nil {
			return err
		}
		if *policy == nil {
			*policy = privacy.Policy{}
		}
		(*policy)[class] = privacy.Action(word)
		return nil
	}
	return k
}

func number(name string, field *int, least, most int) key {
	return single(name, func() any { return *field }, func(word string) error {
		n, err := strconv.Atoi(strings.ReplaceAll(word, "_", ""))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", word)
		}
		if n < least || n > most {
			return fmt.Errorf("%d is outside %d to %d", n, least, most)
		}
		*field = n
		return nil
	})
}

func version(name string, field *int) key {
	return single(name, func() any { return *field }, func(word string) error {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a format version", word)
		}
		if n > FormatVersion {
			return fmt.Errorf("format %d is newer than this program, which reads up to %d", n, FormatVersion)
		}
		*field = n
		return nil
	})
}

func money(name string, field *float64) key {
	return single(name, func() any { return *field }, func(word string) error {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil || !(f >= 0 && f <= 1e9) {
			return fmt.Errorf("%q is not an amount of dollars", word)
		}
		*field = f
		return nil
	})
}

func boolean(name string, field *bool) key {
	return single(name, func() any { return *field }, func(word string) error {
		switch strings.ToLower(word) {
		case "true", "yes", "on", "1":
			*field = true
		case "false", "no", "off", "0":
			*field = false
		default:
			return fmt.Errorf("%q is neither true nor false", word)
		}
		return nil
	})
}

func duration(name string, field *time.Duration, least, most time.Duration) key {
	return single(name, func() any { return Span(*field).String() }, func(word string) error {
		d, err := time.ParseDuration(word)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 30s or 2m", word)
		}
		if d < least || d > most {
			return fmt.Errorf("%s is outside %s to %s", word, Span(least), Span(most))
		}
		*field = d
		return nil
	})
}

// A Span is a duration that prints as people write it: 2m, not 2m0s.
type Span time.Duration

func (s Span) String() string {
	text := time.Duration(s).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/vault/privacy"
)

type contextOptions struct {
	intent, preset, turns string
	budget                int
}

func newContextCommand(a *app) *cobra.Command {
	var opts contextOptions
	cmd := &cobra.Command{
		Use:     "context MESSAGE...",
		GroupID: groupRead,
		Short:   "Pack the context that an assistant should have for a message",
		Long: `Pack what an assistant should know before it answers a message: the profile,
what is pinned, and sections that depend on what the message wants (to plan,
reflect, recall, decide, or a nudge), within a budget of tokens. Every item has
its id for memsync get; the last line says what did not fit and how fresh the
memory is. A message of "-" is read from standard input.`,
		Example: `  memsync context when did I decide about the school pilot
  memsync context --intent plan --budget 1200 --json "the week before the demo"
  memsync context --preset large --turns turns.jsonl - < message.txt`,
		Args: words(1, -1, "the message"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runContext(cmd.Context(), a, strings.Join(args, " "), opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.intent, "intent", "", "plan, reflect, recall, decide or nudge (default: told from the message)")
	f.StringVar(&opts.preset, "preset", "", "small (default) or large")
	f.IntVar(&opts.budget, "budget", 0, "at most so many tokens in all (default: the preset's)")
	f.StringVar(&opts.turns, "turns", "", "the last turns of the conversation: JSON, JSON lines, or lines of \"speaker: text\"")
	_ = cmd.RegisterFlagCompletionFunc("intent", cobra.FixedCompletions([]string{"plan", "reflect", "recall", "decide", "nudge"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions([]string{"small", "large"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runContext(ctx context.Context, a *app, message string, opts contextOptions) (err error) {
	a.brief()
	req := answer.ContextRequest{Message: message, Intent: opts.intent, Preset: opts.preset, Budget: opts.budget}
	if message == "-" {
		if req.Message, err = a.input(); err != nil {
			return err
		}
	}
	if req.Turns, err = a.turns(opts.turns); err != nil {
		return err
	}
	m, _, done, err := a.openMemory(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	p, err := m.Context(ctx, req)
	if err != nil {
		return asUsage(err)
	}
	if p.Refusal != "" {
		return errors.New(p.Refusal)
	}
	return a.print(packResult{p})
}

// asUsage makes a mistake of usage of a question that cannot be asked.
func asUsage(err error) error {
	if _, bad := errors.AsType[*answer.BadRequestError](err); bad {
		return &usageError{err}
	}
	return err
}

// openMemory opens the vault with its index in step, for answering.
func (a *app) openMemory(ctx context.Context) (m *answer.Memory, s *session, done func() error, err error) {
	if s, err = a.open(); err != nil {
		return nil, nil, nil, err
	}
	x, err := a.openReader(ctx, s, "")
	if err != nil {
		return nil, nil, nil, errors.Join(err, s.Close())
	}
	stale := func(context.Context) string {
		if x.fresh {
			return ""
		}
		if len(x.notes) > 0 {
			return strings.Join(x.notes, " ")
		}
		return indexBehind
	}
	if m, err = a.memoryOf(s, x, stale); err != nil {
		return nil, nil, nil, errors.Join(err, x.Close(), s.Close())
	}
	return m, s, func() error { return errors.Join(x.Close(), s.Close()) }, nil
}

// indexBehind is said with answers from an index that is not in step.
const indexBehind = "the index is behind the vault: the newest edits may be missing"

// memoryOf answers from an open vault and its index.
func (a *app) memoryOf(s *session, x answer.Index, stale func(context.Context) string) (*answer.Memory, error) {
	store, err := privacy.OpenOriginals(s.places.Data, nil)
	if err != nil {
		return nil, err
	}
	r := privacy.NewRedactor(s.settings.Privacy.Strict(), store.Key())
	cfg := answer.Config{
		Vault: s.vault, Index: x, Now: a.now, State: s.places.State, Stale: stale,
		Backlog: func() string { return synth.LastBacklog(s.places.State).String() },
		Limit:   s.settings.Search.Limit, Mode: mode(s.settings.Search.Mode),
		Redact: func(previous, text string) string {
			clean, _ := r.RedactAfter(previous, text)
			return clean
		},
	}
	if s.settings.Search.Log {
		cfg.Log = answer.OpenLog(s.places.State)
	}
	return answer.New(cfg), nil
}

// maxInput bounds what is read as a message or as turns, in bytes.
const maxInput = 4 << 20

// input reads standard input.
func (a *app) input() (string, error) {
	raw, err := io.ReadAll(io.LimitReader(a.stdin, maxInput))
	return string(raw), err
}

// turns reads the last turns of a conversation from a file, "" for none.
func (a *app) turns(name string) ([]pack.Turn, error) {
	if name == "" {
		return nil, nil
	}
	paths, err := a.absolute([]string{name})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(paths[0])
	if err != nil {
		return nil, usagef("--turns: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("--turns: %w", err)
	}
	if len(raw) > maxInput {
		return nil, usagef("--turns: %s is larger than %s", name, size(maxInput))
	}
	turns, err := parseTurns(raw)
	if err != nil {
		return nil, usagef("--turns: %s: %w", name, err)
	}
	return turns, nil
}

// A givenTurn is a turn as callers write it: who spoke is the speaker or, as
// providers call it, the role; what was said is the text or the content.
type givenTurn struct {
	Speaker, Role, Text, Content string
}

func (g givenTurn) turn() pack.Turn {
	t := pack.Turn{Speaker: g.Speaker, Text: g.Text}
	if t.Speaker == "" {
		t.Speaker = g.Role
	}
	if t.Text == "" {
		t.Text = g.Content
	}
	return t
}

// parseTurns reads a JSON list of turns, a turn a line in JSON, or plain lines of
// "speaker: text", where a line without a speaker goes on the one before it.
func parseTurns(raw []byte) ([]pack.Turn, error) {
	raw = bytes.TrimSpace(raw)
	var given []givenTurn
	switch {
	case bytes.HasPrefix(raw, []byte("[")):
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, err
		}
	case bytes.HasPrefix(raw, []byte("{")):
		d := json.NewDecoder(bytes.NewReader(raw))
		for d.More() {
			var g givenTurn
			if err := d.Decode(&g); err != nil {
				return nil, err
			}
			given = append(given, g)
		}
	default:
		return plainTurns(string(raw)), nil
	}
	var out []pack.Turn
	for _, g := range given {
		out = append(out, g.turn())
	}
	return out, nil
}

// longestSpeaker is the longest name before a colon that is taken for a speaker's.
const longestSpeaker = 40

func plainTurns(text string) []pack.Turn {
	var out []pack.Turn
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		who, said, ok := strings.Cut(line, ": ")
		switch {
		case ok && who != "" && len(who) <= longestSpeaker && who == strings.TrimSpace(who):
			out = append(out, pack.Turn{Speaker: who, Text: said})
		case len(out) > 0:
			out[len(out)-1].Text += "\n" + line
		case strings.TrimSpace(line) != "":
			out = append(out, pack.Turn{Speaker: "user", Text: line})
		}
	}
	return out
}

// packResult prints a pack: its text, or all of it in JSON.
type packResult struct{ pack.Pack }

func (r packResult) Text(p *output.Page) { p.Printf("%s", output.Plain(r.Pack.Text)) }

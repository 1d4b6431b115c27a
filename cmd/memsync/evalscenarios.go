package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/recall"
	"github.com/memsync/memsync/cmd/internal/scenario"
	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/chat"
)

type scenarioOptions struct {
	llm     bool
	least   scenario.Scores
	verbose bool
}

func newEvalScenariosCommand(a *app) *cobra.Command {
	var opts scenarioOptions
	cmd := &cobra.Command{
		Use:   "scenarios DIR",
		Short: "Play scripted conversations and judge the answers about them",
		Long: `Play the scenarios in DIR (*.yaml): each gets a new vault, its conversations are
imported and distilled one after the other, and its questions are asked between
and after them, as memsync ask does. What is measured, as shares of 1: recall
(what was said is in the answer), corrections (the new value is there and the
old one is not said to hold), privacy (secrets refused), adversarial (orders in
texts not followed), unanswerable (said to be missing), and the tokens of an
answer's context.

Without --llm the answers are the evidence. The exit status is 1 where a share
is below the least that is asked for. Nothing else on this machine is read.`,
		Example: `  memsync eval scenarios testdata/scenarios
  memsync eval scenarios ~/scenarios --llm --min-recall 0.9 --min-privacy 1 --json`,
		Args: words(1, 1, "the folder of the scenarios"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEvalScenarios(cmd.Context(), a, args[0], opts)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.llm, "llm", false, "answer with the language model of the settings")
	f.BoolVar(&opts.verbose, "all", false, "list the questions that passed too")
	f.Float64Var(&opts.least.Recall, "min-recall", 0, "the least share of what was said that is found")
	f.Float64Var(&opts.least.Corrections, "min-corrections", 0, "the least share of corrections honoured")
	f.Float64Var(&opts.least.Privacy, "min-privacy", 0, "the least share of secrets refused")
	f.Float64Var(&opts.least.Adversarial, "min-adversarial", 0, "the least share of hostile texts resisted")
	f.Float64Var(&opts.least.Unanswerable, "min-unanswerable", 0, "the least share of unanswerable questions said to be so")
	f.Float64Var(&opts.least.Tokens, "max-tokens", 0, "the most tokens of a context on average; 0 is without bound")
	return cmd
}

func runEvalScenarios(ctx context.Context, a *app, dir string, opts scenarioOptions) error {
	paths, err := a.absolute([]string{dir})
	if err != nil {
		return err
	}
	all, err := scenario.Load(paths[0])
	if err != nil {
		return err
	}
	var model recall.Model
	if opts.llm {
		calls, err := os.MkdirTemp("", "memsync-scenario-calls-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(calls)
		if model, err = a.scenarioModel(calls); err != nil {
			return err
		}
	}
	r, err := a.playScenarios(ctx, all, model)
	if err != nil {
		return err
	}
	r.all = opts.verbose
	if err := a.print(r); err != nil {
		return err
	}
	return r.below(opts.least)
}

// scenarioModel is the language model of the person's settings, whose calls are
// recorded in dir.
func (a *app) scenarioModel(dir string) (recall.Model, error) {
	_, settings, _, err := a.settings()
	if err != nil {
		return nil, err
	}
	s := &session{settings: settings}
	s.places.State = dir
	l := a.languageModel(s, false)
	if l == nil {
		return nil, usagef("--llm: no language model is set; see llm.provider")
	}
	return recall.LLM{Model: l.Writer.Model, Prompts: l.Writer.Prompts}, nil
}

// playScenarios plays scenarios one after the other.
func (a *app) playScenarios(ctx context.Context, all []scenario.Scenario, model recall.Model) (r scenariosResult, err error) {
	bar := a.progress()
	bar.Start("scenarios", int64(len(all)), output.Items)
	defer bar.Done()
	r.Scenarios, r.LLM = len(all), model != nil
	for _, s := range all {
		verdicts, err := a.play(ctx, s, model)
		if err != nil {
			return r, fmt.Errorf("scenario %s: %w", s.Name, err)
		}
		r.Questions = append(r.Questions, verdicts...)
		bar.Add(1)
	}
	r.Scores = scenario.Score(r.Questions)
	return r, nil
}

// play plays one scenario in a vault of its own, at its own time.
func (a *app) play(ctx context.Context, s scenario.Scenario, model recall.Model) (verdicts []scenario.Verdict, err error) {
	base, err := os.MkdirTemp("", "memsync-scenario-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(base)) }()
	own := a.demoApp(base, true)
	own.stderr, own.host, own.hostOf = io.Discard, nil, ""
	now := s.Now
	own.now = func() time.Time { return now }
	made, err := makeVault(ctx, own, filepath.Join(base, "vault"), "")
	if err != nil {
		return nil, err
	}
	own.vaultFlag = made.Vault
	for i, c := range s.Conversations {
		name := filepath.Join(base, fmt.Sprintf("talk-%02d.json", i+1))
		if err := writeTalk(name, fmt.Sprintf("talk-%d", i+1), c); err != nil {
			return nil, err
		}
		now = c.At.Add(time.Hour)
		if err := own.hear(ctx, name); err != nil {
			return nil, err
		}
		now = c.At.Add(2 * time.Hour)
		asked, err := own.answerAll(ctx, s.Name, s.Asked(i+1), model)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, asked...)
	}
	now = s.Now
	asked, err := own.answerAll(ctx, s.Name, s.Asked(0), model)
	return append(verdicts, asked...), err
}

// answerAll asks questions of the memory as it is now and judges the answers.
func (a *app) answerAll(ctx context.Context, name string, questions []scenario.Question, model recall.Model) (verdicts []scenario.Verdict, err error) {
	if len(questions) == 0 {
		return nil, nil
	}
	m, _, done, err := a.openMemory(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	for _, q := range questions {
		r, err := recall.Ask(ctx, m, q.Ask, recall.Config{Model: model})
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, scenario.Judge(name, q, r))
	}
	return verdicts, nil
}

// writeTalk writes a conversation as package chat reads it.
func writeTalk(name, id string, c scenario.Conversation) error {
	type message struct {
		Role string `json:"role"`
		Text string `json:"text"`
		Time string `json:"time"`
	}
	talk := struct {
		ID       string    `json:"id"`
		Title    string    `json:"title"`
		Created  string    `json:"created"`
		Messages []message `json:"messages"`
	}{ID: id, Title: c.Title, Created: c.At.UTC().Format(time.RFC3339)}
	for i, t := range c.Turns {
		role, text, _ := scenario.SplitTurn(t)
		talk.Messages = append(talk.Messages, message{role, text, c.At.Add(time.Duration(i) * time.Minute).UTC().Format(time.RFC3339)})
	}
	raw, err := json.Marshal(talk)
	if err != nil {
		return err
	}
	return os.WriteFile(name, raw, 0o600)
}

// hear imports a conversation and distils it.
func (a *app) hear(ctx context.Context, name string) (err error) {
	w, err := a.openToWrite(ctx, "import")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	opts := importOptions{formats: []importer.Format{chat.Format{}}}
	r, err := importPaths(ctx, a, w, []string{name}, opts)
	if err != nil {
		return err
	}
	return a.digest(ctx, w, opts, &r)
}

type scenariosResult struct {
	Scenarios int `json:"scenarios"`
	// LLM says that a language model answered.
	LLM       bool               `json:"llm"`
	Scores    scenario.Scores    `json:"scores"`
	Questions []scenario.Verdict `json:"questions"`

	all bool
}

func (r scenariosResult) Text(p *output.Page) {
	with := "without a language model"
	if r.LLM {
		with = "with a language model"
	}
	p.Printf("%s, %s, %s\n", p.Bold(output.Count(r.Scenarios, "scenario", "scenarios")), output.Count(len(r.Questions), "question", "questions"), with)
	for _, s := range r.shares() {
		if s.is >= 0 {
			p.Printf("  %-13s %.2f\n", s.name, s.is)
		}
	}
	p.Printf("  %-13s %.0f\n", "tokens", r.Scores.Tokens)
	for _, v := range r.Questions {
		if !v.Pass || r.all {
			why := ""
			if v.Why != "" {
				why = ": " + output.Plain(v.Why)
			}
			p.Printf("%s  %s: %s (%s)%s\n", passMark(p, v.Pass), output.Plain(v.Scenario), output.Plain(v.Ask), v.Kind, why)
		}
	}
}

func passMark(p *output.Page, pass bool) string {
	if pass {
		return "ok  "
	}
	return p.Warn("fail")
}

type share struct {
	name      string
	is, least float64
}

func (r scenariosResult) shares() []share { return r.against(scenario.Scores{}) }

func (r scenariosResult) against(least scenario.Scores) []share {
	s := r.Scores
	return []share{
		{"recall", s.Recall, least.Recall}, {"corrections", s.Corrections, least.Corrections}, {"privacy", s.Privacy, least.Privacy},
		{"adversarial", s.Adversarial, least.Adversarial}, {"unanswerable", s.Unanswerable, least.Unanswerable},
	}
}

// below is the error of shares below the least that were asked for.
func (r scenariosResult) below(least scenario.Scores) error {
	var all []error
	for _, s := range r.against(least) {
		switch {
		case s.least <= 0:
		case s.is < 0:
			all = append(all, fmt.Errorf("no question probes %s, which is to be at least %.2f", s.name, s.least))
		case s.is < s.least:
			all = append(all, fmt.Errorf("%s is %.2f, less than %.2f", s.name, s.is, s.least))
		}
	}
	if least.Tokens > 0 && r.Scores.Tokens > least.Tokens {
		all = append(all, fmt.Errorf("a context has %.0f tokens, more than %.0f", r.Scores.Tokens, least.Tokens))
	}
	return errors.Join(all...)
}

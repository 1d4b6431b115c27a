// Package scenario holds scripted conversations and questions about them, and judges
// the answers.
//
// A scenario is a person's life in small: conversations on several days, and between
// and after them questions whose answers they hold, changed, or never held. It asks of a memory
// what a person would: what was said, with which number or date; what holds now,
// after it was corrected; what they prefer; nothing that is secret; nothing that a
// hostile text told it to; and no guess.
//
// The package reads and judges. Playing a scenario needs a whole program, and is
// done where that is.
package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// A Scenario is one file.
type Scenario struct {
	Name string `yaml:"name"`
	// Now is when the questions are asked.
	Now           time.Time      `yaml:"now"`
	Conversations []Conversation `yaml:"conversations"`
	Questions     []Question     `yaml:"questions"`
}

// A Conversation is imported and distilled before the next one is.
type Conversation struct {
	At    time.Time `yaml:"at"`
	Title string    `yaml:"title"`
	// Turns are "user: text" and "assistant: text", a minute apart.
	Turns []string `yaml:"turns"`
}

// A Kind is what a question probes.
type Kind string

// The kinds of questions.
const (
	Recall        Kind = "recall"        // what was said: a name, a number, a date
	Preference    Kind = "preference"    // what the person likes, wants or avoids
	Correction    Kind = "correction"    // what was said, and then taken back
	Update        Kind = "update"        // what changed over time
	Contradiction Kind = "contradiction" // what sources disagree on: both are to be seen
	Privacy       Kind = "privacy"       // a secret
	Adversarial   Kind = "adversarial"   // a text that gives the memory orders
	Unanswerable  Kind = "unanswerable"  // what was never said
)

var kinds = []Kind{Recall, Preference, Correction, Update, Contradiction, Privacy, Adversarial, Unanswerable}

// A Question and what its answer must and must not hold.
type Question struct {
	Ask  string `yaml:"ask"`
	Kind Kind   `yaml:"kind"`
	// Want must each be in the answer; "a|b" is one or the other.
	Want []string `yaml:"want"`
	// Not must be in none: the old value, the secret, what the hostile text wants.
	Not []string `yaml:"not"`
	// After is after how many conversations it is asked, two hours after the last of
	// them; 0 is after all, at the scenario's time.
	After int `yaml:"after"`
	// Shown allows what is private: the question is not refused, and the secret must
	// be missing all the same.
	Shown bool `yaml:"shown"`
}

// Load reads the scenarios below a folder, *.yaml, in the order of their names.
func Load(dir string) ([]Scenario, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("scenarios: %s holds no *.yaml", dir)
	}
	slices.Sort(names)
	var all []Scenario
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("scenarios: %w", err)
		}
		list, err := Parse(raw)
		if err != nil {
			return nil, fmt.Errorf("scenarios: %s: %w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// Parse reads the scenarios of one file, which are its YAML documents.
func Parse(raw []byte) ([]Scenario, error) {
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	var all []Scenario
	for {
		var s Scenario
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
}

func (s Scenario) check() error {
	if s.Name == "" || s.Now.IsZero() || len(s.Conversations) == 0 || len(s.Questions) == 0 {
		return fmt.Errorf("%q: a scenario needs a name, now, conversations and questions", s.Name)
	}
	last := time.Time{}
	for _, c := range s.Conversations {
		if c.At.Before(last) || !c.At.Before(s.Now) {
			return fmt.Errorf("%s: the conversation of %s is out of order", s.Name, c.At.Format(time.DateOnly))
		}
		last = c.At
		for _, t := range c.Turns {
			if _, _, ok := SplitTurn(t); !ok {
				return fmt.Errorf("%s: %q is no turn such as \"user: text\"", s.Name, t)
			}
		}
	}
	for _, q := range s.Questions {
		needs := q.Kind != Unanswerable && q.Kind != Privacy && q.Kind != Adversarial
		switch {
		case q.Ask == "" || !slices.Contains(kinds, q.Kind):
			return fmt.Errorf("%s: %q has the kind %q, which is none of %v", s.Name, q.Ask, q.Kind, kinds)
		case q.After < 0 || q.After > len(s.Conversations):
			return fmt.Errorf("%s: %q is asked after %d of %d conversations", s.Name, q.Ask, q.After, len(s.Conversations))
		case needs && len(q.Want) == 0:
			return fmt.Errorf("%s: %q says not what it wants", s.Name, q.Ask)
		case (q.Kind == Privacy || q.Kind == Adversarial) && len(q.Not) == 0:
			return fmt.Errorf("%s: %q says not what must be missing", s.Name, q.Ask)
		}
	}
	return nil
}

// Asked are the questions asked after so many conversations.
func (s Scenario) Asked(after int) []Question {
	var out []Question
	for _, q := range s.Questions {
		if q.After == after {
			out = append(out, q)
		}
	}
	return out
}

// SplitTurn reads "user: text".
func SplitTurn(t string) (role, text string, ok bool) {
	role, text, ok = strings.Cut(t, ": ")
	return role, strings.TrimSpace(text), ok && (role == "user" || role == "assistant") && strings.TrimSpace(text) != ""
}

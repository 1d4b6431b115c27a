package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

func TestReport(t *testing.T) {
	boom := errors.New("it broke")
	for _, test := range []struct {
		name   string
		err    error
		status int
		want   failure
	}{
		{"done", nil, exitDone, failure{}},
		{"anything", boom, exitFailed, failure{Message: "it broke", Kind: "failed"}},
		{"usage", usagef("say a word"), exitUsage, failure{Message: "say a word", Kind: "usage"}},
		{"a setting", &config.Error{File: "/v/.memoryrc", Line: 4, Name: "commit", Text: `"x" is none of off, quiet, manual`}, exitUsage,
			failure{Message: `/v/.memoryrc:4: commit: "x" is none of off, quiet, manual`, Kind: "usage", Path: "/v/.memoryrc", Line: 4}},
		{"partly", &partlyError{fmt.Errorf("import: %w", boom)}, exitPartly, failure{Message: "import: it broke", Kind: "partly"}},
		{"no vault here", &config.NoVaultError{Dir: "/x"}, exitNoVault,
			failure{Message: "no vault here: neither /x nor a folder above it holds a .memoryrc", Kind: "no_vault", Try: "memsync init"}},
		{"no vault there", &config.NoVaultError{Dir: "/x/my notes", By: "--vault"}, exitNoVault,
			failure{Message: "no vault at /x/my notes, which --vault names: it holds no .memoryrc", Kind: "no_vault", Try: "memsync init '/x/my notes'"}},
		{"locked", fmt.Errorf("import: %w", &vault.LockedError{}), exitLocked,
			failure{Message: "import: the vault is locked by another process", Kind: "locked", Try: "the same again once it has finished"}},
		{"git holds its lock", fmt.Errorf("commit: %w", &history.LockedError{Path: "/v/.git/index.lock", Since: time.Date(2025, 9, 2, 6, 0, 0, 0, time.UTC)}), exitLocked,
			failure{Message: "commit: the git repository is locked by /v/.git/index.lock, held since 2025-09-02T06:00:00Z; another git command is running, or one died and left the file behind",
				Kind: "locked", Try: "the same again once that git command has finished"}},
		{"a merge is under way", fmt.Errorf("commit: %w", &history.BusyError{Operation: "merge", Path: ".git/MERGE_HEAD"}), exitFailed,
			failure{Message: "commit: a git merge is under way (.git/MERGE_HEAD); commit waits until it is finished or aborted",
				Kind: "failed", Try: "git status, finish or abort it, then the same again"}},
		{"no repository", fmt.Errorf("/v: %w", history.ErrNoRepository), exitFailed,
			failure{Message: "/v: no git repository", Kind: "failed", Try: "memsync init"}},
		{"edits of the person's", fmt.Errorf("profile.md: %w", pass.ErrUncommitted), exitFailed,
			failure{Message: "profile.md: it holds edits of yours that are not committed yet", Kind: "failed", Try: "git commit, then the same again"}},
		{"nothing to start with", boot.ErrNothing, exitFailed,
			failure{Message: "nothing is remembered yet: the vault has no MEMORY.md", Kind: "failed", Try: "memsync import PATH"}},
		{"saved meanwhile", fmt.Errorf("a.md: %w", vault.ErrChanged), exitFailed,
			failure{Message: "a.md: changed meanwhile", Kind: "failed", Try: "the same again: what was saved meanwhile is kept"}},
		{"stopped", fmt.Errorf("import: %w", context.Canceled), exitStopped,
			failure{Message: "stopped; what was finished stays, the rest is done next time", Kind: "stopped"}},
		{"a full disk", fmt.Errorf("import: write a.md: %w", syscall.ENOSPC), exitFailed,
			failure{Message: "import: write a.md: no space left on device", Kind: "failed", Try: "free some space, then the same again"}},
		{"not allowed", &fs.PathError{Op: "open", Path: "/v/a.md", Err: syscall.EACCES}, exitFailed,
			failure{Message: "open /v/a.md: permission denied", Kind: "failed", Try: "the same as the user who owns the files"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, stdout, stderr := testApp(t, "/home/ana", "/x")
			if got := a.report(test.err, true); got != test.status {
				t.Errorf("exits %d, want %d", got, test.status)
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output: %s", stdout)
			}
			if test.err == nil {
				return
			}
			var got struct {
				Version int     `json:"schema_version"`
				Error   failure `json:"error"`
			}
			if err := json.Unmarshal(stderr.Bytes(), &got); err != nil || strings.Count(stderr.String(), "\n") != 1 {
				t.Fatalf("%v: %s", err, stderr)
			}
			if diff := cmp.Diff(test.want, got.Error); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			stderr.Reset()
			a.report(test.err, false)
			text := "memsync: " + test.want.Message + "\n"
			if test.want.Try != "" {
				text += "  try: " + test.want.Try + "\n"
			}
			if diff := cmp.Diff(text, stderr.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if strings.HasPrefix(test.want.Try, "memsync ") {
				if err := parses(test.want.Try); err != nil {
					t.Errorf("the hint %q cannot be typed: %v", test.want.Try, err)
				}
			}
		})
	}
}

func TestASlipOfTheFingerFindsItsCommand(t *testing.T) {
	for line, want := range map[string]string{
		"confg":          "memsync config",
		"xyzzy":          "memsync --help",
		"config --foo":   "memsync config --help",
		"version please": "memsync version --help",
	} {
		a, _, stderr := testApp(t, t.TempDir(), t.TempDir())
		if status := a.run(t.Context(), strings.Fields(line)); status != exitUsage {
			t.Errorf("memsync %s exits %d", line, status)
		}
		if !strings.HasSuffix(stderr.String(), "  try: "+want+"\n") {
			t.Errorf("memsync %s: %s", line, stderr)
		}
	}
}

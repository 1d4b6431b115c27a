package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/vault/tokens"
)

// The chats that --chats makes: ten friends, half a million tokens each.
const (
	benchChats      = 10
	benchChatTokens = 500_000
	benchMe         = "Ana Brandt"
)

// friends are the ten, and their chats' dialects change from one to the next.
var friends = [benchChats]string{"Mira Lind", "Jonas", "Leo Falk", "Dr. Weiss", "Nadia", "Omar", "Papa", "Ruth (work)", "Sofia", "Tim"}

// chats measures ten chats over years from the export to the profile, as one
// import does it, and the same import again.
func (b *bench) chats(ctx context.Context) error {
	folder, all, size, err := writeChats(filepath.Join(b.base, "chats"), b.opts.seed, benchChatTokens)
	if err != nil {
		return err
	}
	made, err := makeVault(ctx, b.a, filepath.Join(b.base, "vault"), "")
	if err != nil {
		return err
	}
	b.a.vaultFlag = made.Vault
	settings := "version: 1\nme: [" + benchMe + "]\n"
	if err := os.WriteFile(filepath.Join(made.Vault, ".memoryrc"), []byte(settings), 0o600); err != nil {
		return err
	}
	for _, what := range []string{"ten chats", "ten chats again"} {
		w, err := b.a.openToWrite(ctx, "bench")
		if err != nil {
			return err
		}
		began := b.a.now()
		var spent [3]time.Duration
		r, err := importPaths(ctx, b.a, w, []string{folder}, importOptions{})
		spent[0] = b.a.now().Sub(began)
		if err == nil {
			at := b.a.now()
			r.Passes, err = b.a.synthesise(ctx, w, synthOptions{})
			spent[1] = b.a.now().Sub(at)
		}
		if err == nil {
			at := b.a.now()
			r.Index, err = b.a.updateIndex(ctx, w.session)
			spent[2] = b.a.now().Sub(at)
		}
		if err = errors.Join(err, w.Close()); err != nil {
			return err
		}
		sessions := 0
		for _, run := range r.Runs {
			sessions += run.ConversationsNew + run.ConversationsSkipped
		}
		b.r.add(what, b.a.now().Sub(began).Seconds(), "s", "%d tokens, %.1f MB, %d sessions", all, float64(size)/1e6, sessions)
		for i, step := range []string{"import", "distil", "index"} {
			b.r.add("  "+step, spent[i].Seconds(), "s", "%s", what)
		}
	}
	return nil
}

// writeChats writes the chats, each of about so many tokens, into a new folder.
func writeChats(folder string, seed uint64, each int) (dir string, all, size int, err error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", 0, 0, err
	}
	// The running text of these chats has about 4.4 bytes a token; a chat is
	// lengthened until it has enough.
	for i, friend := range friends {
		begin := time.Date(2019, time.Month(1+i), 3, 8, 0, 0, 0, time.UTC)
		var messages []chatgen.Message
		n := 0
		for bytes := each * 43 / 10; n < each; bytes += bytes / 20 {
			messages = chatgen.Years(seed+uint64(i), benchMe, friend, begin, bytes)
			n = 0
			for _, m := range messages {
				n += tokens.Count(m.Text)
			}
		}
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("WhatsApp Chat with %s.txt", friend)))
		if err != nil {
			return "", 0, 0, err
		}
		err = chatgen.Write(f, chatgen.Dialects[i%5], messages)
		info, statErr := f.Stat()
		if err = errors.Join(err, statErr, f.Close()); err != nil {
			return "", 0, 0, err
		}
		all, size = all+n, size+int(info.Size())
	}
	return folder, all, size, nil
}

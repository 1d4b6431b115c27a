package door

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const token = "0123456789abcdef0123456789"

func TestWhoMayAsk(t *testing.T) {
	const at = "127.0.0.1:7583"
	for name, c := range map[string]struct {
		host, origin  string
		local         bool
		names, fromUs bool
		authorization string
		knows         bool
		tokenless     bool
	}{
		"the address":                 {host: at, names: true, fromUs: true},
		"localhost":                   {host: "LOCALHOST:7583", names: true, fromUs: true},
		"IPv6 loopback":               {host: "[::1]:7583", names: true, fromUs: true},
		"IPv4 in IPv6":                {host: "[::ffff:127.0.0.1]:7583", names: true, fromUs: true},
		"another port":                {host: "localhost:80", fromUs: true},
		"no port":                     {host: "localhost", fromUs: true},
		"no host":                     {host: "", fromUs: true},
		"a name that resolves here":   {host: "evil.example:7583", fromUs: true},
		"a name that begins well":     {host: "127.0.0.1.evil.example:7583", fromUs: true},
		"our page":                    {host: at, origin: "http://localhost:7583", names: true, fromUs: true},
		"another port's page":         {host: at, origin: "http://localhost:5173", names: true},
		"another port's page, let in": {host: at, origin: "http://localhost:5173", local: true, names: true, fromUs: true},
		"a page from elsewhere":       {host: at, origin: "https://evil.example", local: true, names: true},
		"a sandboxed page":            {host: at, origin: "null", local: true, names: true},
		"a file":                      {host: at, origin: "file://localhost", local: true, names: true},
		"a page with our name inside": {host: at, origin: "https://evil.example/" + at, names: true},
		"the token":                   {host: at, names: true, fromUs: true, authorization: "Bearer " + token, knows: true},
		"another token":               {host: at, names: true, fromUs: true, authorization: "Bearer x"},
		"another scheme":              {host: at, names: true, fromUs: true, authorization: "Basic " + token},
		"no token where none is set":  {host: at, names: true, fromUs: true, authorization: "Bearer ", tokenless: true},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.authorization != "" {
			r.Header.Set("Authorization", c.authorization)
		}
		d := Door{At: at, Token: token, LocalPages: c.local}
		if c.tokenless {
			d.Token = ""
		}
		if d.Names(r) != c.names || d.Page(r) != c.fromUs || d.Knows(r) != c.knows {
			t.Errorf("%s: named %v, from our page %v, known %v", name, d.Names(r), d.Page(r), d.Knows(r))
		}
	}
	for at, want := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "0.0.0.0:1": false, "192.0.2.7:1": false, ":1": false, "x": false} {
		if (Door{At: at}).Open() != want {
			t.Errorf("%s: open %v", at, !want)
		}
	}
}

func TestNobodyListensBeyondLoopbackWithoutAToken(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.org:1", "7788"} {
		if l, err := Listen(t.Context(), addr, ""); err == nil {
			_ = l.Close()
			t.Errorf("%s: open to other machines without a token", addr)
		}
	}
	l, err := Listen(t.Context(), "0.0.0.0:0", token)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}

func TestATokenIsItsOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	for name, one := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"good":  {token + "\n", 0o600, ""},
		"open":  {token, 0o644, "others may read"},
		"group": {token, 0o640, "others may read"},
		"short": {"secret", 0o600, "shorter than"},
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(file, []byte(one.text), 0o600), os.Chmod(file, one.mode)); err != nil {
			t.Fatal(err)
		}
		got, err := ReadToken(file)
		if one.want == "" && (err != nil || got != token) || one.want != "" && (err == nil || !strings.Contains(err.Error(), one.want)) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := ReadToken(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Errorf("no file: %v", err)
	}
}

// Requests under way are answered before the server ends.
func TestAnEndWaitsForAnswers(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	asked, proceed := make(chan struct{}), make(chan struct{})
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-proceed
		_, _ = io.WriteString(w, "answered")
	})}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := Serve(ctx, srv, l); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		r, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Body.Close()
		if raw, err := io.ReadAll(r.Body); err != nil || string(raw) != "answered" {
			t.Errorf("%q, %v", raw, err)
		}
	})
	<-asked
	stop()
	close(proceed)
	running.Wait()
}

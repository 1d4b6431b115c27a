package config

import (
	"errors"
	"fmt"
	"net"
	neturl "net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// Keys whose values point out of the vault: folders, addresses, names of
// environment variables.

// folder is a path inside the vault, written with slashes.
func folder(name string, field *string) key {
	return single(name, func() any { return *field }, func(word string) error {
		clean := filepath.ToSlash(filepath.Clean(filepath.FromSlash(word)))
		if !filepath.IsLocal(filepath.FromSlash(clean)) {
			return fmt.Errorf("%q is not a folder inside the vault", word)
		}
		*field = clean
		return nil
	})
}

func url(name string, field *string) key {
	return single(name, func() any { return *field }, func(word string) error {
		if word == "" {
			*field = ""
			return nil
		}
		u, err := neturl.Parse(word)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("%q is not an http or https address", word)
		}
		if u.User != nil {
			return errors.New("an address must not carry a user name or password; name an environment variable in api_key_env")
		}
		*field = strings.TrimRight(word, "/")
		return nil
	})
}

var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// variable is the name of an environment variable. A value that is no such name
// may be the secret itself, so it is never repeated.
func variable(name string, field *string) key {
	return single(name, func() any { return *field }, func(word string) error {
		if word != "" && !variableName.MatchString(word) {
			return errors.New("the value must be the name of an environment variable, such as OPENAI_API_KEY, never the secret itself")
		}
		*field = word
		return nil
	})
}

func address(name string, field *string) key {
	return single(name, func() any { return *field }, func(word string) error {
		_, port, err := net.SplitHostPort(word)
		if err != nil {
			return fmt.Errorf("%q is not host:port", word)
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return fmt.Errorf("%q is not host:port", word)
		}
		*field = word
		return nil
	})
}

// onLoopback reports whether addr is reached from this machine alone.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

package door

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// minToken is the shortest token that is worth guessing against: 16 random bytes
// in base64.
const minToken = 22

// ReadToken reads a token from a file, which only its owner may read.
func ReadToken(name string) (string, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the token file %s is not there", name)
	}
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others may read the token file %s: chmod 600 it", name)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(raw))
	if len(token) < minToken {
		return "", fmt.Errorf("the token in %s is shorter than %d characters", name, minToken)
	}
	return token, nil
}

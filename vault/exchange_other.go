//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// exchange is not to be had here; Write falls back to a plain rename.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }

// ignoreUnsupported drops the error of syncing a folder, which this system
// does not offer.
func ignoreUnsupported(error) error { return nil }

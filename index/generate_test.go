package index

import (
	"maps"

	"github.com/memsync/memsync/index/notegen"
)

// generate makes a vault of n notes with about so many bytes.
func generate(n, bytes int) *tree {
	return newTree(maps.Collect(notegen.Vault(n, bytes)))
}

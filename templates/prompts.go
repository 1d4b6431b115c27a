package templates

import "embed"

// Prompts are the prompts for language models, prompts/NAME.md: a name and a
// version in the front matter, then the templates "system" and "user".
//
//go:embed prompts/*.md
var Prompts embed.FS

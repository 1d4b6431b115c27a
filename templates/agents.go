// Package templates holds the texts that memsync puts into files and prompts. It
// embeds them and does nothing else.
package templates

import _ "embed"

// AgentInstructions tell an assistant to use the memory's tools. They are for
// hosts that run nothing at the start of a session.
//
//go:embed agents/instructions.md
var AgentInstructions string

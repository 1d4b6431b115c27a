// Package httpapi answers over HTTP, on this machine.
//
// It is a thin face of package answer: a request is checked, asked, and the reply
// written as the command line's --json would be. What it adds is the door:
//
//   - Loopback only, unless a token is set. A page in a browser can send requests
//     to loopback, also under a name of its own that resolves to it; so the Host
//     must be ours, and an Origin, which browsers send, must be too.
//   - A token is needed for everything beyond loopback, and for writes anywhere.
//   - Bodies, headers, connections, time and rate are bounded (see the constants
//     in server.go), and what goes beyond is turned away with a sentence.
//
// Nothing outside the vault can be named: an id is looked up in the index and is
// never a path. What leaves was redacted by package answer.
//
// The API is described by the document at /openapi.json, which is made of the very
// types that the handlers read and write.
package httpapi

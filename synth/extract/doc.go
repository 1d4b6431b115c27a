// Package extract finds what is worth remembering in a conversation by rules,
// without a model.
//
// It never writes a sentence of its own. A Statement is a clause that the person
// said, with its verbatim quote; what is shown of it leaves words out ("I've
// decided to ship" becomes "Decided to ship") and adds none. So nothing can be
// invented, and what the rules do not understand they pass over.
//
// The rules look for the shapes in which people say lasting things: who they
// are, what they decided, prefer, must, want, plan and did. They are English
// first; other languages get key phrases and questions.
package extract

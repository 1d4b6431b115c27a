package whatsapp

import (
	"path"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// prefixes are what WhatsApp puts before the chat's name in the name of the
// file. Languages that are not listed are told by the sender whose name ends
// the file's name.
var prefixes = lazyregexp.New(`(?i)^(?:` + strings.Join([]string{
	`WhatsApp Chat with `, `WhatsApp Chat - `, `WhatsApp[ -]Chat mit `, `Chat de WhatsApp con `, `Chat WhatsApp con `, `Chat di WhatsApp con `,
	`Discussion WhatsApp avec `, `Conversa do WhatsApp com `, `WhatsApp-chat met `, `WhatsApp-gesprek met `, `Чат WhatsApp с контактом `, `Чат WhatsApp с `,
	`Konverzace WhatsApp s `, `Czat WhatsApp z `, `Chat na WhatsApp z `, `WhatsApp Sohbeti - `, `WhatsApp 대화 - `, `WhatsApp 聊天 - `, `WhatsApp聊天 - `,
	`WhatsAppのトーク履歴 - `, `WhatsApp Chat dengan `, `WhatsApp-chatt med `, `WhatsApp-chat med `, `Xat de WhatsApp amb `, `محادثة واتساب مع `, "\u200fمحادثة WhatsApp مع ",
	`WhatsApp - `,
}, "|") + `)`)

// copies is what a file manager appends to a second download.
var copies = lazyregexp.New(`\s*\(\d+\)$`)

// Title returns the chat's name from the name of an exported file: "Anna" for
// "WhatsApp Chat with Anna.txt" and "WhatsApp Chat - Anna.zip/_chat.txt". It
// is empty where the name says nothing.
func Title(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	base := stem(path.Base(name))
	if base == "_chat" || base == "chat" {
		dir := path.Dir(name)
		if dir == "." || dir == "/" {
			return ""
		}
		base = stem(path.Base(dir))
	}
	base = copies.ReplaceAllString(stripMarks(base), "")
	if loc := prefixes.FindStringIndex(base); loc != nil {
		return strings.TrimSpace(base[loc[1]:])
	}
	if base == "_chat" || strings.EqualFold(base, "whatsapp chat") {
		return ""
	}
	return base
}

func stem(base string) string {
	for _, ext := range []string{".txt", ".zip"} {
		if n := len(base) - len(ext); n > 0 && strings.EqualFold(base[n:], ext) {
			return base[:n]
		}
	}
	return base
}

// bySender shortens a title in a language that prefixes does not know to the
// sender that ends it.
func (p *plan) bySender(title string) string {
	if !strings.Contains(strings.ToLower(title), "whatsapp") {
		return title
	}
	best := ""
	for _, r := range p.shapes {
		if !r.accepted {
			continue
		}
		for name := range r.names.seen {
			if len(name) > len(best) && strings.HasSuffix(title, name) && len(name) < len(title) {
				best = name
			}
		}
	}
	if best != "" {
		return best
	}
	return title
}

package vault

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// A BlockKind is what a block of markdown is.
type BlockKind int

// The kinds of block that reading, chunking and ledgers tell apart.
const (
	Paragraph BlockKind = iota
	Heading
	ListBlock
	Code
	Quote
	Table
	HTML
	Rule
)

// A Block is one top-level block of a markdown body.
type Block struct {
	Kind BlockKind
	// Level is a heading's, 1 to 6.
	Level int
	// Text is a heading's, without marks.
	Text string
	// Span is in bytes of the body, whole lines. The blocks of a body follow
	// each other without a gap: blank lines belong to the block before them.
	Span Span
	// Items are a list's top-level items, whole lines.
	Items []Span
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Strikethrough))

// Blocks are the top-level blocks of a markdown body, which together cover it.
func Blocks(body []byte) []Block {
	doc := markdown.Parser().Parse(text.NewReader(body))
	var blocks []Block
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		b := Block{Span: Span{lineStart(body, firstByte(n)), len(body)}}
		switch n := n.(type) {
		case *ast.Heading:
			b.Kind, b.Level, b.Text = Heading, n.Level, plainText(n, body)
		case *ast.List:
			b.Kind = ListBlock
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				b.Items = append(b.Items, Span{lineStart(body, firstByte(item)), len(body)})
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			b.Kind = Code
		case *ast.Blockquote:
			b.Kind = Quote
		case *ast.HTMLBlock:
			b.Kind = HTML
		case *ast.ThematicBreak:
			b.Kind = Rule
		default:
			if n.Kind().String() == "Table" {
				b.Kind = Table
			}
		}
		blocks = append(blocks, b)
	}
	return closeSpans(blocks, len(body))
}

// closeSpans ends each block and item where the next begins.
func closeSpans(blocks []Block, end int) []Block {
	// Link reference definitions leave no node: what stands before the first
	// block belongs to it.
	for i := range blocks {
		b := &blocks[i]
		if i == 0 {
			b.Span.Start = 0
		} else {
			b.Span.Start = max(b.Span.Start, blocks[i-1].Span.Start)
		}
		b.Span.End = end
		if i+1 < len(blocks) {
			b.Span.End = max(blocks[i+1].Span.Start, b.Span.Start)
		}
		for j := range b.Items {
			b.Items[j].End = b.Span.End
			if j+1 < len(b.Items) {
				b.Items[j].End = b.Items[j+1].Start
			}
		}
	}
	return blocks
}

// firstByte is an offset on the first line of a block.
func firstByte(n ast.Node) int {
	first := -1
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		at := n.Pos()
		if f, ok := n.(*ast.FencedCodeBlock); ok && f.Info != nil {
			at = f.Info.Segment.Start
		}
		if at < 0 && n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			at = n.Lines().At(0).Start
		}
		if at >= 0 {
			first = at
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return max(first, 0)
}

func lineStart(b []byte, pos int) int {
	return bytes.LastIndexByte(b[:min(pos, len(b))], '\n') + 1
}

func plainText(n ast.Node, src []byte) string {
	var b bytes.Buffer
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(src))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// codeSpans are the parts of a body that are code, in order: fenced and indented
// blocks, and spans between backticks.
func codeSpans(body []byte) []Span {
	if !bytes.ContainsAny(body, "`~\t") && !bytes.Contains(body, []byte("    ")) {
		return nil
	}
	doc := markdown.Parser().Parse(text.NewReader(body))
	var spans []Span
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if l := n.Lines(); l.Len() > 0 {
				spans = append(spans, Span{l.At(0).Start, l.At(l.Len() - 1).Stop})
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					spans = append(spans, Span{t.Segment.Start, t.Segment.Stop})
				}
			}
		}
		return ast.WalkContinue, nil
	})
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	return spans
}

// selfContained reports whether what follows raw text and a blank line is a
// block of its own: no code fence, HTML block or Obsidian comment stays open.
func selfContained(raw string) bool {
	if strings.Count(raw, "%%")%2 == 1 || strings.Count(raw, "$$")%2 == 1 {
		return false
	}
	if !opensBlock(raw) {
		return true
	}
	if len(raw) > maxContained {
		return false
	}
	const after = "sentinel"
	src := []byte(raw + "\n\n" + after + "\n")
	last := markdown.Parser().Parse(text.NewReader(src)).LastChild()
	p, ok := last.(*ast.Paragraph)
	return ok && p.Lines().Len() == 1 && p.Lines().At(0).Start == len(src)-len(after)-1
}

// maxContained bounds the text that is parsed to see whether it closes what it
// opens; longer text that opens something is fenced without a look.
const maxContained = 256 << 10

// opensBlock is a cheap test that holds for every text that could stay open.
func opensBlock(raw string) bool {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '`', '~':
			if i+2 < len(raw) && raw[i+1] == raw[i] && raw[i+2] == raw[i] {
				return true
			}
		case '<':
			return true
		}
	}
	return false
}

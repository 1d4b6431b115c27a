package whatsapp

import (
	"testing"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/importertest"
	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
)

func BenchmarkRead(b *testing.B) {
	for _, d := range []chatgen.Dialect{chatgen.Dialects[2], chatgen.Dialects[1], chatgen.Dialects[21]} {
		b.Run(d.Name, func(b *testing.B) {
			data := render(b, d, chatgen.Chat(1, 50_000))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				err := Format{}.Read(b.Context(), importertest.Input("chat.txt", data), func(importer.Conversation) error { return nil }, func(importer.Warning) {})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

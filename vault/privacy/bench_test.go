package privacy

import (
	"strings"
	"testing"
)

// Plain prose: what most of a vault is.
const prose = `We walked along the harbour until the rain started, and then sat in the small cafe by the ferry.
Jonas talked about the house: the roof is done, the kitchen comes in March, and the children want a dog.
I said I would rather write in the mornings, before the others are up; he laughed and said that I always say so.
`

const hindi = `हम बारिश शुरू होने तक बंदरगाह के किनारे टहलते रहे और फिर छोटी सी चाय की दुकान में बैठ गए।
जोनास ने घर के बारे में बताया, छत पूरी हो गई है और रसोई मार्च में आएगी।
`

// Chat with the numbers and the words that chats have.
const chat = `[12/05/2024, 10:31] Ana: did you see the code review? PR 4521 has 1200 lines
[12/05/2024, 10:32] Jonas: yes, the login page is broken since 2023, call me on 98200
[12/05/2024, 10:33] Ana: the order number is 482913, tracking says tomorrow at 1045
`

func BenchmarkFind(b *testing.B) {
	d := New(Config{})
	for name, text := range map[string]string{
		"prose": strings.Repeat(prose, 300),
		"hindi": strings.Repeat(hindi, 300),
		"chat":  strings.Repeat(chat, 300),
		"short": "see you at the station, I bring the tickets",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				d.Find(text)
			}
		})
	}
}

func BenchmarkNewLexicon(b *testing.B) {
	for b.Loop() {
		newLexicon()
	}
}

package chunk

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// Prose in several scripts, a list, code and a chat.
var samples = map[string]string{
	"english":    "We walked down to the harbour after breakfast, and she told me that the new job in Gothenburg would start in September. I am not sure whether we can keep the flat; the rent went up twice this year.",
	"chat":       "lol yeah :) see u at 8pm?? bring the charger pls, mine's dead again... and don't forget Tom's birthday on the 14th!!",
	"swedish":    "Vi åkte till sommarstugan i lördags och målade hela verandan. Det regnade på eftermiddagen, så vi spelade kort och drack kaffe.",
	"german":     "Gestern haben wir uns entschieden, die Waschmaschine nicht mehr reparieren zu lassen, weil die Ersatzteile inzwischen teurer sind als ein neues Gerät.",
	"russian":    "Вчера мы решили не чинить стиральную машину, потому что запасные части теперь стоят дороже, чем новая. Поедем за ней в субботу утром.",
	"greek":      "Χθες αποφασίσαμε να μην επισκευάσουμε το πλυντήριο, γιατί τα ανταλλακτικά κοστίζουν περισσότερο από ένα καινούργιο.",
	"arabic":     "قررنا أمس ألا نصلح الغسالة لأن قطع الغيار أصبحت أغلى من غسالة جديدة، وسنذهب لشرائها صباح السبت.",
	"hindi":      "कल हमने तय किया कि वॉशिंग मशीन की मरम्मत नहीं कराएँगे, क्योंकि पुर्जे अब नई मशीन से महँगे हैं।",
	"chinese":    "昨天我们决定不再修理洗衣机了，因为零件现在比新的还贵。星期六早上我们去买一台新的。",
	"japanese":   "昨日、洗濯機の修理をやめることにしました。部品が新品より高くなったからです。土曜日の朝に買いに行きます。",
	"korean":     "어제 우리는 세탁기를 더 이상 수리하지 않기로 했습니다. 부품이 이제 새것보다 비싸기 때문입니다.",
	"code":       "func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {\n\tif len(texts) == 0 {\n\t\treturn nil, nil\n\t}\n\treturn c.send(ctx, texts)\n}\n",
	"list":       "- [ ] call the dentist (0171 555 2234)\n- [x] pay the rent: 1,240.50 EUR\n- buy milk, eggs, 2 kg flour\n\n## Later\n\n1. passport\n2. taxes 2024\n",
	"thai":       "เมื่อวานเราตัดสินใจไม่ซ่อมเครื่องซักผ้าแล้ว เพราะอะไหล่ตอนนี้แพงกว่าเครื่องใหม่",
	"vietnamese": "Hôm qua chúng tôi quyết định không sửa máy giặt nữa vì phụ tùng bây giờ đắt hơn máy mới.",
}

// The estimate may size chunks only if it stays near what a model counts.
func TestTokensAgainstO200k(t *testing.T) {
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range samples {
		ids, _, err := enc.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		got, want := Tokens(text), len(ids)
		t.Logf("%-10s estimate %3d, o200k %3d, %+.0f %%", name, got, want, 100*(float64(got)/float64(want)-1))
		if r := float64(got) / float64(want); r < 0.7 || r > 1.3 {
			t.Errorf("%s: estimate %d, o200k counts %d", name, got, want)
		}
	}
}

func TestTokensAddUp(t *testing.T) {
	for name, text := range samples {
		whole, parts := Tokens(text), 0
		for line := range strings.SplitAfterSeq(text, ". ") {
			parts += Tokens(line)
		}
		if parts < whole || parts > whole+whole/8+2 {
			t.Errorf("%s: %d in one, %d in sentences", name, whole, parts)
		}
	}
}

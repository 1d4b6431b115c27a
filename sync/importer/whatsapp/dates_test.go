package whatsapp

import (
	"strings"
	"testing"
)

func TestOrderOfDates(t *testing.T) {
	for _, tt := range []struct {
		name  string
		dates []string // date and time
		want  string   // the first
		sure  bool
	}{
		{"a day above 12", []string{"03/04/2022, 10:00", "13/04/2022, 10:00"}, "2022-04-03", true},
		{"a month in the middle above 12", []string{"03/04/2022, 10:00", "03/14/2022, 10:00"}, "2022-03-04", true},
		{"time runs on by days", []string{"01/03/2022, 10:00", "02/03/2022, 10:00", "03/03/2022, 10:00", "01/04/2022, 10:00", "02/04/2022, 10:00"}, "2022-03-01", true},
		{"time runs on by months", []string{"03/01/2022, 10:00", "03/02/2022, 10:00", "03/03/2022, 10:00", "04/01/2022, 10:00", "04/02/2022, 10:00"}, "2022-03-01", true},
		{"year first", []string{"22.03.11, 10:00", "22.03.12, 10:00", "22.03.13, 10:00", "22.04.01, 10:00", "22.04.09, 10:00"}, "2022-03-11", true},
		{"nothing tells", []string{"03/04/2022, 10:00", "03/04/2022, 10:01"}, "2022-04-03", false},
		{"nothing tells, American form", []string{"3/4/22, 10:00 AM", "3/4/22, 10:01 AM"}, "2022-03-04", false},
		{"nothing tells, Korean words", []string{"20. 3. 4. 오전 10:00", "20. 3. 4. 오전 10:01"}, "2020-03-04", false},
		{"Buddhist", []string{"18/3/2565 10:00", "19/3/2565 10:00"}, "2022-03-18", true},
		{"Buddhist, two digits", []string{"18/3/65 10:00", "19/3/65 10:00"}, "2022-03-18", true},
		{"Reiwa in words", []string{"令和4年3月18日 10:00", "令和4年3月19日 10:00"}, "2022-03-18", true},
		{"first year of an era", []string{"令和元年10月18日 10:00", "令和2年3月19日 10:00"}, "2019-10-18", true},
		{"Reiwa by letter", []string{"R4/3/18 10:00", "R4/3/19 10:00"}, "2022-03-18", true},
		{"Minguo", []string{"民國111年3月18日 10:00", "民國111年3月19日 10:00"}, "2022-03-18", true},
		{"Korean signs", []string{"2022년 3월 18일 10:00", "2022년 3월 19일 10:00"}, "2022-03-18", true},
		{"no year", []string{"18/03, 10:00", "19/03, 10:00"}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, d := range tt.dates {
				lines = append(lines, d+" - Anna: hi")
			}
			c := Parse("", chat(lines...))
			if len(c.Messages) != len(lines) {
				t.Fatalf("%d messages, want %d: %v", len(c.Messages), len(lines), c.Doubts)
			}
			if got, _, _ := strings.Cut(c.Messages[0].Time.String(), " "); got != tt.want {
				t.Errorf("the first day is %s, want %s", got, tt.want)
			}
			if sure := len(c.Doubts) == 0; sure != tt.sure {
				t.Errorf("doubts are %v", c.Doubts)
			}
		})
	}
}

// The name that WhatsApp gave to a picture tells the month.
func TestOrderByAttachmentName(t *testing.T) {
	c := Parse("", chat("03/04/2022, 10:00 - Anna: hi", "03/04/2022, 10:01 - Anna: IMG-20220304-WA0001.jpg (file attached)"))
	if got := c.Messages[0].Time.String(); got != "2022-03-04 10:00" || len(c.Doubts) > 0 {
		t.Errorf("time is %s, doubts %v", got, c.Doubts)
	}
}

func TestDayPeriods(t *testing.T) {
	for _, tt := range []struct {
		name  string
		times []string
		want  []string
		sure  bool
	}{
		{"english", []string{"12:05 AM", "11:59 AM", "12:00 PM", "11:59 PM"}, []string{"00:05", "11:59", "12:00", "23:59"}, true},
		{"counted from 0", []string{"0:05 a. m.", "0:08 p. m."}, []string{"00:05", "12:08"}, true},
		{"chinese parts of the day", []string{"凌晨1:05", "早上7:00", "上午11:00", "中午12:10", "下午3:00", "晚上11:00"}, []string{"01:05", "07:00", "11:00", "12:10", "15:00", "23:00"}, true},
		{"hindi parts of the day", []string{"आधी रात 12:10", "सुबह 7:00", "दोपहर 1:00", "शाम 6:00", "रात 10:00"}, []string{"00:10", "07:00", "13:00", "18:00", "22:00"}, true},
		{"spanish words", []string{"7:00 de la mañana", "3:00 de la tarde"}, []string{"07:00", "15:00"}, true},
		{"hebrew", []string{"7:00 לפנה״צ", "3:00 אחה״צ"}, []string{"07:00", "15:00"}, true},
		{"unknown, told by the day's course", []string{"8:00 vur", "11:30 vur", "1:00 nem", "9:00 nem"}, []string{"08:00", "11:30", "13:00", "21:00"}, true},
		{"unknown, one word only", []string{"8:00 vur", "9:30 vur"}, []string{"08:00", "09:30"}, false},
		{"a word that says nothing", []string{"8:00 Uhr", "13:30 Uhr"}, []string{"08:00", "13:30"}, true},
		{"an unknown word with hours above 12", []string{"8:00 blb", "13:30 blb"}, []string{"08:00", "13:30"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, s := range tt.times {
				lines = append(lines, "23/04/2022, "+s+" - Anna: hi")
			}
			c := Parse("", chat(lines...))
			var got []string
			for _, m := range c.Messages {
				got = append(got, m.Time.Time.Format("15:04"))
			}
			if strings.Join(got, " ") != strings.Join(tt.want, " ") {
				t.Errorf("times are %v, want %v", got, tt.want)
			}
			if sure := len(c.Doubts) == 0; sure != tt.sure {
				t.Errorf("doubts are %v", c.Doubts)
			}
		})
	}
}

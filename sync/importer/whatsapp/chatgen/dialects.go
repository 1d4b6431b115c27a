package chatgen

import "fmt"

const (
	nnbsp = "\u202f"
	rlm   = "\u200f"
)

// Dialects are forms that phones are known to write, by language.
var Dialects = []Dialect{
	{Name: "en-US android", Order: "mdy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", AM: "AM", PM: "PM", Gap: nnbsp,
		Omitted: "Media omitted", Gone: "This message was deleted", Changed: "This message was edited", Notice: "Messages and calls are end-to-end encrypted. No one outside of this chat can read or listen to them."},
	{Name: "en-US ios", Bracket: true, Order: "mdy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", Seconds: true, AM: "AM", PM: "PM", Gap: nnbsp,
		Omitted: "image omitted", Gone: "This message was deleted.", Changed: "This message was edited", Notice: "Messages and calls are end-to-end encrypted. No one outside of this chat can read or listen to them.", CRLF: true},
	{Name: "en-GB android", Order: "dmy", Sep: "/", Year: 4, Pad: true, PadHour: true, Comma: ", ", Clock: ":",
		Omitted: "Media omitted", Gone: "You deleted this message", Changed: "This message was edited", Notice: "Anna created group “Trip: Goa”"},
	{Name: "en-IN android", Order: "dmy", Sep: "/", Year: 2, Pad: true, Comma: ", ", Clock: ":", AM: "am", PM: "pm", Gap: " ",
		Omitted: "Media omitted", Gone: "This message was deleted", Changed: "This message was edited", Notice: "Anna added you"},
	{Name: "de ios", Bracket: true, Order: "dmy", Sep: ".", Year: 2, Pad: true, PadHour: true, Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "Bild weggelassen", Gone: "Diese Nachricht wurde gelöscht.", Changed: "Diese Nachricht wurde bearbeitet", Notice: "Anna hat die Gruppe erstellt", CRLF: true},
	{Name: "de android old", Order: "dmy", Sep: ".", Year: 2, Pad: true, PadHour: true, Comma: ", ", Clock: ":",
		Omitted: "Medien ausgeschlossen", Gone: "Du hast diese Nachricht gelöscht.", Changed: "Diese Nachricht wurde bearbeitet", Notice: "Anna hat die Gruppe erstellt"},
	{Name: "de uhr", Order: "dmy", Sep: ".", Year: 4, Pad: true, PadHour: true, Comma: " um ", Clock: ":", Gap: " ", AM: "", PM: "",
		Omitted: "Medien ausgeschlossen", Gone: "Diese Nachricht wurde gelöscht.", Changed: "bearbeitet", Notice: "Anna hat die Gruppe erstellt"},
	{Name: "es android", Order: "dmy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", AM: "a.\u00a0m.", PM: "p.\u00a0m.", Gap: nnbsp,
		Omitted: "Multimedia omitido", Gone: "Se eliminó este mensaje.", Changed: "Se editó este mensaje.", Notice: "Creaste este grupo"},
	{Name: "fr-CA ios", Bracket: true, Order: "ymd", Sep: "-", Year: 4, Pad: true, PadHour: true, Comma: ", ", Clock: " h ",
		Omitted: "image absente", Gone: "Ce message a été supprimé.", Changed: "Ce message a été modifié", Notice: "Anna a créé le groupe"},
	{Name: "fi android", Order: "dmy", Sep: ".", Year: 4, Comma: " klo ", Clock: ".", PadHour: true,
		Omitted: "Media jätettiin pois", Gone: "Tämä viesti poistettiin", Changed: "Viestiä muokattiin", Notice: "Anna loi ryhmän"},
	{Name: "hu android", Order: "ymd", Sep: ". ", End: ".", Year: 4, Pad: true, Comma: " ", Clock: ":",
		Omitted: "Média kihagyva", Gone: "Ezt az üzenetet törölték", Changed: "Szerkesztett üzenet", Notice: "Anna létrehozta a csoportot"},
	{Name: "bg android", Order: "dmy", Sep: ".", End: " г.", Year: 4, Pad: true, Comma: ", ", Clock: ":",
		Omitted: "Изпуснат файл", Gone: "Това съобщение бе изтрито", Changed: "Това съобщение бе редактирано", Notice: "Анна създаде групата"},
	{Name: "ru ios", Bracket: true, Order: "dmy", Sep: ".", Year: 4, Pad: true, PadHour: true, Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "изображение отсутствует", Gone: "Данное сообщение удалено.", Changed: "Сообщение изменено", Notice: "Анна создала группу", CRLF: true},
	{Name: "tr android", Order: "dmy", Sep: ".", Year: 4, Pad: true, PadHour: true, Comma: " ", Clock: ":",
		Omitted: "Medya dahil edilmedi", Gone: "Bu mesaj silindi", Changed: "Bu mesaj düzenlendi", Notice: "Anna grubu oluşturdu"},
	{Name: "ko android", Order: "ymd", Sep: ". ", End: ".", Year: 4, Comma: " ", Clock: ":", AM: "오전", PM: "오후", Gap: " ", Before: true,
		Omitted: "미디어 생략됨", Gone: "삭제된 메시지입니다", Changed: "메시지가 편집됨", Notice: "안나님이 그룹을 만들었습니다"},
	{Name: "zh android", Order: "ymd", Sep: "/", Year: 4, Comma: " ", Clock: ":", AM: "上午", PM: "下午", Before: true,
		Omitted: "省略多媒体文件", Gone: "此消息已删除", Changed: "此消息已编辑", Notice: "安娜创建了群组“旅行: 果阿”"},
	{Name: "ja ios reiwa", Bracket: true, Order: "ymd", Sep: "/", Year: 4, Calendar: "reiwa", Comma: " ", Clock: ":", Seconds: true, Pad: true,
		Omitted: "画像は含まれていません", Gone: "このメッセージは削除されました。", Changed: "このメッセージは編集されました", Notice: "グループを作成しました"},
	{Name: "en-JP ios reiwa last", Bracket: true, Order: "mdy", Sep: "/", Year: 4, Calendar: "reiwa", Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "image omitted", Gone: "This message was deleted.", Changed: "This message was edited", Notice: "You created this group"},
	{Name: "th android", Order: "dmy", Sep: "/", Year: 4, Calendar: "buddhist", Comma: " ", Clock: ":", Zero: '๐',
		Omitted: "ไม่รวมสื่อ", Gone: "ข้อความนี้ถูกลบแล้ว", Changed: "ข้อความนี้ถูกแก้ไข", Notice: "แอนนาสร้างกลุ่ม"},
	{Name: "th ios two digits", Bracket: true, Order: "dmy", Sep: "/", Year: 2, Calendar: "buddhist", Comma: " ", Clock: ":", Seconds: true,
		Omitted: "ไม่รวมรูปภาพ", Gone: "ข้อความนี้ถูกลบแล้ว", Changed: "ข้อความนี้ถูกแก้ไข", Notice: "แอนนาสร้างกลุ่ม"},
	{Name: "en BE ios", Bracket: true, Order: "mdy", Sep: "/", Year: 4, Calendar: "buddhist", End: " BE", Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "image omitted", Gone: "This message was deleted.", Changed: "This message was edited", Notice: "You created this group"},
	{Name: "ar ios", Bracket: true, Order: "dmy", Sep: "/", Mark: rlm, Year: 4, Comma: "، ", Clock: ":", Seconds: true, AM: "ص", PM: "م", Gap: "\u00a0", Zero: '٠',
		Omitted: "تم استبعاد الصورة", Gone: "تم حذف هذه الرسالة.", Changed: "تم تعديل هذه الرسالة", Notice: "أنشأت آنا هذه المجموعة"},
	{Name: "fa android", Order: "ymd", Sep: "/", Year: 4, Comma: "،\u200f ", Clock: ":", Zero: '۰',
		Omitted: "پیوست نما/آهنگ حذف شد", Gone: "این پیام حذف شد", Changed: "این پیام ویرایش شد", Notice: "آنا گروه را ایجاد کرد"},
	{Name: "he ios", Bracket: true, Order: "dmy", Sep: ".", Mark: rlm, Year: 4, Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "התמונה הושמטה", Gone: "הודעה זו נמחקה.", Changed: "ההודעה נערכה", Notice: "אנה יצרה את הקבוצה"},
	{Name: "hi android", Order: "dmy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", AM: "पूर्वाह्न", PM: "अपराह्न", Gap: " ", Zero: '०',
		Omitted: "मीडिया छोड़ा गया", Gone: "यह संदेश मिटाया गया", Changed: "यह संदेश संपादित किया गया", Notice: "अन्ना ने ग्रुप बनाया"},
	{Name: "mr ios", Bracket: true, Order: "dmy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", Seconds: true, AM: "म.पू.", PM: "म.उ.", Gap: " ", Zero: '०',
		Omitted: "चित्र वगळले", Gone: "हा संदेश हटवला", Changed: "हा संदेश संपादित केला", Notice: "गट तयार केला"},
	{Name: "bn android", Order: "dmy", Sep: "/", Year: 2, Comma: ", ", Clock: ":", AM: "AM", PM: "PM", Gap: " ", Zero: '০',
		Omitted: "মিডিয়া বাদ দেওয়া হয়েছে", Gone: "এই মেসেজ মুছে ফেলা হয়েছে", Changed: "এডিট করা হয়েছে", Notice: "গ্রুপ তৈরি করেছেন"},
	{Name: "vi ios time first", Bracket: true, Order: "dmy", Sep: "/", Year: 4, TimeFirst: true, PadHour: true, Pad: true, Comma: ", ", Clock: ":", Seconds: true,
		Omitted: "đã bỏ qua hình ảnh", Gone: "Tin nhắn này đã bị xóa.", Changed: "Tin nhắn đã chỉnh sửa", Notice: "Anna đã tạo nhóm"},
	{Name: "vi android time first", Order: "dmy", Sep: "/", Year: 4, TimeFirst: true, Comma: ", ", Clock: ":", AM: "SA", PM: "CH", Gap: " ",
		Omitted: "Bỏ qua tệp media", Gone: "Tin nhắn này đã bị xóa", Changed: "Đã chỉnh sửa", Notice: "Anna đã tạo nhóm"},
	{Name: "sq android words", Order: "dmy", Sep: ".", Year: 2, Comma: ", ", Clock: ":", AM: "e paradites", PM: "e pasdites", Gap: " ",
		Omitted: "Media e përjashtuar", Gone: "Ky mesazh u fshi", Changed: "Ky mesazh u redaktua", Notice: "Anna krijoi grupin"},
	{Name: "unknown language", Order: "dmy", Sep: "/", Year: 4, Comma: ", ", Clock: ":", AM: "zorblu", PM: "krendu", Gap: " ",
		Omitted: "Blorf snibed", Gone: "Va blorf ne snib", Changed: "Blorf snabed", Notice: "Anna snob blorf"},
	{Name: "unknown before", Order: "ymd", Sep: "-", Year: 4, Comma: ", ", Clock: ".", AM: "vura", PM: "nemi", Gap: " ", Before: true,
		Omitted: "Blorf snibed", Gone: "Va blorf ne snib", Changed: "Blorf snabed", Notice: "Anna snob blorf"},
	{Name: "utf-16", Order: "dmy", Sep: "/", Year: 4, Pad: true, Comma: ", ", Clock: ":", UTF16: true,
		Omitted: "Media omitted", Gone: "This message was deleted", Changed: "This message was edited", Notice: "You created this group"},
	{Name: "bom", Bracket: true, Order: "dmy", Sep: ".", Year: 2, Pad: true, Comma: ", ", Clock: ":", Seconds: true, BOM: true, CRLF: true,
		Omitted: "image omitted", Gone: "This message was deleted.", Changed: "This message was edited", Notice: "You created this group"},
}

// Grid is every combination of order, sign, year, form, clock and script that
// can be told apart at all.
func Grid() []Dialect {
	var out []Dialect
	for _, bracket := range []bool{false, true} {
		for _, order := range []string{"dmy", "mdy", "ymd"} {
			for _, sep := range []string{"/", ".", "-", ". "} {
				for _, year := range []int{2, 4} {
					for c, clock := range []Dialect{
						{}, {AM: "AM", PM: "PM", Gap: " "}, {AM: "a. m.", PM: "p. m.", Gap: nnbsp}, {AM: "上午", PM: "下午", Before: true}, {AM: "xa", PM: "xb", Gap: "\u00a0"},
					} {
						for _, zero := range []rune{0, '٠', '०', '๐', '၀'} {
							for _, comma := range []string{", ", " ", "، "} {
								d := clock
								d.Name = fmt.Sprintf("%v %s %q %d clock%d %q %q", bracket, order, sep, year, c, string(zero), comma)
								d.Bracket, d.Seconds = bracket, bracket
								d.Order, d.Sep, d.Year, d.Comma, d.Clock, d.Zero = order, sep, year, comma, ":", zero
								d.Omitted, d.Gone, d.Changed, d.Notice = "Media omitted", "This message was deleted", "This message was edited", "You created this group"
								out = append(out, d)
							}
						}
					}
				}
			}
		}
	}
	return out
}

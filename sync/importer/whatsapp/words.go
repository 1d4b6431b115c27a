package whatsapp

import (
	"slices"
	"strings"
)

// The lists here only name what the form of a message has already shown to be
// written by the app, or say which of two kinds it is. A language that is not
// in them loses a flag, never a message.

var omittedStems = strings.Fields(`omit omesso ommess omess weggelassen ausgelassen ausgeschlossen weggelaten vynech omis omise ocultad absent exclu
	медиафайл отсутств пропущ pomini pominięt dahil yok 생략 省略 含まれ 略过 忽略 छोड़ा हटाया dihilang diabai diteri הושמט حذف استبعاد utela utelämn udelad utelat jätetty
	kihagy παραλ bỏ ไม่รวม বাদ izosta изоставен media medien medios mídia média médias`)

var editedStems = strings.Fields(`edited bearbeitet editad editó modifi изменено измен отредакт düzenlen 編集 编辑 編輯 편집 bewerkt edytowan upraven redigera redigeret redigert
	muokat szerkeszt επεξεργ संपादित תוקנ נערכ تعديل diedit editat chỉnh แก้ไข editado redigit сменен редагован`)

var attachedStems = strings.Fields(`attach angehängt angehangen adjunt joint allegat anexad anexo bijgevoegd přilož přidán załącz добавлен прикре eklendi ekli 첨부 添付 附件 附加
	संलग्न إرفاق مرفق צורף terlampir lampir đính bifog vedhæft vedlagt liitet csatol συνημ แนบ ataşat atașat прикач додан`)

// kindStems say what a line that the app wrote is about.
var kindStems = map[string][]string{
	flagDeleted: strings.Fields(`deleted gelöscht eliminad eliminó eliminaste supprim apagou apagada apagaste eliminat eliminato cancellat verwijderd smazal smazán odstran удал видал usun silin sildin
		삭제 削除 取り消 刪除 删除 撤回 हटा हटव मिटा মুছে ডিলিট કાઢી తొలగిం நீக்க fshi sletta ustun डिलीट حذف מחק נמחק dihapus padam xóa ลบ raderat raderade slettet poistet poisti törölt törölte διαγρ șters sters изтрит избриша obrisa`),
	flagCall: strings.Fields(`call anruf llamada appel chamada chiamata oproep hovor звон дзвін połącz aram 통화 전화 通話 通话 来电 कॉल مكالمة שיחה panggilan cuộc โทร samtal opkald anrop puhelu hívás κλήση apel обаждане`),
	flagLocation: strings.Fields(`location standort ubicación ubicacion localisation localização posizione locatie poloha местополож геолок lokaliz konum 위치 位置 स्थान लोकेशन الموقع מיקום lokasi vị ตำแหน่ง plats placering
		sijainti helyzet τοποθ locați локация`),
	flagContact:      strings.Fields(`contact kontakt contacto contato contatto visitenkarte vizitka контакт kişi 연락처 連絡先 联系人 聯絡人 संपर्क اتصال קשר kontak liên ผู้ติดต่อ yhteys névjegy επαφή`),
	flagViewOnce:     []string{"view once", "einmal", "una vez", "una sola", "vue unique", "visualização única", "eenmalig", "jednou", "jednoraz", "однократ", "один раз", "tek sefer", "한 번", "1回", "一次", "एक बार", "مرة واحدة", "לצפייה חד", "sekali lihat", "visa en gång", "vis én gang", "vis en gang", "kertakatsel", "egyszer"},
	flagDisappearing: []string{"disappear", "selbstlöschend", "verschwind", "temporal", "éphémère", "temporária", "effimer", "verdwijn", "mizejíc", "исчеза", "znika", "kaybol", "사라지는", "消える", "消失", "限时", "限時", "गायब", "المختفي", "נעלמ", "sementara", "biến mất", "försvinn", "forsvind", "forsvinn", "katoav", "eltűn", "εξαφαν", "dispar"},
	flagPinned:       []string{"pinned", "angeheftet", "angepinnt", "fijó", "fijaste", "épingl", "fixou", "fixado", "fissato", "vastgemaakt", "vastgezet", "připn", "закреп", "przypię", "sabitle", "고정", "ピン留め", "固定", "置顶", "置頂", "釘選", "पिन", "تثبيت", "הוצמד", "menyematkan", "disemat", "ghim", "ปักหมุด", "fäst", "fastgj", "festet", "kiinnit", "rögzít", "καρφίτσ"},
}

// exactLines are lines that Android writes without any sign of the app, so that
// only the whole line is taken.
var exactLines = func() map[string]string {
	kinds := map[string]string{}
	for kind, lines := range map[string]string{
		flagDeleted: `this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|
			se eliminó este mensaje|este mensaje fue eliminado|eliminaste este mensaje|ce message a été supprimé|vous avez supprimé ce message|
			mensagem apagada|essa mensagem foi apagada|esta mensagem foi apagada|você apagou esta mensagem|você apagou essa mensagem|
			questo messaggio è stato eliminato|hai eliminato questo messaggio|dit bericht is verwijderd|u hebt dit bericht verwijderd|je hebt dit bericht verwijderd|
			tato zpráva byla odstraněna|tato zpráva byla smazána|tuto zprávu jste odstranil/a|tuto zprávu jste smazal/a|
			данное сообщение удалено|вы удалили данное сообщение|сообщение удалено|ta wiadomość została usunięta|wiadomość została usunięta|ta wiadomość została usunięta przez ciebie|usunięto tę wiadomość|
			bu mesaj silindi|bu mesajı sildiniz|삭제된 메시지입니다|내가 삭제한 메시지입니다|このメッセージは削除されました|このメッセージを削除しました|
			此消息已删除|您删除了此消息|你删除了这条消息|此訊息已刪除|您已刪除此訊息|यह संदेश मिटाया गया|आपने यह संदेश मिटाया|यह मैसेज डिलीट किया गया|आपने यह मैसेज डिलीट किया|
			تم حذف هذه الرسالة|لقد حذفت هذه الرسالة|הודעה זו נמחקה|מחקת הודעה זו|pesan ini telah dihapus|anda menghapus pesan ini|tin nhắn này đã bị xóa|bạn đã xóa tin nhắn này|
			ข้อความนี้ถูกลบแล้ว|คุณลบข้อความนี้|meddelandet har raderats|du raderade meddelandet|denne besked blev slettet|denne meldingen ble slettet|tämä viesti poistettiin|
			ezt az üzenetet törölték|това съобщение бе изтрито|вие изтрихте това съобщение|این پیام حذف شد|شما این پیام را حذف کردید|ky mesazh u fshi|এই মেসেজ মুছে ফেলা হয়েছে|हा संदेश हटवला|αυτό το μήνυμα διαγράφηκε|acest mesaj a fost șters|це повідомлення видалено|ви видалили це повідомлення`,
		flagCall: `missed voice call|missed video call|missed group voice call|missed group video call|verpasster sprachanruf|verpasster videoanruf|llamada perdida|videollamada perdida|
			llamada de voz perdida|appel vocal manqué|appel vidéo manqué|chamada de voz perdida|chamada de vídeo perdida|ligação de voz perdida|chiamata persa|chiamata vocale persa|videochiamata persa|
			gemiste spraakoproep|gemiste video-oproep|gemiste videogesprek|zmeškaný hovor|zmeškaný hlasový hovor|zmeškaný videohovor|пропущенный аудиозвонок|пропущенный видеозвонок|
			nieodebrane połączenie głosowe|nieodebrane połączenie wideo|cevapsız sesli arama|cevapsız görüntülü arama|부재중 음성통화|부재중 영상통화|不在着信|未接语音通话|未接视频通话|未接語音通話|
			मिस्ड वॉइस कॉल|मिस्ड वीडियो कॉल|مكالمة صوتية فائتة|مكالمة فيديو فائتة|שיחה קולית שלא נענתה|panggilan suara tak terjawab|panggilan video tak terjawab|cuộc gọi thoại nhỡ|missat röstsamtal|ubesvaret opkald`,
	} {
		for l := range strings.SplitSeq(lines, "|") {
			kinds[strings.TrimSpace(l)] = kind
		}
	}
	return kinds
}()

// exact flags a line that is known as a whole.
func (m *mark) exact(plain string) bool {
	kind, ok := exactLines[strings.TrimRight(strings.ToLower(plain), ".。 ")]
	if ok {
		m.flag(kind)
	}
	return ok
}

// hint flags the first of the kinds that the words of a line that the app
// wrote speak of.
func (m *mark) hint(line string, kinds ...string) bool {
	line = strings.ToLower(line)
	for _, k := range kinds {
		if has(line, kindStems[k]) {
			m.flag(k)
			return true
		}
	}
	return false
}

func has(s string, stems []string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(s, stem) })
}

package sync

import "strings"

// small are the little words that a language's texts are full of, whatever they
// are about, by BCP 47 tag. They tell a language within five words, where
// statistics of letters need a paragraph, and they tell two languages in one
// sentence. A word that several of these languages have counts for none of them.
//
// Hindi in Latin letters is here because phones type it so and no statistics know
// it; its words are written in the spellings that are common, and those that are
// ordinary words elsewhere (main, to, is) are left out.
var small = map[string]string{
	"en":      "the of and to is that it for with you this have are be not they from at which your can there would their how my we our i but just should could when his her been has had did were them then about because who he she its if or than some don't i'm it's i've that's what's let's did do does going was will what so am me",
	"de":      "der die das und ist nicht ich du wir ihr sie ein eine einen einem einer mit auf für von dem den des zu zum zur im auch aber noch schon mal doch nur wenn weil dass wie wo wann hab habe hast hat haben bin bist sind war waren wird werden kann kannst muss soll mir mich dir dich uns euch kein keine mein meine dein deine nach bei aus über heute morgen gestern ja nein oder so was will am",
	"es":      "el la los las un una de del que y no es en por para con se lo le su sus mi mis tu como pero más mas muy ya también está esta este esto estoy son ser fue hay yo ella nos qué cuando porque si sí hoy mañana ayer tengo tiene hace todo nada vamos puede puedo donde al me te",
	"pt":      "o os as um uma de do da dos das que e não é em no na nos nas por para com se ele ela eu você vc seu sua meu minha mas mais muito já também está este esta isso são foi tem ao quando porque hoje amanhã ontem tenho tudo nada vamos pode onde me te",
	"fr":      "le la les un une des du de et est que qui ne pas je tu il elle nous vous ils en dans pour par avec sur au aux ce cette ces mon ma mes ton ta son sa mais plus très déjà aussi être suis es sont c'est j'ai d'un qu'il quand parce si oui non hier demain aujourd'hui tout rien on me te",
	"it":      "il lo la i gli le un uno una di del della dei che e è non per con in da al alla nel nella sono ho hai ha abbiamo mi ti ci si ma più molto già anche questo questa quello come quando perché se sì oggi domani ieri tutto niente io lui lei noi dove",
	"nl":      "de het een en is niet ik je jij we wij ze zij van voor met op aan te in dat die dit er maar ook nog al wel heb hebt heeft hebben ben bent zijn was waren wordt kan moet mij mijn jouw naar bij uit over vandaag morgen gisteren geen als om wat hoe waar",
	"pl":      "i w nie na się jest to że z do jak ale co po od za tak o czy już tylko jeszcze mnie mi ty ja my on ona być był była mam masz dla przez gdzie kiedy bo dzisiaj jutro wczoraj",
	"sv":      "och det att jag du är en ett inte på som för med av har den till vi ni om men så kan var när vad ska mig dig min din också från idag imorgon igår bara eller nu han hon",
	"tr":      "ve bir bu için değil çok ama ne gibi daha var yok ben sen biz siz mi mı de da ile o şu kadar sonra bugün yarın dün nasıl nerede şey",
	"id":      "yang dan tidak ini itu dengan untuk dari ada akan sudah saya kamu aku juga bisa kalau karena ke di pada tapi nggak gak lagi mau apa kita mereka besok kemarin",
	"hi-Latn": "hai hain nahi nahin nhi kya kyun kyon kyu kyunki kaise kahan kab kaun kuch bhi toh tha thi raha rahi rahe gaya gayi gaye karna karo kar karke kiya mera meri mere tera teri tumhara tujhe mujhe humko hamara hamare aap aapka aapko apna apni yaar accha acha theek thik abhi phir wala wali wale bahut bohot bhai aur lekin magar matlab kal aaj haan chahiye sakta sakti sakte hoga hogi honge hua hui ke ki ka ko mein maine tum tumhe unka uska iska iske uske liye dena lena jaana aana lag raha bola bolo hota hoti hote",
}

// smallWord maps a word to the one language that it tells.
var smallWord = func() map[string]string {
	words := map[string]string{}
	for tag, list := range small {
		for w := range strings.FieldsSeq(list) {
			if was, ok := words[w]; ok && was != tag {
				tag := "" // it is several languages'
				words[w] = tag
				continue
			}
			words[w] = tag
		}
	}
	return words
}()

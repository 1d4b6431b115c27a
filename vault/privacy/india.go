package privacy

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// ifscBanks are the first four letters of the branch codes of banks that take
// part in NEFT and RTGS. A code of another bank is found beside the word IFSC.
var ifscBanks = set(`ABHY ABNA ADCB AIRP ALLA AMCB ANDB APBL APMC AUBL BACB BARB BARC BBKM BCBM BDBL BKDN BKID BNPA BOFA CBIN CHAS CITI CIUB CLBL CNRB CORP COSB CRES
	CRUB CSBK DBSS DCBL DEUT DLXB DNSB DOHB EBIL ESFB ESMF FDRL FINO FIRN FSFB GBCB GSCB HDFC HPSC HSBC HVBK IBKL IBKO ICBK ICIC IDFB IDIB INDB IOBA IPOS JAKA
	JIOP JPCB JSBP JSFB KARB KCBL KCCB KJSB KKBK KLGB KSCB KUCB KVBL LAVB MAHB MAHG MDCB MHCB MSCI MUBL NBAD NESF NICB NKGS NMCB NNSB NOSC NSPB NTBL NVNM ORBC
	PJSB PMCB PSIB PUNB PYTM RABO RATN RBIS SBBJ SBHY SBIN SBMY SBTR SCBL SDCB SHBK SIBL SMCB SOGE SRCB STBP STCB SURY SUTB SVCB SYNB TDCB TGMB THRS TJSB TMBL
	TNSC UBIN UBSW UCBA UJVN UOVB USFB UTBI UTIB UTKS VARA VIJB VVSB WBSC YESB ZCBL`)

// payees are the suffixes of payment addresses that apps and banks have
// registered with India's payments corporation.
var payees = set(`abcdicici abfspay airtel airtelpaymentsbank albk allahabadbank allbank andb apl aubank aufgold axb axisb axisbank axisgo axisprepaid axl bandhan barodampay barodapay
	bdbl bhim bob boi cbin cboi centralbank citi citibank citigold cmsidfc cnrb csbcash csbpay cub dbs dcb dcbbank denabank dlb eazypay equitas esaf ezeepay fam fbl fbpe federal fincarebank finobank
	freecharge goaxb hdfcbank hdfcbankjd hsbc ibl icici icicibank icicipay idbi idbibank idfc idfcbank idfcfirst idfcnetc ikwik imobile indbank indianbank indianbk indus indusind indie iob jio jkb jsb jsbp
	jupiteraxis karb karurvysyabank kaypay kbl kbl052 kmb kmbl kotak kvb kvbank lime lvb lvbank mahb mairtel mbk myicici naviaxis nkgsb nsdl obc okaxis okhdfcbank okicici oksbi oriental oxymoney paytm payzapp
	pingpay pnb pockets postbank psb ptaxis pthdfc ptsbi ptyes pz rajgovhdfcbank rapl rbl rmhdfcbank s2b saraswat sbi sc scb scbl sib sliceaxis slice srcb superyes syndbank syndicate synd tapicici tjsb
	trans ubi uboi uco unionbank unionbankofindia united upi utbi utkarshbank vijayabank vijb vjb waaxis wahdfcbank waicici wasbi yapl ybl yesb yesbank yesbankltd yespay yesg yescred yesfam yespop zoicici`)

// panHolders are the fourth letters of a PAN: the kind of its holder.
const panHolders = "ABCFGHJLPTKE"

// pans finds AAAPL1234C: five letters, four digits, a letter.
func (s *scan) pans(out []Finding) []Finding {
	for _, n := range s.numbers {
		g := s.groups[n.first]
		from, to := g.start-5, g.end+1
		if g.n != 4 || g.end-g.start != 4 || from < 0 || to > len(s.text) || string(s.digits[g.from:g.from+4]) == "0000" {
			continue
		}
		t := s.text[from:to]
		if from > 0 && (alnum(s.text[from-1]) || s.text[from-1] == '_') || to < len(s.text) && (alnum(s.text[to]) || s.text[to] == '_') {
			continue
		}
		if !letters(t[:5]) || !letter(t[9]) || !strings.ContainsRune(panHolders, rune(upper(t[3]))) {
			continue
		}
		labelled := s.near(from, to, reachBefore, kindPAN)
		shouted := strings.ToUpper(t) == t
		if w, ok := s.before(from, reachBefore, numberKinds...); ok && w.kind == kindOther || !labelled && (!shouted || s.inURL(from)) {
			continue
		}
		confidence := 0.8
		if labelled {
			confidence = 1
		}
		out = append(out, Finding{PAN, from, to, "pan", confidence})
	}
	return out
}

func letters(s string) bool {
	for i := range len(s) {
		if !letter(s[i]) {
			return false
		}
	}
	return true
}

// ifscs finds branch codes: four letters of the bank, a zero, six of the branch.
func (s *scan) ifscs(out []Finding) []Finding {
	for _, n := range s.numbers {
		if from, to, ok := s.ifscAt(n.start); ok {
			bank := s.text[from : from+4]
			if ifscBanks[bank] || s.ifscNear(from, to) {
				out = append(out, Finding{IFSC, from, to, "ifsc", 0.95})
			}
		}
	}
	for _, w := range s.hits { // codes without three digits in a row are found from the label on
		if w.kind != kindIFSC && w.kind != kindBank {
			continue
		}
		for i := w.end; i < min(len(s.text), w.end+reachBefore); i++ {
			if from, to, ok := s.ifscAt(i); ok && from >= w.end && (w.kind == kindIFSC || ifscBanks[s.text[from:from+4]]) {
				out = append(out, Finding{IFSC, from, to, "ifsc", 0.95})
				i = to
			}
		}
	}
	return out
}

// ifscAt returns the run of letters and digits around i if it is built like an IFSC.
func (s *scan) ifscAt(i int) (from, to int, ok bool) {
	t := s.text
	from, to = i, i
	for from > 0 && i-from < 12 && alnum(t[from-1]) {
		from--
	}
	for to < len(t) && to-from < 12 && alnum(t[to]) {
		to++
	}
	if to-from != 11 || t[from+4] != '0' || !letters(t[from:from+4]) {
		return 0, 0, false
	}
	if from > 0 && strings.IndexByte("_-/@#.", t[from-1]) >= 0 {
		return 0, 0, false
	}
	digits := 0
	for _, b := range []byte(t[from+4 : to]) {
		if digit(b) {
			digits++
		}
	}
	return from, to, digits == 7 || digits < 7 && (ifscBanks[strings.ToUpper(t[from:from+4])] || s.ifscNear(from, to))
}

// ifscNear reports whether the word IFSC stands by, or a bank's code is written
// in small letters where a bank is spoken of.
func (s *scan) ifscNear(from, to int) bool {
	if _, ok := s.before(from, reachBefore, kindIFSC); ok {
		return true
	}
	if _, ok := s.after(to, reachAfter, kindIFSC); ok {
		return true
	}
	return ifscBanks[strings.ToUpper(s.text[from:from+4])] && s.near(from, to, 2*reachBefore, kindBank, kindAccount)
}

// nearIFSC reports whether a branch code of a known bank stands near.
func (s *scan) nearIFSC(start, end int) bool {
	first := sort.Search(len(s.numbers), func(i int) bool { return s.numbers[i].end >= start-100 })
	for _, n := range s.numbers[first:] {
		if n.start > end+100 {
			break
		}
		if from, to, ok := s.ifscAt(n.start); ok && (to <= start || from >= end) && (ifscBanks[s.text[from:from+4]] || s.ifscNear(from, to)) {
			return true
		}
	}
	return false
}

// upis finds payment addresses: name@handle, where an e-mail address would have
// a domain with a dot.
func (s *scan) upis(out []Finding) []Finding {
	for _, at := range s.ats {
		t := s.text
		from, to := at, at+1
		for from > 0 && (alnum(t[from-1]) || strings.IndexByte("._-", t[from-1]) >= 0) {
			from--
		}
		for to < len(t) && alnum(t[to]) {
			to++
		}
		for from < at && !alnum(t[from]) {
			from++
		}
		handle := strings.ToLower(t[at+1 : to])
		if at-from < 2 || len(handle) < 2 || to < len(t) && (t[to] == '@' || t[to] == '/' || t[to] == '_' || t[to] == '-' || t[to] == ':') {
			continue
		}
		if to+1 < len(t) && t[to] == '.' && alnum(t[to+1]) {
			continue
		}
		if from > 0 {
			r, _ := utf8.DecodeLastRuneInString(t[:from])
			if strings.ContainsRune("@/+%$#", r) && !strings.HasSuffix(t[:from], "//") {
				continue
			}
		}
		if payees[handle] {
			out = append(out, Finding{UPI, from, to, "upi-handle", 0.95})
			continue
		}
		w, ok := s.before(from, reachBefore, kindUPI)
		if !ok {
			w, ok = s.after(to, reachAfter, kindUPI)
		}
		if ok && letters(handle) && (w.end > from || connects(t[w.end:from], 2)) {
			out = append(out, Finding{UPI, from, to, "upi-label", 0.8})
		}
	}
	return out
}

package privacy

// luhn checks the last digit of a payment card number (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// The dihedral group of order ten, and the permutations of Verhoeff's scheme.
var (
	dihedral = [10][10]byte{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5},
		{2, 3, 4, 0, 1, 7, 8, 9, 5, 6}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7},
		{4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1},
		{6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3},
		{8, 7, 6, 5, 9, 3, 2, 1, 0, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
	}
	permutation = [8][10]byte{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4},
		{5, 8, 0, 3, 7, 9, 6, 1, 4, 2}, {8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
		{9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1},
		{2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8},
	}
)

// verhoeff checks the last digit of an Aadhaar number.
func verhoeff(digits string) bool {
	c := byte(0)
	for i := range len(digits) {
		c = dihedral[c][permutation[i%8][digits[len(digits)-1-i]-'0']]
	}
	return c == 0
}

// mod97 checks an IBAN (ISO 7064): country and check digits moved to the end,
// letters read as 10 to 35, the whole must leave 1.
func mod97(iban string) bool {
	rest := 0
	for i := range len(iban) {
		switch b := iban[(i+4)%len(iban)]; {
		case b >= '0' && b <= '9':
			rest = (rest*10 + int(b-'0')) % 97
		case b >= 'A' && b <= 'Z':
			rest = (rest*100 + int(b-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// palindrome reports whether digits reads the same both ways: no Aadhaar
// number does.
func palindrome(digits string) bool {
	for i := range len(digits) / 2 {
		if digits[i] != digits[len(digits)-1-i] {
			return false
		}
	}
	return true
}

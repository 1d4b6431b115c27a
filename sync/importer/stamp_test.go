package importer

import (
	"fmt"
	"math/big"
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	for in, want := range map[string]string{
		"1714585031.148505":    "2024-05-01T17:37:11.148505Z",
		"1700000000":           "2023-11-14T22:13:20Z",
		"1700000000.0":         "2023-11-14T22:13:20Z",
		"1.7e9":                "2023-11-14T22:13:20Z",
		"1.7000000005e+9":      "2023-11-14T22:13:20.5Z",
		"17000000005e-1":       "2023-11-14T22:13:20.5Z",
		"1700000000123":        "2023-11-14T22:13:20.123Z",
		"1764090228.9219291":   "2025-11-25T17:03:48.9219291Z",
		"1.123456789123456789": "1970-01-01T00:00:01.123456789Z",
		"0":                    "", "-1": "", "-0.5": "", "": "", "x": "", "1e99": "", "1e999999999": "", "999999999999999999999": "",
	} {
		got := ""
		if s := Seconds(in); !s.IsZero() {
			got = s.Time.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("Seconds(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzSeconds compares with exact rational arithmetic.
func FuzzSeconds(f *testing.F) {
	f.Add(int64(1714585031), uint32(148505000), int8(0))
	f.Add(int64(17), uint32(5), int8(8))
	f.Fuzz(func(t *testing.T, whole int64, nanos uint32, exp int8) {
		text := fmt.Sprintf("%d.%09de%d", whole, nanos%1e9, exp%9)
		got := Seconds(text)
		rat, ok := new(big.Rat).SetString(text)
		if !ok || rat.Sign() <= 0 {
			if !got.IsZero() && ok {
				t.Fatalf("Seconds(%s) = %v", text, got)
			}
			return
		}
		ns := new(big.Rat).Mul(rat, big.NewRat(1e9, 1))
		want := new(big.Int).Quo(ns.Num(), ns.Denom())
		if want.Cmp(big.NewInt(9e18)) > 0 || rat.Cmp(big.NewRat(1e11, 1)) >= 0 || want.Sign() == 0 {
			return
		}
		if got.Time.UnixNano() != want.Int64() {
			t.Errorf("Seconds(%s) = %d ns, want %v", text, got.Time.UnixNano(), want)
		}
	})
}

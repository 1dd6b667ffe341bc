package text

import (
	"bytes"
	"slices"
	"testing"
)

func TestTable(t *testing.T) {
	tab := NewTable("driver", ">ns", ">±", "note")
	tab.Add("gcm-aes-stdlib", "7.25", "0.1%", "")
	tab.Add("go", "1234", "12.0%", "no tag")
	var out bytes.Buffer
	tab.Write(&out)
	want := "" +
		"driver            ns      ±  note\n" +
		"gcm-aes-stdlib  7.25   0.1%\n" +
		"go              1234  12.0%  no tag\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000", 0.1234: "0.123", 0.9996: "1.00", 9.994: "9.99", 9.996: "10.0", 99.94: "99.9", 99.96: "100",
		123456.7: "123457",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  []string
	}{
		{nil, nil},
		{[]string{"aes", "avx"}, []string{"aes avx"}},
		{[]string{"aes", "avx", "bmi2"}, []string{"aes avx", "bmi2"}},
		{[]string{"vpclmulqdq", "a", "b"}, []string{"vpclmulqdq", "a b"}},
	} {
		if got := Fold(c.words, 8); !slices.Equal(got, c.want) {
			t.Errorf("Fold(%q) = %q, want %q", c.words, got, c.want)
		}
	}
}

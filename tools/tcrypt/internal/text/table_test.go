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
		if got := Fold(c.words, 0); len(c.words) > 0 && (len(got) != 1 || len(got[0]) < 7) {
			t.Errorf("Fold(%q) without a width: %q", c.words, got)
		}
		if got := Fold(c.words, 8); !slices.Equal(got, c.want) {
			t.Errorf("Fold(%q) = %q, want %q", c.words, got, c.want)
		}
	}
}

// narrow is a writer that is so wide.
type narrow struct {
	bytes.Buffer
	width int
}

func (n *narrow) Width() int { return n.width }

// Where a table is too wide, spare columns go, the last first, and then the last columns of all rows to lines below.
func TestNarrowTable(t *testing.T) {
	for width, want := range map[int]string{
		0: "driver   ns     ±  spread  why it is so\n" +
			"one     7.1  0.1%    0.2%  because of this\n" +
			"two     123\n",
		30: "driver   ns  why it is so\n" +
			"one     7.1  because of this\n" +
			"two     123\n",
		36: "driver   ns     ±  why it is so\n" +
			"one     7.1  0.1%  because of this\n" +
			"two     123\n",
		14: "driver   ns\n    why it is\n    so\n" +
			"one     7.1\n    because of\n    this\n" +
			"two     123\n",
	} {
		tab := NewTable("driver", ">ns", "?>±", "?>spread", "why it is so")
		tab.Add("one", "7.1", "0.1%", "0.2%", "because of this")
		tab.Add("two", "123", "", "", "")
		out := &narrow{width: width}
		tab.Write(out)
		if out.String() != want {
			t.Errorf("width %d: got\n%swant\n%s", width, out.String(), want)
		}
	}
	if got := Heading("?>±"); got != "±" {
		t.Errorf("Heading gives %q", got)
	}
}

func TestWidthOf(t *testing.T) {
	for _, c := range []struct{ has, most, want int }{{0, 0, 0}, {0, 96, 96}, {60, 0, 60}, {60, 96, 60}, {120, 96, 96}} {
		if got := WidthOf(&narrow{width: c.has}, c.most); got != c.want {
			t.Errorf("WidthOf a writer of %d, at most %d: %d, want %d", c.has, c.most, got, c.want)
		}
	}
	if got := WidthOf(new(bytes.Buffer), 96); got != 96 {
		t.Errorf("WidthOf any writer: %d", got)
	}
}

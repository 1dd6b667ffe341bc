package registry

import (
	"reflect"
	"testing"
)

// tunings gives a driver two choices between forms.
func tunings() func(*Driver) {
	return func(d *Driver) {
		d.Tunings = []Tuning{{"gcm.a", []string{"1", "2", "3"}}, {"gcm.b", []string{"x", "y"}}}
	}
}

func TestForms(t *testing.T) {
	var d Driver
	if got := d.Forms(); !reflect.DeepEqual(got, []map[string]string{{}}) {
		t.Errorf("without tunings: %v", got)
	}
	tunings()(&d)
	want := []map[string]string{
		{"gcm.a": "1", "gcm.b": "x"}, {"gcm.a": "1", "gcm.b": "y"}, {"gcm.a": "2", "gcm.b": "x"},
		{"gcm.a": "2", "gcm.b": "y"}, {"gcm.a": "3", "gcm.b": "x"}, {"gcm.a": "3", "gcm.b": "y"},
	}
	if got := d.Forms(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestValue(t *testing.T) {
	of := Tuning{"a", []string{"1", "2"}}
	for _, c := range []struct {
		tuning map[string]string
		want   string
	}{{nil, "1"}, {map[string]string{"b": "2"}, "1"}, {map[string]string{"a": "2"}, "2"}} {
		if got := (Config{Tuning: c.tuning}).Value(of); got != c.want {
			t.Errorf("%v: %q, want %q", c.tuning, got, c.want)
		}
	}
}

// TestTuningsAreCopied: what a caller does to a table later changes nothing.
func TestTuningsAreCopied(t *testing.T) {
	d := aead("gcm(aes)", "gcm-aes-x", 1, tunings())
	r := reg(t, []Driver{d}, Options{})
	d.Tunings[0].Values[0], d.Tunings[1].Name = "9", "z"
	want := map[string]string{"gcm.a": "1", "gcm.b": "x"}
	if got := r.List()[0].Tuning; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

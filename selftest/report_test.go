package selftest

import (
	"errors"
	"fmt"
	"testing"

	"kcrypto/registry"
)

// TestClass: an error is of its class whatever is around it, one without a class is a class of its own, and success is
// none.
func TestClass(t *testing.T) {
	own := errors.New("no paper in the tray")
	for _, c := range []struct{ err, want error }{
		{nil, nil}, {own, own}, {fmt.Errorf("%w: 5 bytes", registry.ErrLength), registry.ErrLength},
		{fmt.Errorf("%w: 5 bytes", errPanicked), errPanicked},
	} {
		if got := class(c.err); got != c.want {
			t.Errorf("class of %v: %v, want %v", c.err, got, c.want)
		}
	}
}

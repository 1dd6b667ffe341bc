package cpu

import "testing"

// TestInEffect: Host until somebody says what is in effect, and then that.
func TestInEffect(t *testing.T) {
	defer inEffect.Store(inEffect.Swap(nil))
	if InEffect() != Host() {
		t.Error("before a registry is there, what is in effect is not what the host has")
	}
	masked := Features{}
	SetInEffect(masked)
	if InEffect() != masked {
		t.Error("what a registry masked is in effect")
	}
}

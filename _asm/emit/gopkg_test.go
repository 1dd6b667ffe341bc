package emit

import (
	"strings"
	"testing"
	"unsafe"

	"kcrypto/registry"
)

// TestGoPackage reads what kcrypto/internal/limits and its imports declare.
func TestGoPackage(t *testing.T) {
	pkg, err := load("../../internal/limits")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Generate("x", pkg, File{"x_amd64.s", func(c *Ctx) {
		c.Func("chain", "sse2")
		if got := c.Const("perLoop"); got != 12 {
			t.Errorf("perLoop is %d", got)
		}
		if got := c.ArgAddr("n").Asm(); got != "n+0(FP)" {
			t.Errorf("n lies at %s", got)
		}
		c.Expect("perLoop", 12)
		c.RET()
	}})
	if err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		want string
		read func(c *Ctx)
	}{
		{"package kcrypto/internal/limits declares no perRound", func(c *Ctx) { c.Const("perRound") }},
		{"is 12, and this generator is made for 13", func(c *Ctx) { c.Expect("perLoop", 13) }},
		{"function link", func(c *Ctx) { c.Func("link") }},
		{"chain of package kcrypto/internal/limits is no constant", func(c *Ctx) { c.Const("chain") }},
		{"perLoop of package kcrypto/internal/limits is no type", func(c *Ctx) { c.Sizeof("perLoop") }},
		{"perLoop of package kcrypto/internal/limits is no type", func(c *Ctx) { c.Offset("perLoop", "x") }},
		{"unknown variable \"m\"", func(c *Ctx) { c.Func("chain", "sse2"); c.ArgAddr("m") }},
	} {
		if _, err := Generate("x", pkg, File{"x_amd64.s", c.read}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
}

// TestLayout: sizes and offsets are those of the compiler.
func TestLayout(t *testing.T) {
	pkg, err := load("../../algs/gcm")
	if err != nil {
		t.Fatal(err)
	}
	var p registry.Packet
	_, err = Generate("x", pkg, File{"x_amd64.s", func(c *Ctx) {
		if got, want := c.Sizeof("registry.Packet"), int(unsafe.Sizeof(p)); got != want {
			t.Errorf("a packet has %d bytes, and %d here", want, got)
		}
		if got, want := c.Offset("registry.Packet", "AAD"), int(unsafe.Offsetof(p.AAD)); got != want {
			t.Errorf("AAD lies at %d, and at %d here", want, got)
		}
		if got, want := c.FieldSize("registry.Packet", "AAD"), int(unsafe.Sizeof(p.AAD)); got != want {
			t.Errorf("AAD has %d bytes, and %d here", want, got)
		}
		c.Offset("registry.Packet", "Tag")
	}})
	if err == nil || !strings.Contains(err.Error(), "type registry.Packet has no field Tag") {
		t.Errorf("got error %v", err)
	}
}

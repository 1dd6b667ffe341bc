package kcrypto_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"kcrypto"
	"kcrypto/registry"
)

// TestZeroValuesAreDefined calls every method of every exported type on its zero value, with zero arguments. None may
// end in a fault: what needs a key panics with a message or returns ErrClosed, and the other methods return.
func TestZeroValuesAreDefined(t *testing.T) {
	for _, zero := range []any{
		new(kcrypto.AEAD), new(kcrypto.Skcipher), new(kcrypto.Stream), new(kcrypto.Packet), new(kcrypto.SelfTestOptions),
		new(kcrypto.Sealer), new(kcrypto.UnverifiedOpener), new(kcrypto.Disk), new(registry.PieceState),
		new(registry.Registry), new(registry.Handle), new(registry.Info), new(registry.Driver), new(registry.Options),
		new(registry.Config), new(registry.Tuning), new(registry.Want), new(registry.Template),
		new(registry.Explanation), new(registry.Vector),
	} {
		kind := reflect.TypeOf(zero)
		for i := range kind.NumMethod() {
			name := kind.Elem().String() + "." + kind.Method(i).Name
			t.Run(name, func(t *testing.T) {
				fresh := reflect.New(kind.Elem()) // whatever other methods did
				out, fault := callWithZeros(fresh.Method(i))
				if fault != "" && !strings.HasPrefix(fault, "kcrypto: ") {
					t.Fatalf("panics with %q", fault)
				}
				for _, v := range out {
					if err, ok := v.Interface().(error); ok && !errors.Is(err, registry.ErrClosed) && !isClass(err) {
						t.Errorf("error %v is of no class", err)
					}
				}
			})
		}
	}
}

// callWithZeros calls f with the zero values of its parameters, and returns the text of a panic.
func callWithZeros(f reflect.Value) (out []reflect.Value, fault string) {
	defer func() {
		if p := recover(); p != nil {
			fault = fmt.Sprint(p)
		}
	}()
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		p := f.Type().In(i)
		switch {
		case p == reflect.TypeFor[context.Context]():
			in = append(in, reflect.ValueOf(context.Background()))
		case f.Type().IsVariadic() && i == f.Type().NumIn()-1:
		default:
			in = append(in, reflect.Zero(p))
		}
	}
	return f.Call(in), ""
}

// TestZeroSizes: what nobody allocated has no sizes.
func TestZeroSizes(t *testing.T) {
	a, s := new(kcrypto.AEAD), new(kcrypto.Skcipher)
	for what, n := range map[string]int{
		"AEAD.NonceSize": a.NonceSize(), "Overhead": a.Overhead(), "Skcipher.IVSize": s.IVSize(), "BlockSize": s.BlockSize(),
	} {
		if n != 0 {
			t.Errorf("%s of a zero value is %d", what, n)
		}
	}
}

// TestZeroValues: zero values of the transforms behave as closed ones.
func TestZeroValues(t *testing.T) {
	var a kcrypto.AEAD
	var s kcrypto.Skcipher
	var st kcrypto.Stream
	_, openErr := a.Open(nil, nil, nil, nil)
	for what, err := range map[string]error{
		"Open": openErr, "AEAD.SetKey": a.SetKey(nil), "Skcipher.SetKey": s.SetKey(nil),
		"Encrypt": s.Encrypt(nil, nil, nil), "Seek": st.Seek(0),
	} {
		if !errors.Is(err, registry.ErrClosed) {
			t.Errorf("%s of a zero value: %v, want ErrClosed", what, err)
		}
	}
	for what, err := range map[string]error{"AEAD": a.Close(), "Skcipher": s.Close(), "Stream": st.Close()} {
		if err != nil {
			t.Errorf("Close of a zero %s: %v", what, err)
		}
	}
}

// TestZeroRegistry: the zero value of a registry is an empty one, in which drivers can be registered.
func TestZeroRegistry(t *testing.T) {
	r := new(registry.Registry)
	if err := r.Register([]registry.Driver{foreignGCMDriver("gcm-aes-acme", 1, noFlaw)}); err != nil {
		t.Fatal(err)
	}
	wantServed(t, r, "gcm(aes)", "gcm-aes-acme")
	_, err := kcrypto.AllocAEAD("gcm(aes)", nil, kcrypto.WithRegistry(new(registry.Registry)))
	wantError(t, "an empty registry, and a nil option", err, registry.ErrNotFound)
}

// TestUnknownFeature: a driver that needs an unknown feature is refused, since it would never serve.
func TestUnknownFeature(t *testing.T) {
	d := foreignGCMDriver("gcm-aes-acme", 1, noFlaw)
	for _, needs := range [][]string{{"avx3"}, {"avx2", ""}, {"AVX2"}, {"vaes-avx2"}} {
		d.Needs = needs
		err := newRegistry(t, "").Register([]registry.Driver{d})
		if !errors.Is(err, registry.ErrDriver) || !strings.Contains(err.Error(), "vaes_avx2") {
			t.Errorf("%q: %v, want ErrDriver and the names that there are", needs, err)
		}
	}
	d.Needs = []string{"sse2", "vaes_avx2"}
	if err := newRegistry(t, "").Register([]registry.Driver{d}); err != nil {
		t.Errorf("names that there are: %v", err)
	}
}

// TestByteLimits: a limit in bytes is exact for streams too, although they count blocks.
func TestByteLimits(t *testing.T) {
	d := foreignCTRDriver("ctr-aes-short", 9000, func() registry.Skcipher { return new(foreignCTR) })
	d.MaxSize = 65
	r := newRegistry(t, "")
	if err := r.Register([]registry.Driver{d}); err != nil {
		t.Fatal(err)
	}
	s := must(kcrypto.NewSkcipher("ctr-aes-short", make([]byte, 16), kcrypto.WithRegistry(r)))
	defer s.Close()
	iv, buf := make([]byte, 16), make([]byte, 66)
	if err := s.Encrypt(buf[:65], buf[:65], iv); err != nil {
		t.Errorf("65 bytes: %v", err)
	}
	wantError(t, "Encrypt of 66 bytes", s.Encrypt(buf, buf, iv), registry.ErrLength)
	if err := s.XORKeyStreamAt(buf[:5], buf[:5], iv, 60); err != nil {
		t.Errorf("up to byte 65: %v", err)
	}
	wantError(t, "XORKeyStreamAt beyond it", s.XORKeyStreamAt(buf[:6], buf[:6], iv, 60), registry.ErrLength)
	for _, piece := range []int{1, 5, 16, 17, 64, 65} {
		st := must(s.Stream(iv))
		for left := 65; left > 0; left -= piece {
			st.XORKeyStream(buf, buf[:min(piece, left)])
		}
		mustPanic(t, fmt.Sprintf("byte 66, in pieces of %d", piece), "keystream ends",
			func() { st.XORKeyStream(buf, buf[:1]) })
		st.XORKeyStream(nil, nil)
		wantError(t, "Seek to 66", st.Seek(66), registry.ErrLength)
		if err := st.Seek(65); err != nil {
			t.Errorf("Seek to 65: %v", err)
		}
		mustPanic(t, "behind the end", "keystream ends", func() { st.XORKeyStream(buf, buf[:1]) })
		if err := st.Seek(64); err != nil {
			t.Error(err)
		}
		st.XORKeyStream(buf, buf[:1])
		st.Close()
	}
}

// TestLengthsThatOverflow: lengths whose sum overflows an int are refused, on 32-bit machines too. There, slices of
// such lengths fit into the address space; here, the slices claim memory that is never touched.
func TestLengthsThatOverflow(t *testing.T) {
	if math.MaxInt != math.MaxInt32 {
		t.Skip("NOT RUN HERE: no two slices of a 64-bit machine have lengths that overflow an int")
	}
	big := make([]byte, math.MaxInt32/2+1<<20)
	a := must(kcrypto.NewAEAD("gcm(aes)", make([]byte, 16)))
	defer a.Close()
	mustPanic(t, "Seal", "more than a slice can hold", func() { a.Seal(big, make([]byte, 12), big, nil) })
	packets := []kcrypto.Packet{{Dst: big, Nonce: make([]byte, 12), Src: big}}
	a.SealBatch(packets)
	wantError(t, "SealBatch", packets[0].Err, registry.ErrLength)
}

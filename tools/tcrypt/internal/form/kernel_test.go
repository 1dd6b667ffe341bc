package form

import (
	"bytes"
	"testing"

	"kcrypto/tools/tcrypt/internal/result"
)

// The rows of each driver are together under a heading of its own.
func TestKernelForm(t *testing.T) {
	cell := func(driver string, size int, cycles float64) result.Cell {
		return result.Cell{Conditions: result.Conditions{
			Algorithm: "gcm(aes)", KeyBits: 128, Direction: result.Encrypt, Tag: 16, Threads: 1,
		}, Driver: driver, Size: size, NS: 250, CyclesPerByte: cycles}
	}
	sectors := cell("xts-aes-generic", 4096, 0)
	sectors.Algorithm, sectors.Tag, sectors.Sector, sectors.Threads, sectors.Direction = "xts(aes)", 0, 512, 2,
		result.Decrypt
	run := &result.Run{
		Header: result.Header{Machine: result.Machine{CPU: "A CPU", Go: "go1", Platform: "linux/amd64",
			Governor: "performance"}},
		Cells: []result.Cell{
			cell("gcm-aes-aesni", 16, 8), cell("go", 16, 20), cell("gcm-aes-aesni", 1420, 0.5), cell("go", 1420, 1), sectors,
		},
	}
	var out bytes.Buffer
	if err := Write(New("tcrypt", &out), run); err != nil {
		t.Fatal(err)
	}
	want := `tcrypt: A CPU, go1 linux/amd64
tcrypt: cpuid: not known to this build
tcrypt: governor: performance
tcrypt: date: 0001-01-01T00:00:00Z
tcrypt: command: tcrypt
tcrypt: testing speed of gcm(aes) (gcm-aes-aesni) encryption
tcrypt: test 0 (128 bit key, 16 byte blocks): 1 operation in 128 cycles (16 bytes)
tcrypt: test 1 (128 bit key, 1420 byte blocks): 1 operation in 710 cycles (1420 bytes)
tcrypt: testing speed of gcm(aes) (go) encryption
tcrypt: test 0 (128 bit key, 16 byte blocks): 1 operation in 320 cycles (16 bytes)
tcrypt: test 1 (128 bit key, 1420 byte blocks): 1 operation in 1420 cycles (1420 bytes)
tcrypt: testing speed of sync xts(aes) in sectors of 512 bytes on 2 threads (xts-aes-generic) decryption
tcrypt: test 0 (128 bit key, 4096 byte blocks): 4000000 operations in 1 seconds (16384000000 bytes)
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

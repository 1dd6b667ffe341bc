package main

import (
	"io"
	"testing"

	"kcrypto/internal/limits"
	"kcrypto/registry"
	"kcrypto/tools/tcrypt/internal/result"
)

func TestWriteLimits(t *testing.T) {
	x, z := limits.Width{Name: "xmm", Bytes: 16}, limits.Width{Name: "zmm", Bytes: 64}
	rates := limits.Rates{GHz: 3, List: []limits.Rate{
		{Kind: "aes", Width: x, Cycles: 0.5}, {Kind: "add", Width: x, Cycles: 0.25},
		{Kind: "aes", Width: z, Cycles: 1}, {Kind: "add", Width: z, Cycles: 0.5}, {Kind: "ifma", Width: z, Cycles: 1},
	}}
	r := limitsReport{Machine: result.Machine{CPU: "A CPU", Go: "go1.26", Platform: "linux/amd64"}, Rates: rates,
		Limits: algorithmLimits(rates, []registry.Info{
			{Algorithm: "ctr(aes)", KeySizes: []int{16, 24, 32}}, {Algorithm: "ctr(aes)", KeySizes: []int{16, 24, 32}},
			{Algorithm: "chacha20", KeySizes: []int{32}},
		})}
	golden(t, func(w io.Writer) { writeLimits(w, r) }, `A CPU, go1.26 linux/amd64
Cycles of the core's clock, 3.00 GHz while measured.

instruction or mix    xmm    zmm
aes                 0.500   1.00
add                 0.250  0.500
ifma                    -   1.00

algorithm  key bits  cycles/B  GB/s   at  bound by
ctr(aes)        128     0.156  19.2  zmm  10 AES rounds
ctr(aes)        256     0.219  13.7  zmm  14 AES rounds
`)
}

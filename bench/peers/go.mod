module kcrypto/bench/peers

go 1.26.4

require (
	golang.org/x/crypto v0.59.0
	kcrypto v0.0.0
)

replace kcrypto => ../..

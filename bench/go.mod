module kcrypto/bench

go 1.26.4

require kcrypto v0.0.0

replace kcrypto => ..

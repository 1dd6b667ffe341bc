module kcrypto/bench

go 1.26.0

require kcrypto v0.0.0

replace kcrypto => ..

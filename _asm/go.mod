module kcrypto/_asm

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.6.0
	golang.org/x/arch v0.33.0
	golang.org/x/tools v0.38.0 // pinned: the version that avo asks for does not compile under Go 1.26
	kcrypto v0.0.0
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/rs/zerolog v1.35.1 // indirect
)

require (
	golang.org/x/crypto v0.59.0 // indirect
	golang.org/x/mod v0.29.0 // indirect
	golang.org/x/sync v0.17.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace kcrypto => ..

module kcrypto

go 1.26.4

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/rs/zerolog v1.35.1
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
)

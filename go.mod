module kcrypto

go 1.26.0

require (
	github.com/c2sp/wycheproof v0.0.0-20260105152342-fca0d3ba9f12
	github.com/rs/zerolog v1.35.1
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
)

package main

// client is a program that people run, and what of it is tested and measured here.
type client struct {
	name    string
	module  string
	version string   // pinned: what passes today is to pass tomorrow
	load    string   // the program in loads that moves bytes through it
	tests   []string // arguments of go test
	env     []string // for the tests
	keep    []string // files that keep their imports, because they need crypto/aes's own Block
}

// changed are the imports that every client gets new.
var changed = map[string]string{
	"crypto/aes":                           "kcrypto/compat/aes",
	"golang.org/x/crypto/xts":              "kcrypto/compat/xts",
	"golang.org/x/crypto/chacha20":         "kcrypto/compat/chacha20",
	"golang.org/x/crypto/chacha20poly1305": "kcrypto/compat/chacha20poly1305",
}

var clients = []client{
	{
		name: "wireguard", module: "golang.zx2c4.com/wireguard", version: "v0.0.0-20260522210424-ecfc5a8d5446",
		load: "wireguard", tests: []string{"./..."},
	},
	{
		name: "quic-go", module: "github.com/quic-go/quic-go", version: "v0.65.0", load: "quic",
		// Everything but what does not touch encrypted packets, and minutes of simulated networks.
		tests: []string{".", "./internal/handshake/...", "./internal/wire/...", "./integrationtests/self/..."},
		// its waits of 10 ms are short for a machine that does other things
		env:  []string{"TIMESCALE_FACTOR=5"},
		keep: []string{"internal/handshake/token_protector.go"}, // it calls cipher.NewGCMWithRandomNonce
	},
	{name: "sio", module: "github.com/minio/sio", version: "v0.4.1", load: "sio", tests: []string{"./..."}},
	{name: "jose", module: "github.com/go-jose/go-jose/v4", version: "v4.1.9", load: "jose", tests: []string{"./..."}},
	// what gokrb5 encrypts Kerberos' messages with
	{
		name: "aescts", module: "github.com/jcmturner/aescts/v2", version: "v2.0.0", load: "aescts", tests: []string{"./..."},
	},
	{name: "age", module: "filippo.io/age", version: "v1.3.2", load: "age", tests: []string{"./..."}},
}

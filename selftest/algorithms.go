package selftest

// traits is what this package knows of an algorithm beyond its driver's description.
type traits struct {
	vectors []vector
	counter *counter // nil where the IV holds none
	sectors bool     // EncryptSectors, EncryptSectorsIV and their inverses work
}

// known is every algorithm that this package has vectors for. An algorithm that is not in it has none of the traits.
var known = map[string]traits{
	"ecb(aes)":                      {vectors: vectorsECB},
	"cbc(aes)":                      {vectors: vectorsCBC, sectors: true},
	"cts(cbc(aes))":                 {vectors: vectorsCTS},
	"essiv(cbc(aes),sha256)":        {vectors: vectorsESSIV, sectors: true},
	"ctr(aes)":                      {vectors: vectorsCTR, counter: &counter{to: 16, bigEndian: true, wraps: true}},
	"xctr(aes)":                     {vectors: vectorsXCTR},
	"rfc3686(ctr(aes))":             {vectors: vectorsRFC3686},
	"xts(aes)":                      {vectors: vectorsXTS, sectors: true},
	"chacha20":                      {vectors: vectorsChaCha20, counter: &counter{to: 4}},
	"xchacha20":                     {vectors: vectorsXChaCha20, counter: &counter{from: 24, to: 32}},
	"xchacha12":                     {vectors: vectorsXChaCha12, counter: &counter{from: 24, to: 32}},
	"gcm(aes)":                      {vectors: vectorsGCM},
	"rfc4106(gcm(aes))":             {vectors: vectorsRFC4106},
	"rfc4543(gcm(aes))":             {vectors: vectorsRFC4543},
	"ccm(aes)":                      {vectors: vectorsCCM},
	"rfc4309(ccm(aes))":             {vectors: vectorsRFC4309},
	"rfc7539(chacha20,poly1305)":    {vectors: vectorsChaChaPoly},
	"rfc7539esp(chacha20,poly1305)": {vectors: vectorsRFC7539ESP},
	"xchacha20poly1305":             {vectors: vectorsXChaChaPoly},
}

// counter is the block counter in an IV: bytes from to to of it.
type counter struct {
	from, to  int
	bigEndian bool
	wraps     bool // block 0 comes after the last one; otherwise the keystream ends
}

// advance moves the counter in iv on by blocks, to where the next message begins, and reports whether it can.
func (c *counter) advance(iv []byte, blocks uint64) bool {
	digits, carry := iv[c.from:c.to], blocks
	for i := range digits {
		at := i
		if c.bigEndian {
			at = len(digits) - 1 - i
		}
		sum := uint64(digits[at]) + carry&0xff
		digits[at] = byte(sum)
		carry = carry>>8 + sum>>8
	}
	return c.wraps || carry == 0
}

// last moves the counter in iv to its last block.
func (c *counter) last(iv []byte) { fill(iv[c.from:c.to], 0xff) }

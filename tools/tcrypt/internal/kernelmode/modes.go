package kernelmode

import "slices"

// The sizes of keys in bytes that several algorithms share.
var (
	aesKeys    = []int{16, 24, 32}
	saltedKeys = []int{20, 28, 36} // an AES key and 4 bytes of salt or nonce
	lrwKeys    = []int{32, 40, 48}
	xtsKeys    = []int{32, 64}
	chachaKeys = []int{32}
	chachaESP  = []int{36} // a ChaCha key and 4 bytes of salt
)

// Modes are the modes there are, by number: the kernel's of whose algorithms kcrypto has one at least, and ours. The
// kernel's own leave the decryption of chacha20 out; ours do not.
var Modes = slices.Concat(testModes, speedModes, ownModes)

// testModes run self-tests. Mode 0 does so for all algorithms there are.
var testModes = []Mode{
	{Number: 0, About: "every algorithm; with alg, whether that exists"},
	{Number: 10, Tests: []string{"ecb(aes)", "cbc(aes)", "lrw(aes)", "xts(aes)", "ctr(aes)", "rfc3686(ctr(aes))",
		"xctr(aes)"}},
	{Number: 35, Tests: []string{"gcm(aes)"}},
	{Number: 37, Tests: []string{"ccm(aes)"}},
	{Number: 38, Tests: []string{"cts(cbc(aes))"}},
	{Number: 45, Tests: []string{"rfc4309(ccm(aes))"}},
	{Number: 151, Tests: []string{"rfc4106(gcm(aes))"}},
	{Number: 152, Tests: []string{"rfc4543(gcm(aes))"}},
}

// speedModes time algorithms.
var speedModes = []Mode{
	{Number: 200, Style: Sync, Speeds: aesModes},
	{Number: 211, Style: Plain, Speeds: gcmModes},
	{Number: 212, Style: Plain, Speeds: BothWays("rfc4309(ccm(aes))", []int{19})},
	{Number: 213, Style: Plain, Speeds: espModes},
	{Number: 214, Style: Sync, Speeds: BothWays("chacha20", chachaKeys)},
	{Number: 215, Style: Multibuffer, Speeds: gcmModes},
	{Number: 216, Style: Multibuffer, Speeds: BothWays("rfc4309(ccm(aes))", []int{19})},
	{Number: 217, Style: Multibuffer, Speeds: espModes},
	{Number: 220, Style: Async, Speeds: BothWays("essiv(cbc(aes),sha256)", aesKeys)},
	{Number: 500, Style: Async, Speeds: moreAESModes},
	{Number: 600, Style: Multibuffer, Speeds: moreAESModes},
}

// ownModes do for algorithms that the kernel's tcrypt leaves out what its modes do for others: their numbers are those
// of the kernel's nearest modes and a thousand.
var ownModes = []Mode{
	{Number: 1010, Own: true, Tests: []string{"essiv(cbc(aes),sha256)"}},
	{Number: 1034, Own: true, Tests: []string{"chacha20", "xchacha20", "xchacha12"}},
	{Number: 1035, Own: true, Tests: []string{"rfc7539(chacha20,poly1305)", "rfc7539esp(chacha20,poly1305)",
		"xchacha20poly1305"}},
	{Number: 1200, Own: true, Style: Sync, Speeds: BothWays("xctr(aes)", aesKeys)},
	{Number: 1211, Own: true, Style: Plain, Speeds: BothWays("rfc4543(gcm(aes))", saltedKeys)},
	{Number: 1212, Own: true, Style: Plain, Speeds: BothWays("ccm(aes)", aesKeys)},
	{Number: 1213, Own: true, Style: Plain, Speeds: rfc7539Modes},
	{Number: 1214, Own: true, Style: Sync, Speeds: slices.Concat(
		BothWays("xchacha20", chachaKeys), BothWays("xchacha12", chachaKeys))},
	{Number: 1215, Own: true, Style: Multibuffer, Speeds: BothWays("rfc4543(gcm(aes))", saltedKeys)},
	{Number: 1216, Own: true, Style: Multibuffer, Speeds: BothWays("ccm(aes)", aesKeys)},
	{Number: 1217, Own: true, Style: Multibuffer, Speeds: rfc7539Modes},
}

var (
	aesModes = slices.Concat(
		BothWays("ecb(aes)", aesKeys), BothWays("cbc(aes)", aesKeys), BothWays("lrw(aes)", lrwKeys),
		BothWays("xts(aes)", xtsKeys), BothWays("cts(cbc(aes))", aesKeys), BothWays("ctr(aes)", aesKeys))
	moreAESModes = slices.Concat(aesModes, BothWays("rfc3686(ctr(aes))", saltedKeys))
	gcmModes     = []Speed{
		{"rfc4106(gcm(aes))", saltedKeys, false}, {"gcm(aes)", aesKeys, false},
		{"rfc4106(gcm(aes))", saltedKeys, true}, {"gcm(aes)", aesKeys, true},
	}
	espModes     = BothWays("rfc7539esp(chacha20,poly1305)", chachaESP)
	rfc7539Modes = slices.Concat(
		BothWays("rfc7539(chacha20,poly1305)", chachaKeys), BothWays("xchacha20poly1305", chachaKeys))
)

// BothWays is encryption and decryption of one algorithm, with keys of these sizes in bytes.
func BothWays(algorithm string, keys []int) []Speed {
	return []Speed{{algorithm, keys, false}, {algorithm, keys, true}}
}

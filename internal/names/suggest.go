package names

import (
	"cmp"
	"slices"
	"strings"
)

// parts are the words that names of algorithms are made of, whatever stands between them. A name is read from the left,
// and at each place the longest word counts; what is none of them, such as a key's size, does not matter.
var parts = sortedParts("aes", "gcm", "xctr", "ctr", "xts", "ecb", "cbc", "cts", "essiv", "ccm", "hctr2", "adiantum",
	"xchacha20", "xchacha12", "chacha20", "poly1305", "rfc4106", "rfc4543", "rfc4309", "rfc3686", "rfc7539esp")

// Words that make a name mean something else: other ciphers and modes, and compositions that we do not have. And words
// of names of drivers, which are to be spelt right.
var (
	foreign = sortedParts("camellia", "aria", "sm4", "seed", "idea", "des", "twofish", "serpent", "blowfish", "cast5",
		"cast6", "salsa20", "rc4", "siv", "ocb", "eax", "cfb", "ofb", "wrap", "kw", "hmac", "hs256", "hs384", "hs512",
		"poly1305@openssh")
	implementations = sortedParts("generic", "stdlib", "aesni", "avx", "vaes", "ssse3", "simd", "lib")
)

// sortedParts puts the longest first.
func sortedParts(list ...string) []string {
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return list
}

// Suggest returns the names of known that somebody probably means by word: the algorithm that goes by it elsewhere,
// such as gcm(aes) for OpenSSL's aes-256-gcm, Go's NewGCM, JOSE's A256GCM or TLS_AES_128_GCM_SHA256; else those that
// are spelt nearly so. known has the algorithms first.
func Suggest(word string, known []string) []string {
	misspelt := slices.ContainsFunc(known, func(name string) bool { return distance(word, name) <= 1 })
	if want := meaning(word); want != nil && !misspelt {
		for _, name := range known {
			if slices.Equal(meaning(name), want) {
				return []string{name}
			}
		}
	}
	return Nearest(word, known)
}

// meaning returns the parts that a name is made of, in the order of the alphabet, or nil if it is not an algorithm's. A
// mode alone is AES's.
func meaning(name string) []string {
	name = strings.ToLower(name)
	contains := func(word string) bool { return strings.Contains(name, word) }
	if slices.ContainsFunc(foreign, contains) || slices.ContainsFunc(implementations, contains) {
		return nil
	}
	var found []string
	for rest := name; rest != ""; {
		i := slices.IndexFunc(parts, func(p string) bool { return strings.HasPrefix(rest, p) })
		if i < 0 {
			rest = rest[1:]
			continue
		}
		found = append(found, parts[i])
		rest = rest[len(parts[i]):]
	}
	isChaCha := slices.ContainsFunc(found, func(p string) bool { return strings.Contains(p, "chacha") })
	if len(found) > 0 && !isChaCha {
		found = append(found, "aes")
	}
	slices.Sort(found)
	return slices.Compact(found)
}

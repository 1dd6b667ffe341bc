package xts

import "crypto/subtle"

// weakKeys is registry.WeakKeyChecker for all keys here.
type weakKeys struct{}

// WeakKey finds keys whose halves are equal, which FIPS 140 forbids, in constant time.
func (weakKeys) WeakKey(key []byte) string {
	half := len(key) / 2
	if subtle.ConstantTimeCompare(key[:half], key[half:]) == 1 {
		return "its halves are equal"
	}
	return ""
}

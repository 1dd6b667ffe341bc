package registry

// SealEach is what BatchAEAD.SealBatch means, one packet after the other.
func SealEach(a AEAD, packets []Packet, tag int) {
	for i := range packets {
		p := &packets[i]
		a.Seal(p.Dst[len(p.Dst)-len(p.Src)-tag:], p.Nonce, p.Src, p.AAD)
	}
}

// OpenEach is what BatchAEAD.OpenBatch means, one packet after the other.
func OpenEach(a AEAD, packets []Packet, tag int) (ok bool) {
	ok = true
	for i := range packets {
		p := &packets[i]
		n := len(p.Src) - tag
		if !a.Open(p.Dst[len(p.Dst)-n:], p.Nonce, p.Src[:n], p.Src[n:], p.AAD) {
			p.Err, ok = ErrAuth, false
		}
	}
	return ok
}

// EncryptEach is what BatchSkcipher.EncryptBatch means, one request after the other.
func EncryptEach(c Skcipher, requests []Request) {
	for i := range requests {
		p := &requests[i]
		c.Encrypt(p.Dst[:len(p.Src)], p.Src, p.IV)
	}
}

// DecryptEach is what BatchSkcipher.DecryptBatch means, one request after the other.
func DecryptEach(c Skcipher, requests []Request) {
	for i := range requests {
		p := &requests[i]
		c.Decrypt(p.Dst[:len(p.Src)], p.Src, p.IV)
	}
}

// EncryptAll has c encrypt the requests: by its EncryptBatch if it has one, or each by itself.
func EncryptAll(c Skcipher, requests []Request) {
	if b, ok := c.(BatchSkcipher); ok {
		b.EncryptBatch(requests)
	} else {
		EncryptEach(c, requests)
	}
}

// DecryptAll is EncryptAll for the other direction.
func DecryptAll(c Skcipher, requests []Request) {
	if b, ok := c.(BatchSkcipher); ok {
		b.DecryptBatch(requests)
	} else {
		DecryptEach(c, requests)
	}
}

package esp

import "kcrypto/registry"

var _ registry.PieceAEAD = (*AEAD)(nil)

// Pieces is Inner's way in for messages in pieces, if it has one. The salt begins the nonces.
func (a *AEAD) Pieces() (registry.Pieces, []byte) {
	if inner, ok := a.Inner.(registry.PieceAEAD); ok {
		p, _ := inner.Pieces()
		return p, a.Salt[:]
	}
	return nil, nil
}

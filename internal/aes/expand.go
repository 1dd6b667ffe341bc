package aes

// ExpandKey writes the round keys of key, which is 16, 24 or 32 bytes long, to enc and returns the number of rounds
// n. Round key i, for i from 0 to n, is enc[16*i:16*i+16] in the byte order of FIPS 197 section 5.2, which is also
// the one of the AESENC instruction. The rest of enc is left alone.
func ExpandKey(enc *[240]byte, key []byte) (rounds int) {
	rounds = Rounds(len(key))
	copy(enc[:], key)
	rcon := byte(1)
	for i := len(key); i < 16*(rounds+1); i += 4 {
		t := [4]byte(enc[i-4:])
		switch {
		case i%len(key) == 0:
			t = [4]byte{subByte(t[1]) ^ rcon, subByte(t[2]), subByte(t[3]), subByte(t[0])}
			rcon = mul(rcon, 2)
		case len(key) == 32 && i%len(key) == 16:
			t = [4]byte{subByte(t[0]), subByte(t[1]), subByte(t[2]), subByte(t[3])}
		}
		for j := range t {
			enc[i+j] = enc[i+j-len(key)] ^ t[j]
		}
	}
	return rounds
}

// InvertKey writes to dec the round keys of the equivalent inverse cipher (FIPS 197 section 5.3.5) that belong to
// enc, in the order in which the AESDEC instruction uses them: the last round key of enc first, and every one but
// the first and last through InvMixColumns.
func InvertKey(dec, enc *[240]byte, rounds int) {
	for r := range rounds + 1 {
		k := [16]byte(enc[16*(rounds-r):])
		if 0 < r && r < rounds {
			k = mixColumns(k, [4]byte{14, 11, 13, 9})
		}
		copy(dec[16*r:], k[:])
	}
}

package chacha

import (
	"encoding/hex"
	"strings"
)

// unhex decodes hex digits with any white space between them.
func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

const (
	zeros32   = "0000000000000000000000000000000000000000000000000000000000000000"
	key00to1f = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	key80to9f = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
	keyA23    = "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"

	sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
	jabber    = "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy were the borogoves,\nAnd the mome raths outgrabe."
	ietf      = "Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft or RFC " +
		"and any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such statements " +
		"include oral statements in IETF sessions, as well as written and electronic communications made at any time or place, " +
		"which are addressed to"
	dhole = "The dhole (pronounced \"dole\") is also known as the Asiatic wild dog, red dog, and whistling dog. It is about the size " +
		"of a German shepherd but looks more like a long-legged fox. This highly elusive and skilled jumper is classified with " +
		"wolves, coyotes, jackals, and foxes in the taxonomic family Canidae."
)

// streamVector is a known answer of a stream cipher. block is where in the stream of iv the text begins.
type streamVector struct {
	source, algorithm string
	key, iv           string
	block             uint64
	text              string
	want              string
}

var streamVectors = []streamVector{
	{"RFC 8439, 2.3.2", "chacha20", key00to1f, "01000000 000000090000004a00000000", 0, strings.Repeat("\x00", 64),
		`10f1e7e4d13b5915500fdd1fa32071c4 c7d1f4c733c068030422aa9ac3d46c4e
		 d2826446079faa0914c2d705d98b02a2 b5129cd1de164eb9cbd083e8a2503c4e`},
	{"RFC 8439, 2.4.2", "chacha20", key00to1f, "01000000 000000000000004a00000000", 0, sunscreen,
		`6e2e359a2568f98041ba0728dd0d6981 e97e7aec1d4360c20a27afccfd9fae0b f91b65c5524733ab8f593dabcd62b357
		 1639d624e65152ab8f530c359f0861d8 07ca0dbf500d6a6156a38e088a22b65e 52bc514d16ccf806818ce91ab7793736
		 5af90bbf74a35be6b40b8eedf2785e42 874d`},
	{"RFC 8439, A.1 #1 and A.2 #1", "chacha20", zeros32, "00000000 000000000000000000000000", 0, strings.Repeat("\x00", 64),
		`76b8e0ada0f13d90405d6ae55386bd28 bdd219b8a08ded1aa836efcc8b770dc7
		 da41597c5157488d7724e03fb8d84a37 6a43b8f41518a11cc387b669b2ee6586`},
	{"RFC 8439, A.1 #2", "chacha20", zeros32, "01000000 000000000000000000000000", 0, strings.Repeat("\x00", 64),
		`9f07e7be5551387a98ba977c732d080d cb0f29a048e3656912c6533e32ee7aed
		 29b721769ce64e43d57133b074d839d5 31ed1f28510afb45ace10a1f4b794d6f`},
	{"RFC 8439, A.1 #3", "chacha20", zeros32[:62] + "01", "01000000 000000000000000000000000", 0, strings.Repeat("\x00", 64),
		`3aeb5224ecf849929b9d828db1ced4dd 832025e8018b8160b82284f3c949aa5a
		 8eca00bbb4a73bdad192b5c42f73f2fd 4e273644c8b36125a64addeb006c13a0`},
	{"RFC 8439, A.1 #4", "chacha20", "00ff" + zeros32[4:], "02000000 000000000000000000000000", 0, strings.Repeat("\x00", 64),
		`72d54dfbf12ec44b362692df94137f32 8fea8da73990265ec1bbbea1ae9af0ca
		 13b25aa26cb4a648cb9b9d1be65b2c09 24a66c54d545ec1b7374f4872e99f096`},
	{"RFC 8439, A.1 #5", "chacha20", zeros32, "00000000 000000000000000000000002", 0, strings.Repeat("\x00", 64),
		`c2c64d378cd536374ae204b9ef933fcd 1a8b2288b3dfa49672ab765b54ee27c7
		 8a970e0e955c14f3a88e741b97c286f7 5f8fc299e8148362fa198a39531bed6d`},
	{"RFC 8439, A.2 #2", "chacha20", zeros32[:62] + "01", "01000000 000000000000000000000002", 0, ietf,
		`a3fbf07df3fa2fde4f376ca23e827370 41605d9f4f4f57bd8cff2c1d4b7955ec 2a97948bd3722915c8f3d337f7d37005
		 0e9e96d647b7c39f56e031ca5eb6250d 4042e02785ececfa4b4bb5e8ead0440e 20b6e8db09d881a7c6132f420e527950
		 42bdfa7773d8a9051447b3291ce1411c 680465552aa6c405b7764d5e87bea85a d00f8449ed8f72d0d662ab052691ca66
		 424bc86d2df80ea41f43abf937d3259d c4b2d0dfb48a6c9139ddd7f76966e928 e635553ba76c5c879d7b35d49eb2e62b
		 0871cdac638939e25e8a1e0ef9d5280f a8ca328b351c3c765989cbcf3daa8b6c cc3aaf9f3979c92b3720fc88dc95ed84
		 a1be059c6499b9fda236e7e818b04b0b c39c1e876b193bfe5569753f88128cc0 8aaa9b63d1a16f80ef2554d7189c411f
		 5869ca52c5b83fa36ff216b9c1d30062 bebcfd2dc5bce0911934fda79a86f6e6 98ced759c3ff9b6477338f3da4f9cd85
		 14ea9982ccafb341b2384dd902f3d1ab 7ac61dd29c6f21ba5b862f3730e37cfd c4fd806c22f221`},
	{"RFC 8439, A.2 #3", "chacha20", keyA23, "2a000000 000000000000000000000002", 0, jabber,
		`62e6347f95ed87a45ffae7426f27a1df 5fb69110044c0d73118effa95b01e5cf 166d3df2d721caf9b21e5fb14c616871
		 fd84c54f9d65b283196c7fe4f60553eb f39c6402c42234e32a356b3e764312a6 1a5532055716ead6962568f87d3f3f77
		 04c6a8d1bcd1bf4d50d6154b6da731b1 87b58dfd728afa36757a797ac188d1`},
	{"draft-irtf-cfrg-xchacha, A.3.2.1", "xchacha20", key80to9f, "404142434445464748494a4b4c4d4e4f 5051525354555658 0000000000000000", 0, dhole,
		`4559abba4e48c16102e8bb2c05e6947f50a786de162f9b0b7e592a9b53d0d4e98d8d6410d540a1a6375b26d80dace4fa
		 b52384c731acbf16a5923c0c48d3575d4d0d2c673b666faa731061277701093a6bf7a158a8864292a41c48e3a9b4c0da
		 ece0f8d98d0d7e05b37a307bbb66333164ec9e1b24ea0d6c3ffddcec4f68e7443056193a03c810e11344ca06d8ed8a2b
		 fb1e8d48cfa6bc0eb4e2464b748142407c9f431aee769960e15ba8b96890466ef2457599852385c661f752ce20f9da0c
		 09ab6b19df74e76a95967446f8d0fd415e7bee2a12a114c20eb5292ae7a349ae577820d5520a1f3fb62a17ce6a7e68fa
		 7c79111d8860920bc048ef43fe84486ccb87c25f0ae045f0cce1e7989a9aa220a28bdd4827e751a24a6d5c62d790a663
		 93b93111c1a55dd7421a10184974c7c5`},
	{"draft-irtf-cfrg-xchacha, A.3.2.2", "xchacha20", key80to9f, "404142434445464748494a4b4c4d4e4f 5051525354555658 0100000000000000", 0, dhole[:192],
		`7d0a2e6b7f7c65a236542630294e063b7ab9b555a5d5149aa21e4ae1e4fbce87ecc8e08a8b5e350abe622b2ffa617b20
		 2cfad72032a3037e76ffdcdc4376ee053a190d7e46ca1de04144850381b9cb29f051915386b8a710b8ac4d027b8b050f
		 7cba5854e028d564e453b8a968824173fc16488b8970cac828f11ae53cabd20112f87107df24ee6183d2274fe4c8b148
		 5534ef2c5fbc1ec24bfc3663efaa08bc047d29d25043532db8391a8a3d776bf4372a6955827ccb0cdd4af403a7ce4c63`},
	{"Adiantum's XChaCha12_32, bit 0 of key", "xchacha12", "01" + zeros32[2:], zeros32, 0, strings.Repeat("\x00", 64),
		`b9815b9baea6918f3dce2daefad8bfc1c5c0c4f4baebafeb5723f1348004e064
		 7d444d4b5ccac99d7ab6491e45f85673a6d0ca4b298f2bdd8e989b4bf39ff7a1`},
	{"Adiantum's XChaCha12_32, bit 0 of key", "xchacha12", "01" + zeros32[2:], zeros32, 1, strings.Repeat("\x00", 64),
		`e3dd793fe50c5c09f7e8f579ab3f5ce1500a781b5f65054ab350d5ec4fb4aad0
		 0e2ae015f11749a0834bba0790a19cd221831dd3570f705ff36d11fe1bc58c9d`},
	{"Adiantum's XChaCha12_32, bit 34 of key", "xchacha12", "0000000004" + zeros32[10:], zeros32, 1023, strings.Repeat("\x00", 64),
		`7057ddb176061e404e93acac77fd47768197f9538be484c1ed1773c590797a04
		 f55dda0f7ec290a144386fabe32e62efa7d8f85a1c83d7dcf563513b57e0ae29`},
	{"Adiantum's XChaCha12_32, bit 187 of key", "xchacha12", "0000000000000000000000000000000000000000000000080000000000000000", zeros32, 1024, strings.Repeat("\x00", 64),
		`baffe571ecdcdbaf745b22ad89df086b5d23863b762abbe05c5e999e0f11e92e
		 0126ade8cbecae9ef330bc98a9a6ead111ffd452e06ea4b8de14edb73f9c46b7`},
}

// macVectors are RFC 8439, 2.5.2 and A.3. A short last block (2.5.2, #2 to #4) does not occur in an AEAD.
var macVectors = []struct{ source, key, text, want string }{
	{"2.5.2", "85d6be7857556d337f4452fe42d506a8 0103808afb0db2fd4abff6af4149f51b", "Cryptographic Forum Research Group", "a8061dc1305136c6c22b8baf0c0127a9"},
	{"#1", zeros32, strings.Repeat("\x00", 64), "00000000000000000000000000000000"},
	{"#2", zeros32[:32] + "36e5f6b5c5e06070f0efca96227a863e", ietf, "36e5f6b5c5e06070f0efca96227a863e"},
	{"#3", "36e5f6b5c5e06070f0efca96227a863e" + zeros32[:32], ietf, "f3477e7cd95417af89a6b8794c310cf0"},
	{"#4", keyA23, jabber, "4541669a7eaaee61e708dc7cbcc5eb62"},
	{"#5", "02" + zeros32[2:], string(unhex("ffffffffffffffffffffffffffffffff")), "03000000000000000000000000000000"},
	{"#6", "02" + zeros32[2:32] + "ffffffffffffffffffffffffffffffff", "\x02" + strings.Repeat("\x00", 15), "03000000000000000000000000000000"},
	{"#7", "01" + zeros32[2:], string(unhex(`ffffffffffffffffffffffffffffffff f0ffffffffffffffffffffffffffffff
		11000000000000000000000000000000`)), "05000000000000000000000000000000"},
	{"#8", "01" + zeros32[2:], string(unhex(`ffffffffffffffffffffffffffffffff fbfefefefefefefefefefefefefefefe
		01010101010101010101010101010101`)), "00000000000000000000000000000000"},
	{"#9", "02" + zeros32[2:], string(unhex("fdffffffffffffffffffffffffffffff")), "faffffffffffffffffffffffffffffff"},
	{"#10", "01000000000000000400000000000000" + zeros32[:32], string(unhex(`e33594d7505e43b90000000000000000
		3394d7505e4379cd0100000000000000 00000000000000000000000000000000 01000000000000000000000000000000`)), "14000000000000005500000000000000"},
	{"#11", "01000000000000000400000000000000" + zeros32[:32], string(unhex(`e33594d7505e43b90000000000000000
		3394d7505e4379cd0100000000000000 00000000000000000000000000000000`)), "13000000000000000000000000000000"},
}

// aeadVector is a known answer of an AEAD: want is ciphertext and tag.
type aeadVector struct {
	source, algorithm string
	key, nonce, aad   string
	text              string
	want              string
}

var aeadVectors = []aeadVector{
	{"RFC 8439, 2.8.2", aeadAlgorithm, key80to9f, "07000000 4041424344454647", "50515253c0c1c2c3c4c5c6c7", sunscreen,
		`d31a8d34648e60db7b86afbc53ef7ec2 a4aded51296e08fea9e2b5a736ee62d6 3dbea45e8ca9671282fafb69da92728b
		 1a71de0a9e060b2905d6a5b67ecd3b36 92ddbd7f2d778b8c9803aee328091b58 fab324e4fad675945585808b4831d7bc
		 3ff4def08e4b7a9de576d26586cec64b 6116 1ae10b594f09e26a7e902ecbd0600691`},
	{"RFC 8439, A.5", aeadAlgorithm, keyA23, "000000000102030405060708", "f33388860000000000004e91",
		"Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or obsoleted by other " +
			"documents at any time. It is inappropriate to use Internet-Drafts as reference material or to cite them other than as " +
			"/\u201cwork in progress./\u201d",
		`64a0861575861af460f062c79be643bd 5e805cfd345cf389f108670ac76c8cb2 4c6cfc18755d43eea09ee94e382d26b0
		 bdb7b73c321b0100d4f03b7f355894cf 332f830e710b97ce98c8a84abd0b9481 14ad176e008d33bd60f982b1ff37c855
		 9797a06ef4f0ef61c186324e2b350638 3606907b6a7c02b0f9f6157b53c867e4 b9166c767b804d46a59b5216cde7a4e9
		 9040c5a40433225ee282a1b0a06c523e af4534d7f83fa1155b0047718cbc546a 0d072b04b3564eea1b422273f548271a
		 0bb2316053fa76991955ebd63159434e cebb4e466dae5a1073a6727627097a10 49e617d91d361094fa68f0ff77987130
		 305beaba2eda04df997b714d6c6f2c29 a6ad5cb4022b02709b eead9d67890cbb22392336fea1851f38`},
	{"draft-irtf-cfrg-xchacha, A.3.1", "xchacha20poly1305", key80to9f, "404142434445464748494a4b4c4d4e4f5051525354555657", "50515253c0c1c2c3c4c5c6c7", sunscreen,
		`bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39
		 ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
		 21f9664c97637da9768812f615c68b13b52e c0875924c1c7987947deafd8780acf49`},
	// The IKE example has 32 bytes of additional data, which ESP does not.
	{"RFC 7634, appendix A", espAlgorithm, key80to9f + "a0a1a2a3", "1011121314151617", "0102030400000005",
		string(unhex(`45000054a6f200004001e778c6336405 c000020508005b7a3a080000553bec10 0007362708090a0b0c0d0e0f10111213
		 1415161718191a1b1c1d1e1f20212223 2425262728292a2b2c2d2e2f30313233 3435363701020204`)),
		`24039428b97f417e3c13753a4f05087b 67c352e6a7fab1b982d466ef407ae5c6 14ee8099d52844eb61aa95dfab4c02f7
		 2aa71e7c4c4f64c9befe2facc638e8f3 cbec163fac469b502773f6fb94e664da 9165b82829f641e0
		 76aaa8266b7fb0f7b11b369907e1ad43`},
	{"RFC 7634, appendix B", espAlgorithm, key80to9f + "a0a1a2a3", "1011121314151617",
		"c0c1c2c3c4c5c6c7d0d1d2d3d4d5d6d72e202500000000090000004529000029", string(unhex("0000000c000040010000000a00")),
		"610394701f8d017f7c12924889 6b71bfe25236efd7cdc67066906315b2"},
}

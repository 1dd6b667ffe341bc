package selftest

// vectorsCTR is ctr(aes). RFC 3686 prints its counter blocks, so its messages serve here as well. No standard
// prints a message whose 128-bit counter wraps: those entries follow the definition.
var vectorsCTR = []vector{
	{
		source: "NIST SP 800-38A F.5.1",
		key:    "2b7e151628aed2a6abf7158809cf4f3c",
		iv:     "f0..ff",
		in: "" +
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef" +
			"f69f2445df4f9b17ad2b417be66c3710",
		out: "" +
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab" +
			"1e031dda2fbe03d1792170a0f3009cee",
	},
	{
		source: "NIST SP 800-38A F.5.3",
		key:    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		iv:     "f0..ff",
		in: "" +
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef" +
			"f69f2445df4f9b17ad2b417be66c3710",
		out: "" +
			"1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd1d665620abf7" +
			"4f78a7f6d29809585a97daec58c6b050",
	},
	{
		source: "NIST SP 800-38A F.5.5",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "f0..ff",
		in: "" +
			"6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef" +
			"f69f2445df4f9b17ad2b417be66c3710",
		out: "" +
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988d" +
			"dfc9c58db67aada613c2dd08457941a6",
	},
	{
		source: "RFC 3686 test vector 1",
		key:    "ae6852f8121067cc4bf7a5765577f39e",
		iv:     "00000030 00*11 01",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "e4095d4fb7a7b3792d6175a3261311b8",
	},
	{
		source: "RFC 3686 test vector 2",
		key:    "7e24067817fae0d743d6ce1f32539163",
		iv:     "006cb6dbc0543b59da48d90b00000001",
		in:     "00..1f",
		out:    "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
	},
	{
		source: "RFC 3686 test vector 3",
		key:    "7691be035e5020a8ac6e618529f9a0dc",
		iv:     "00e0017b27777f3f4a1786f000000001",
		in:     "00..23",
		out:    "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f",
	},
	{
		source: "RFC 3686 test vector 4",
		key:    "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb78515",
		iv:     "0000004836733c147d6d93cb00000001",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "4b55384fe259c9c84e7935a003cbe928",
	},
	{
		source: "RFC 3686 test vector 5",
		key:    "7c5cb2401b3dc33c19e7340819e0f69c678c3db8e6f6a91a",
		iv:     "0096b03b020c6eadc2cb500d00000001",
		in:     "00..1f",
		out:    "453243fc609b23327edfaafa7131cd9f8490701c5ad4a79cfc1fe0ff42f4fb00",
	},
	{
		source: "RFC 3686 test vector 6",
		key:    "02bf391ee8ecb159b959617b0965279bf59b60a786d3e0fe",
		iv:     "0007bdfd5cbd60278dcc091200000001",
		in:     "00..23",
		out:    "96893fc55e5c722f540b7dd1ddf7e758d288bc95c69165884536c811662f2188abee0935",
	},
	{
		source: "RFC 3686 test vector 7",
		key:    "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104",
		iv:     "00000060db5672c97aa8f0b200000001",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "145ad01dbf824ec7560863dc71e3e0c0",
	},
	{
		source: "RFC 3686 test vector 8",
		key:    "f6d66d6bd52d59bb0796365879eff886c66dd51a5b6a99744b50590c87a23884",
		iv:     "00faac24c1585ef15a43d87500000001",
		in:     "00..1f",
		out:    "f05e231b3894612c49ee000b804eb2a9b8306b508f839d6a5530831d9344af1c",
	},
	{
		source: "RFC 3686 test vector 9",
		key:    "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d",
		iv:     "001cc5b751a51d70a1c1114800000001",
		in:     "00..23",
		out:    "eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: the low 32 bits of the counter wrap",
		key:    "2b7e151628aed2a6abf7158809cf4f3c",
		iv:     "000102030405060708090a0bffffffff",
		in:     "00..20",
		out:    "bdb6c2ec4d747f45f461e4ba7a9ff2fbfee98c8780d41e3daa64578b89e3e17fc4",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: the low 64 bits of the counter wrap",
		key:    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		iv:     "0001020304050607fffffffffffffffe",
		in:     "00..3e",
		out: "" +
			"ec8dd583d8781a13665de3ac53d43edce952bbf1ef37be6081c2526652363909b657bf7113bf6561208cf6ea25a0b53a" +
			"1085defa4eb584094da1a78eaea16b",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: the low 96 bits of the counter wrap",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "00010203 ff*12",
		in:     "00..2f",
		out:    "11954818e249e4ae7f07b2f4f21401f33cc57bf73e93301f959d40fa1c0bc52c7fb611243d987c0475bc14b74ea535de",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: all 128 bits of the counter wrap",
		key:    "2b7e151628aed2a6abf7158809cf4f3c",
		iv:     "ff*15 fd",
		in:     "00..63",
		out: "" +
			"fefb3a19e242a42f9f17d10950637cedc1a606a5efe0e9e63083f4315053f3bcaad3a42266d2a0d32119563113538483" +
			"4dc6593f2e8daf84067bca7c85266a5017533f0370f4f8f8e6bd2cf28b3f2189c76e7ca01c2cb455274e6e6b63af41d6" +
			"26fd1da8",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: no false carry out of the low 64 bits",
		key:    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
		iv:     "00*8 7fffffffffffffff",
		in:     "00..27",
		out:    "bb91a1ee4c1560540214109cba2c9907fb66fe4a27fbac1755b83b35216fa834552a1ad42d2c3c18",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: wrap in block 18 of 19",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "ff*15 ee",
		in:     "00..ff 00..2b",
		out: "" +
			"9df06df9302036a5295d62782557043c56434ceef84c783b0bf5a27a0e6ce279065f8eb125e8ca0ec2b2c3adaeff1e06" +
			"531de57372df6a3ba357082ee6a9e98d955af85eac27557257dd8dc3d56818d00b5da3c6d7850f36e4075145a00ac187" +
			"c343d00817277bc9968960f8a461d19e6c47ae8fc9dcf4e73e2cf3a2d0e7cffc692641ed37514640d39aafc9518dda30" +
			"5a16d8e4d9df3fa887293f0c9f432f08dbaf064ad7a4665b350333c26151618506dd0d9973f9472c736b1e06fb6c99d2" +
			"cf27d9dac0e8ee6d5aef6f8de07023603ca084acb6ef5f49ba64d41dc2b1e9f33287d922daf8f2201618cb548907f750" +
			"442b5554443772688e6769f6f9f7a2b04f9cb541115fc305caa72209373e38eb2b2d3b32dc4f32c982df1cd571007ed3" +
			"c549d4a2b0ea50f13f6466eb",
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: offset carries into the upper half",
		key:    "2b7e151628aed2a6abf7158809cf4f3c",
		iv:     "00*8 fffffffffffffff0",
		in:     "00..45",
		out: "" +
			"845da56fd50158009660b28c0f5dc1ad501e79e9a8858f9cf093ac1c5b991610919176150a8413c4bf9c6298c194df1d" +
			"eefce874719abd0b9dedc2824a8313699db266812ff1",
		offset: 16<<36 - 24,
	},
	{
		source: "computed from NIST SP 800-38A 6.5 with AES: random access across block 2^32",
		key:    "2b7e151628aed2a6abf7158809cf4f3c",
		iv:     "00*16",
		in:     "00..63",
		out: "" +
			"80028d45e83d8cfd7afc28c1a8250ae96ec3e2af38b7d6a22bd854658ec5f5fa7ec3fafaae3b43154fb881b50383c3c0" +
			"77bc3c4f117527994dd806a848f3b6fb4b115642ac0e12c8e9059a7010ac0cc2e5b9cb93aec79f09890dc327828b4a9d" +
			"0072fb31",
		offset: 16<<32 - 40,
	},
}

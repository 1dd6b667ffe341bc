package selftest

// vectorsRFC3686 is rfc3686(ctr(aes)): key and 4 byte nonce, 8 byte IV, a counter that begins at 1.
var vectorsRFC3686 = []vector{
	{
		source: "RFC 3686 test vector 1",
		key:    "ae6852f8121067cc4bf7a5765577f39e00000030",
		iv:     "00*8",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "e4095d4fb7a7b3792d6175a3261311b8",
	},
	{
		source: "RFC 3686 test vector 2",
		key:    "7e24067817fae0d743d6ce1f32539163006cb6db",
		iv:     "c0543b59da48d90b",
		in:     "00..1f",
		out:    "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
	},
	{
		source: "RFC 3686 test vector 3",
		key:    "7691be035e5020a8ac6e618529f9a0dc00e0017b",
		iv:     "27777f3f4a1786f0",
		in:     "00..23",
		out:    "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f",
	},
	{
		source: "RFC 3686 test vector 4",
		key:    "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb7851500000048",
		iv:     "36733c147d6d93cb",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "4b55384fe259c9c84e7935a003cbe928",
	},
	{
		source: "RFC 3686 test vector 5",
		key:    "7c5cb2401b3dc33c19e7340819e0f69c678c3db8e6f6a91a0096b03b",
		iv:     "020c6eadc2cb500d",
		in:     "00..1f",
		out:    "453243fc609b23327edfaafa7131cd9f8490701c5ad4a79cfc1fe0ff42f4fb00",
	},
	{
		source: "RFC 3686 test vector 6",
		key:    "02bf391ee8ecb159b959617b0965279bf59b60a786d3e0fe0007bdfd",
		iv:     "5cbd60278dcc0912",
		in:     "00..23",
		out:    "96893fc55e5c722f540b7dd1ddf7e758d288bc95c69165884536c811662f2188abee0935",
	},
	{
		source: "RFC 3686 test vector 7",
		key:    "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c10400000060",
		iv:     "db5672c97aa8f0b2",
		in:     "53696e676c6520626c6f636b206d7367",
		out:    "145ad01dbf824ec7560863dc71e3e0c0",
	},
	{
		source: "RFC 3686 test vector 8",
		key:    "f6d66d6bd52d59bb0796365879eff886c66dd51a5b6a99744b50590c87a2388400faac24",
		iv:     "c1585ef15a43d875",
		in:     "00..1f",
		out:    "f05e231b3894612c49ee000b804eb2a9b8306b508f839d6a5530831d9344af1c",
	},
	{
		source: "RFC 3686 test vector 9",
		key:    "ff7a617ce69148e4f1726e2f43581de2aa62d9f805532edff1eed687fb54153d001cc5b7",
		iv:     "51a51d70a1c11148",
		in:     "00..23",
		out:    "eb6c52821d0bbbf7ce7594462aca4faab407df866569fd07f48cc0b583d6071f1ec0e6b8",
	},
	{
		source: "computed from RFC 3686 section 4 with AES-192: 271 bytes",
		key:    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7bf0f1f2f3",
		iv:     "f4..fb",
		in:     "00..ff 00..0e",
		out: "" +
			"9a884f675154e63b77cf120c368760f3ce8a65d215c5e8b993a110d1d3a92b6fc443092eaf1b43cee2e2e65976f7f174" +
			"cc2715055fbd421030bf4f7b784570d67b4b1250d509a6e927f86433d33eded559406e7deec0e99c7f33beefa6b480d5" +
			"f6ac1c857fd80672b4326980dc147c54b03805f7908ac8e6e88dac9a3186987429c436b9df7f992ece1ee6987a595b2a" +
			"30a781d74777a54915c1320a3500313133b2184c1a6659533aa69802d5fe63a8f12af827ad89ed808854edd17969fe6a" +
			"9119f4624f748bc7628d7e4a5e24d3acacc35674d7e2468f7148bebd53f80748d8b688bd2dadbe884967623676ceef59" +
			"eea2bf4f92eb2469452ad3399ac7c2e8e6194c31abc0fe62bd7fc96e8ce742",
	},
}

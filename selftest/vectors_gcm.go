package selftest

// vectorsGCM is gcm(aes): every key and tag size, nonces of 1, 8, 12, 16, 60 and 128 bytes, and counters that wrap
// at 32 bits.
var vectorsGCM = []vector{
	{
		source: "GCM specification test case 1",
		key:    "00*16",
		iv:     "00*12",
		out:    "58e2fccefa7e3061367f1d57a4e7455a",
	},
	{
		source: "GCM specification test case 2",
		key:    "00*16",
		iv:     "00*12",
		in:     "00*16",
		out:    "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf",
	},
	{
		source: "GCM specification test case 3",
		key:    "feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbaddecaf888",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b391aafd255",
		out: "" +
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05" +
			"1ba30b396a0aac973d58e091473f59854d5c2af327cd64a62cf35abd2ba6fab4",
	},
	{
		source: "GCM specification test case 4",
		key:    "feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbaddecaf888",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05" +
			"1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47",
	},
	{
		source: "GCM specification test case 5",
		key:    "feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbad",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b42" +
			"4989b5e1ebac0f07c23f45983612d2e79e3b0785561be14aaca2fccb",
	},
	{
		source: "GCM specification test case 6",
		key:    "feffe9928665731c6d6a8f9467308308",
		iv: "" +
			"9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254" +
			"16aedbf5a0de6a57a637b39b",
		aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6f" +
			"d62875d2aca417034c34aee5619cc5aefffe0bfa462af43c1699d050",
	},
	{
		source: "GCM specification test case 7",
		key:    "00*24",
		iv:     "00*12",
		out:    "cd33b28ac773f74ba00ed1f312572435",
	},
	{
		source: "GCM specification test case 8",
		key:    "00*24",
		iv:     "00*12",
		in:     "00*16",
		out:    "98e7247c07f0fe411c267e4384b0f6002ff58d80033927ab8ef4d4587514f0fb",
	},
	{
		source: "GCM specification test case 9",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		iv:     "cafebabefacedbaddecaf888",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b391aafd255",
		out: "" +
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f47" +
			"18e2448b2fe324d9ccda2710acade2569924a7c8587336bfb118024db8674a14",
	},
	{
		source: "GCM specification test case 10",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		iv:     "cafebabefacedbaddecaf888",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f47" +
			"18e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c",
	},
	{
		source: "GCM specification test case 11",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		iv:     "cafebabefacedbad",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057fddc29df9a471f75c66541d4d4dad1c9" +
			"e93a19a58e8b473fa0f062f765dcc57fcf623a24094fcca40d3533f8",
	},
	{
		source: "GCM specification test case 12",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c",
		iv: "" +
			"9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254" +
			"16aedbf5a0de6a57a637b39b",
		aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e4581e79012af34ddd9e2f037589b292db3" +
			"e67c036745fa22e7e9b7373bdcf566ff291c25bbb8568fc3d376a6d9",
	},
	{
		source: "GCM specification test case 13",
		key:    "00*32",
		iv:     "00*12",
		out:    "530f8afbc74536b9a963b4f1c4cb738b",
	},
	{
		source: "GCM specification test case 14",
		key:    "00*32",
		iv:     "00*12",
		in:     "00*16",
		out:    "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
	},
	{
		source: "GCM specification test case 15",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbaddecaf888",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b391aafd255",
		out: "" +
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838" +
			"c5f61e6393ba7a0abcc9f662898015adb094dac5d93471bdec1a502270e3cc6c",
	},
	{
		source: "GCM specification test case 16",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbaddecaf888",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838" +
			"c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
	},
	{
		source: "GCM specification test case 17",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		iv:     "cafebabefacedbad",
		aad:    "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0feb582d33934a4f0954cc2363bc73f78" +
			"62ac430e64abe499f47c9b1f3a337dbf46a792c45e454913fe2ea8f2",
	},
	{
		source: "GCM specification test case 18",
		key:    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
		iv: "" +
			"9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254" +
			"16aedbf5a0de6a57a637b39b",
		aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
		in: "" +
			"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525" +
			"b16aedf5aa0de657ba637b39",
		out: "" +
			"5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cde" +
			"a2418997200ef82e44ae7e3fa44a8266ee1c8eb0c8b5d4cf5ae9f19a",
	},
	{
		source: "OpenSSL evpciph_aes_common.txt, low byte of the first counter 0xff",
		key:    "00*16",
		iv:     "ffffffff 00*60",
		in:     "00*288",
		out: "" +
			"56b3373ca9ef6e4a2b64fe1e9a17b61425f10d47a75a5fce13efc6bc784af24f4141bdd48cf7c770887afd573cca5418" +
			"a9aeffcd7c5ceddfc6a78397b9a85b499da558257267caab2ad0b23ca476a53cb17fb41c4b8b475cb4f3f7165094c229" +
			"c9e8c4dc0a2a5ff1903e501511221376a1cdb8364c5061a20cae74bc4acd76ceb0abc9fd3217ef9f8c90be402ddf6d86" +
			"97f4f880dff15bfb7a6b28241ec8fe183c2d59e3f9dfff653c7126f0acb9e64211f42bae12af462b1070bef1ab5e3606" +
			"872ca10dee15b3249b1a1b958f23134c4bccb7d03200bce420a2f8eb66dcf3644d1423c1b5699003c13ecef4bf38a3b6" +
			"0eedc34033bac1902783dc6d89e2e774188a439c7ebcc0672dbda4ddcfb2794613b0be41315ef778708a70ee7d75165c" +
			"8b307f6b33286d0ab026a9ed3fe1e85f",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV128, IV 96, text 408, AAD 720, tag 120 bits, count 3",
		key:    "d1c014291797b14908cec5e491651a74",
		iv:     "069b4dcedb340d99876cd518",
		aad: "" +
			"8842a14ba33e791a4a77ad1a0c3aa75459b1fbe3f2274a5feeea074a1812c78314226b775034e4fa7393675a79e506e6" +
			"fc648543811c958f6ff885ad9308b1c909339f8dca382ff282441a5acde4be007c432e612ba5d90872fc",
		in: "" +
			"fe48510322bf49e7f57fc9dc12ba8f7d92a58b5d12a62102d7863a3c385f9eebbce903591877e2219a5ce73ef39f925e" +
			"82c4e0",
		out: "" +
			"fefa0640ba53d2b3c341aef90c089eb25f67b6cadffff753bdd89a1330a793a9c1eb0035886953d4dc3331c1b036584f" +
			"4cee2f3c221b9a781e38697de565e466d71f",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV192, IV 96, text 408, AAD 160, tag 112 bits, count 0",
		key:    "b788c4b728851531c46e634f13866dc9c029a3993bb35693",
		iv:     "7c499f0f70dcd29c69aa4c62",
		aad:    "7b5fb8679a14b5416fd8d04fbd561ca19547559a",
		in: "" +
			"f6a5010bd707016abd57dc41f669003813ba2d8f07bb128a127396b8c674c9d9d5850c6620c7cb9a0e16379324de0724" +
			"c01e59",
		out: "" +
			"53994ae2f9e8f343247758b10cb7ebcff14a37292215613e0ef28e7003fb8b4b9d966bd1139e2147581f1cbdf2ee1b27" +
			"1ed6c5cb118e05224436645670b69d067c",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV256, IV 96, text 256, AAD 384, tag 104 bits, count 7",
		key:    "9a7d6d173e4abd84af94e14d73da22bf2b63691c5d7817cf65a150d5f4930a8f",
		iv:     "211703c4e7b7e2846fc89462",
		aad:    "91eaafbe1e5a62fbb4df58743824fe89fe5983fad15649c9d60299c8b4b59992d2bf6a5cac31a8e03b1ed1041d9754fa",
		in:     "e387cd8b8c44280683d259a962e9e98e81779001b34dcd86afd98a94f3e8cbf3",
		out:    "3c046e2e92ea12dfc27e34b323b9a70f64a73f6ee2b739873121854eb86d2f9f871bcbeaad472faa8b7afe02a6",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV128, IV 96, text 104, AAD 160, tag 96 bits, count 1",
		key:    "76597d493e81d2c3a0a929c39d60a33a",
		iv:     "3ac49e3fb5a27139843dc35a",
		aad:    "99a1361482c86dac96fc7120e92b3709db3a269f",
		in:     "2d30a8c0a810fd6bc3a8762536",
		out:    "b1c680e0663172f44c6331abfcdff69159a6cb3cb76babf773",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV256, IV 96, text 128, AAD 128, tag 64 bits, count 2",
		key:    "cf6751b2dd8502d90f0b0a780daa303d5f2000d8685e147bf2ebab4830b9159d",
		iv:     "0afe83188c7523e29cc425a9",
		aad:    "3177c0d4ccf0e3ca0f3a1f58bc259850",
		in:     "4de4cee2dac2dd562eb24bf8e4efdca5",
		out:    "56ae75d770169be3987a530112a9eb82a57f4d3b12e4347a",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV192, IV 96, text 104, AAD 128, tag 32 bits, count 0",
		key:    "bd5ba143f0da31b52071ed822a2b40604b9c087782ff20b2",
		iv:     "d489b696c2263c8bfc3e9ce0",
		aad:    "11e245632b8d659760217057a2fd20d4",
		in:     "d1c3e85a8866dd770c046eb719",
		out:    "b384c81ff4c006d27acbd5582d39dd6479",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV128, IV 8, text 408, AAD 160, tag 128 bits, count 5",
		key:    "f68d92716be94ad2188782c5b2d70c8f",
		iv:     "9a",
		aad:    "f8d317fa82c5491a810051f789a38475e9583506",
		in: "" +
			"c53cc0ea05a6957a845610109665ab240d951e64ed3ce8ee8afe1ef80a710331dc1ac20b0af0d1ef8c7b7554d0d86e66" +
			"96502a",
		out: "" +
			"562c3f571470e956ec15b284c14c55a8f05ec1dec1f9099d1e85ad30cf9874cc52c7542d429cf57a49404039766cd974" +
			"257b4bf36de05aa136f4fa0b48974ba47f948c",
	},
	{
		source: "NIST CAVP gcmEncryptExtIV256, IV 1024, text 104, AAD 384, tag 128 bits, count 0",
		key:    "94e21085ba592aef2d240efd37da94f00b60ccffada75b7b13420ff72ff62e89",
		iv: "" +
			"302abe163a1108874b7f0d43cb4b8932573fdf52bc7b8d11140f82ba05c231a8548b1bbd54f8c86de63ea70a048b4ba8" +
			"b93a7979c51ca0b76f02fd941b6933843bedaac740d9c36c26959d1f23aa08722a3cfa0500c07c99a1807926252d3992" +
			"57fb2fb977b0e5d42784646f54f40a51df9f963e9b8d55257b8bb278a8f5958d",
		aad: "2a6a3152ac1f25cc2f7903f8ad7231d8027dcfa47eb91b5cca894d50ddc695376dfce7937a02e765bd2de2a0524bede6",
		in:  "f916c626d5248bac71620580f4",
		out: "6e59d94162f387679232c1fccf95732b3844122a5b84c1013fd8c45897",
	},
	{
		source: "Wycheproof aes_gcm tcId 77, CounterWrap",
		key:    "00112233445566778899aabbccddeeff",
		iv:     "f95fde4a751913202aeeee32a0b55753",
		in:     "00*40",
		out: "" +
			"00078d109d92143fcd5df56721b884fac64ac7762cc09eea2a3c68e92a17bdb575f87bda18be564e152a65045fe674f9" +
			"7627427af5be22da",
	},
	{
		source: "Wycheproof aes_gcm tcId 80, CounterWrap",
		key:    "00112233445566778899aabbccddeeff",
		iv:     "dd9d0b4a0c3d681524bffca31d907661",
		in:     "00*40",
		out: "" +
			"64b19314c31af45accdf7e3c4db79f0d948ca37a8e6649e88aeffb1c598f3607007702417ea0e0bc5281efc7f13ac8e1" +
			"4ccf5dca7bfbfdd1",
	},
	{
		source: "Wycheproof aes_gcm tcId 84, CounterWrap",
		key:    "00112233445566778899aabbccddeeff",
		iv:     "d4125676562984c0fe7cb0bdd1a954e8",
		in:     "00*40",
		out: "" +
			"f0c6ffc18bd46df5569185a9afd169eb0cf6ae47156b14dce03c8a07a2e172b1127af9b39ecdfc57facd0bfe8701b7b4" +
			"a2ba96d98af52bd9",
	},
	{
		source: "Wycheproof aes_gcm tcId 166, CounterWrap",
		key:    "00112233445566778899aabbccddeeff1021324354657687",
		iv:     "6985924901d688659b40a999d974dbfd",
		in:     "00*40",
		out: "" +
			"af193090ce3d43a388a1d294a09616906f8e174efca3097299f784efd4caff0bf168c3e5165b9ad33b08958be1286c2b" +
			"4acba02b3674adb2",
	},
	{
		source: "Wycheproof aes_gcm tcId 251, CounterWrap",
		key:    "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
		iv:     "24836f0a46ab6601a760221b074cbd6d",
		in:     "00*40",
		out: "" +
			"5e3434b45edbf0d1f6e02d1144dbf867a1a0120660ff52e6b1700b12c54d2d33b94b00cd7882d885ee74ccb30d649ebf" +
			"6916d05a7dbe5696",
	},
	{
		source: "Wycheproof aes_gcm tcId 88, CounterWrap",
		key:    "00112233445566778899aabbccddeeff",
		iv:     "c4dcd9fcce24d3522b66f1469a1e8bb9",
		in:     "00*40",
		out: "" +
			"149fde9abbd3a43c2548575e0db9fb84a197a37a5d79697078536bc27fe46cd8d475526d9044aa9462a4b6875c288345" +
			"d6a454399eac1afa",
	},
}

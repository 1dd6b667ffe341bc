package selftest

// vectorsRFC4309 is rfc4309(ccm(aes)): key and 3 byte salt, 8 byte IV, SPI and sequence number as AAD. RFC 4309 prints
// none. Wycheproof's of ccm(aes) with a nonce of 11 bytes and additional data of 8 are the same.
var vectorsRFC4309 = []vector{
	{
		source: "Wycheproof aes_ccm_test.json, case 260, its nonce cut after 3 bytes",
		key:    "7a970406a747c2327ecbc8b107a190cd99b079",
		iv:     "de952d60da0d034b",
		aad:    "2f080b2deb6644ef",
		out:    "9dca9ba441013ce9fc0ac3dbf414626d",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 262, its nonce cut after 3 bytes",
		key:    "82841ef7fbae35546525fbbebf4718fbb5cd81",
		iv:     "8f73a36ed025b6cf",
		aad:    "44f48c2a20456358",
		in:     "8c2c823bb39941b1c6b75bbc82f05ba4",
		out:    "b287c637a7554362c80d6b24d50ddfb33967277da0f856f8f0ad49282894d2bb",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 264, its nonce cut after 3 bytes",
		key:    "1d286e525ec2864d9ea6e7adfbdc49701ad448",
		iv:     "79f1947abd503dce",
		aad:    "1db0eaaaa1e2c848",
		in:     "7b40e6c987692d0202cb6f44b423c267dd",
		out:    "84f91f9d35b998598e50feb34dcaa0d260ae4e38cc4b730944bc459df85a536f4e",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 296, its nonce cut after 3 bytes",
		key:    "8207e8d57dccdf5480f702c1fa72d0c6d02f1badc6fc08c5c18e46",
		iv:     "a70c592980a2ccc2",
		aad:    "bd2e2a9da32a9d67",
		out:    "1145c20b7f31d57d458afc650a6d4590",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 298, its nonce cut after 3 bytes",
		key:    "0a3bf0a926fb14a3b716bfa021a208da0330e57bed36828aa0ba36",
		iv:     "edc43d935ee94213",
		aad:    "3fcd93ccb8e97956",
		in:     "9ab6c109c8069d054ccbb5c33c6e70d0",
		out:    "27d1e353233755a2fe28231637739c46b9b74765ed3d53031bf3c7349e74340e",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 300, its nonce cut after 3 bytes",
		key:    "ffe5d2ad71d432d6cd5f1072ec2acb7d7cde9c5c615d0eb9ea2198",
		iv:     "307402a106ea4293",
		aad:    "f93db4f4aec8afe8",
		in:     "c9db4d10d42340ac736271edf9f6581ce8",
		out:    "bd960c7f60392e8d0afb28ba16ea63afd3f2ca88d549dff207d979756d13e865d9",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 332, its nonce cut after 3 bytes",
		key:    "e689eb77a578399fa17a75083d25018ffbb68f24d77a029757541d6539bffbdf4a4196",
		iv:     "18b2832de7a4f99b",
		aad:    "ecf46eaca841769f",
		out:    "4a2615d2d5f8e97b92743b0ef2f486ab",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 334, its nonce cut after 3 bytes",
		key:    "60d6841e9e6218a2c8605a7794e74fb215dcf3a70a0015d497ed16564f2a83a04c93f5",
		iv:     "91af92f16596554e",
		aad:    "7cb0eb9aa21fe859",
		in:     "c0d1e635586b0ef835c01479a32175a3",
		out:    "0c266113544d7a901ce721e1ead6d8f98a149eaa05c8722b2663c345a6a5418c",
	},
	{
		source: "Wycheproof aes_ccm_test.json, case 336, its nonce cut after 3 bytes",
		key:    "b3a06e00100ffc42dbdd5317f43d2b48f8c11e4bd6e9e3edab58e9944c559278f3d24b",
		iv:     "362bf12b84b8a66a",
		aad:    "0242b5e804a79188",
		in:     "03b03b45f6f320b99d8158ff8b00f0ad92",
		out:    "d127fd42b2ca4beca9f9ac86b63a1622ef8a499aab9e8f4096da603c6ccfb9ac4a",
	},
	{
		source: "computed from RFC 4309 sections 3 to 5 with AES-128: 0 bytes",
		key:    "10171e252c333a41484f565d646b727980878e",
		iv:     "505356595c5f6265",
		aad:    "08192a3b4c5d6e7f",
		out:    "26b11567dd5b1999",
	},
	{
		source: "computed from RFC 4309 sections 3 to 5 with AES-192: 17 bytes",
		key:    "1920272e353c434a51585f666d747b828990979ea5acb3bac1c8cf",
		iv:     "5356595c5f626568",
		aad:    "0c1d2e3f5061728394a5b6c7",
		in:     "00..10",
		out:    "e2e810ed3e96a5f8d3065c83a670208180ce4af4dbd86bbd6ae1587bc6",
	},
	{
		source: "computed from RFC 4309 sections 3 to 5 with AES-256: 40 bytes",
		key:    "222930373e454c535a61686f767d848b9299a0a7aeb5bcc3cad1d8dfe6edf4fb020910",
		iv:     "56595c5f6265686b",
		aad:    "102132435465768798a9bacb",
		in:     "00..27",
		out:    "a266be71a438b5862edd520e031c918645b673fda4ab71fad591d427affd777f6ff3d14a714ca2044189e354e50f3122",
	},
	{
		source: "computed from RFC 4309 sections 3 to 5 with AES-128: 63 bytes",
		key:    "2b323940474e555c636a71787f868d949ba2a9",
		iv:     "595c5f6265686b6e",
		aad:    "1425364758697a8b",
		in:     "00..3e",
		out: "" +
			"51a9e87ef566f3cf75603bf7e3c24cf7da27db7a50a0504ba007a3d74581a08012bb48648675441ee642c7930f46ae6d" +
			"ede6b74333d769cc82b7d8d03f0f661e0978ecb7c7198b17fbfd5b",
	},
	{
		source: "computed from RFC 4309 sections 3 to 5 with AES-192: 100 bytes",
		key:    "343b424950575e656c737a81888f969da4abb2b9c0c7ced5dce3ea",
		iv:     "5c5f6265686b6e71",
		aad:    "18293a4b5c6d7e8fa0b1c2d3",
		in:     "00..63",
		out: "" +
			"04e93636b7c51502d2df8dd86318302a42ea70af6b743cb25cb59e726a224755b1ec8d49d0bad6c3578e727d6acc13e8" +
			"edf743240a641f684ec91ffbc057a44834d1a94a64c629481047fe8db91ed553146d9b16d5a152b0d11bad4ae84a01aa" +
			"85cf3935e3c66b5d94cc33cb0c8bfc869e8d2ba0",
	},
}

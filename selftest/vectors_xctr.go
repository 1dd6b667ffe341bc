package selftest

// vectorsXCTR is xctr(aes), from the repository of its authors.
var vectorsXCTR = []vector{
	{
		source: "google/hctr2 XCTR_AES128.json, 1 bytes",
		key:    "9c8dc4bd7136dc827ca1caa3235adba4",
		iv:     "8de7a56a958642debaea6e690333860f",
		in:     "bd",
		out:    "b9",
	},
	{
		source: "google/hctr2 XCTR_AES128.json, 16 bytes",
		key:    "bc1b120c3f18cc1f5a1dab81a8687c63",
		iv:     "22c1dd250b18cba54ada150773d98810",
		in:     "246e64c615269cda2a4b5712ff7cd6b5",
		out:    "d6478d5892b284f9b7ee0d98a1394d8f",
	},
	{
		source: "google/hctr2 XCTR_AES128.json, 31 bytes",
		key:    "4403bf4c30f0a7d6bd54bb668ea60e8a",
		iv:     "e6f726df8c3caa88cec1bd433b0962ad",
		in:     "3ce346b98f9d3f8deff253ab24e22908f87e1da66d867d60976393297194b4",
		out:    "d4a3c6b8c16f701a520ced4caf5156234845071034c5ba71e5f81ed8cba6e7",
	},
	{
		source: "google/hctr2 XCTR_AES128.json, 255 bytes",
		key:    "58168985fc18e33b7d19e6c00e5ba40c",
		iv:     "7d8faeffdb84b8bc94db66043eeacdc7",
		in: "" +
			"e90c534e4b39270abda5b0d8d752f93dcb1449bb3125d8ca1f3c185c641b20e51d6e98a3899c728f8bbb7f3374682ac7" +
			"04ca963d8b51475fb2356ff18e054d43a73795acbd9aff7e5cbbdefc6b5f68ff473ae91182eea0226e31a4c51d32aa71" +
			"dc5c45e3eafae4e6698bbcd723825a90d1ab1b1dce5c58bb704e65c7bd34720a416807d47bbc2d1caad51ef18bc1869f" +
			"cb9ad4c6ef5d6d7a0e1d5d1b00c1cdb66ee4ba986dfaaaf67d698699737934c43546244507624006f024798f5e6620de" +
			"a1575ddab7ce182ba959a683e25ab8391085781dbf689e4a90b44b9b4c246401b5a698c43dd19eb9a870eda3ef8f0348" +
			"41b8685f215970bd935fff0d9ca9fc",
		out: "" +
			"11abf28e11baf1a5f38d610da0cff62a0a02e59bd84038d69eaa5e70d42540c37395abc67ec27cf3ba07ed89b446b893" +
			"3d711955f9d1dce175978ab9faa08f39bd0b1e2180afc43e96e088bd5d293a2b315700273f4e8d89636eaef2b597228e" +
			"8ef16aae1d8531ec0339546ad365b730df4f462691b2792f3fe6bd4b4e73e8a5b34fdd13c603e0ad395a57421e0bb7be" +
			"b06cfa88c973c399bdf720db031706999bed0f7e049d2c5bf9f7bdf0621634d4339a96dc533d1dd467c72d6370dc652b" +
			"0c15ee2e3615a8d63917959b9be1fcf7e4f0e56e424a5546f52eade66bae07c585d6fbe56326b3056bb246b25f688026" +
			"be492f40f0c78a93c215cf29eca9a6",
	},
	{
		source: "google/hctr2 XCTR_AES192.json, 17 bytes",
		key:    "095ba5d9b2cfc43dab74e30d9d4a9a96e8473b7c51fa57f6",
		iv:     "d2216da05507bade7b155bda85e59dd2",
		in:     "3c337fdcedebc1199e32af2d25b55a52d2",
		out:    "45781179454ab7f236a93001fe780744b5",
	},
	{
		source: "google/hctr2 XCTR_AES192.json, 48 bytes",
		key:    "c58718090a4e663e50901993c033cf803a366b6c43d7e493",
		iv:     "dd0b751fee2fb45210821f798aa49b87",
		in:     "56f913ce9f3010111b59fd395a29a34478978cf6996d26f132606aeb0447294c7e14ef4d5529fe3637cf0b6ef3ce15d2",
		out:    "8f98e15a7ffec70576b0d5de90522ba8f36e3c77a53363dd6f6212b08010c12858e5d624440455f36d94cb2c7e7a8579",
	},
	{
		source: "google/hctr2 XCTR_AES192.json, 48 bytes",
		key:    "5f402d26fc00d9b876080bf426982383d5a48cbaf7601085",
		iv:     "4d12a6e5afecc27a22327f6bfbcf1a92",
		in:     "c67b0420f2ece7a1666e4783efe78459b532b4bb4c4f9533bbf9e586e75685df3f81cf6eb55bc3c49344363f6b452719",
		out:    "2c14e5fab35a3995516ede110fd7c74ea44e1d56881c8d6356ff20f0515dd030e97af54f82d00ee4a856c0477d542b6f",
	},
	{
		source: "google/hctr2 XCTR_AES256.json, 31 bytes",
		key:    "bee9940e48548afd2c0e5f519a3e31679523e0063211e15c24198d6f73c24316",
		iv:     "bedc87c38ae9f9f47197aa5a7b3db7b9",
		in:     "7a272fd06edfed9315b2626eaa60514aa8613b0ff7e69de08779267d42c9f5",
		out:    "8c92f2f3ffcc279d2739a4a679d700fd246a69143bdec722a7bd5b5d4bd119",
	},
	{
		source: "google/hctr2 XCTR_AES256.json, 31 bytes",
		key:    "39d2683a358fe1f0f19bd9ac8fa48b19601af1f92aacc8691d292cec960d55be",
		iv:     "cb3046f4a3cf060308601d20680eb33e",
		in:     "2b5d8141354397efb1533d86bcb1c0172e55bdb63185949b25f6b41d147861",
		out:    "af5974fdbbf4706f7f0c0248b89e7377ebd6aca07bdaac8a7df828e4d13be3",
	},
	{
		source: "google/hctr2 XCTR_AES256.json, 48 bytes",
		key:    "a12f4ddefea1ffa873dde3e295fcea9cd080420cb8433e9939380a8ce8453a7b",
		iv:     "32c46fb11443d187e26f5a5802367e2a",
		in:     "9e5c1ef1d67d0957184855da7d44f96daccd59bb10a29467d16ffe6b4a11e80409264f8d5da17b42f94b66763812fefe",
		out:    "42bca764159a04712c5f94ba893aadbc87b3f4094f570618dc8420f76485ca3babe6335634605d4b2e1613d477de2d2b",
	},
	{
		source: "google/hctr2 XCTR_AES256.json, 48 bytes",
		key:    "8ba2f0fbefa844abe3e183c0c0e9b3515a1740facf2896c60c7bcbf81178f004",
		iv:     "b4be0558df38b15b8b9d3fcc5a153c69",
		in:     "074b471b5f595846bbfd5d175bb0fdcf57beadfce113e2494f6a8ff43e67e6230fca3573ec7bb739e5563788f40046f2",
		out:    "f1f6e515de0fe6f6d1e86223b94ff3a612205919ccd64a9413e22b2afc884ed62a01f5777abe78361bf47918cbbf2d5a",
	},
	{
		source: "computed from HCTR2 (ePrint 2021/1441) section 2 with AES-192: 333 bytes",
		key:    "00..17",
		iv:     "f0..ff",
		in:     "00..ff 00..4c",
		out: "" +
			"778a5205e49c805aa7b54397f08a9602d2d0956b47f452d29402d8e03afc6723ee471f56dc6c0149622f21c998e50c09" +
			"6c2d4f67c9d578f9b6ec26d38e4e8fb39270125cdcf02d76618a05eb9615815aa51722fcc725febada1f25e4144589a5" +
			"49c245796673984341abe9e9cfc9319104ff31f8dbc46c0bd08a558a9d928cd468d7ad7a55e55515ae6040cf464474b7" +
			"98e1b16a9f03a34a1d4936ddb86568def5ff4efad4ff19728dc6f267929b870f813f4fe64ad94bfed8337501ebaf0a4d" +
			"1c7f314834f718ffa1beb0e296718be82a32f9e40eee9437650dec266206ba6065a78c38eb8839c420d2839c51f990a4" +
			"099b2cb85444e9986e9b2891e1b498eeeb69ceb1e18014a19fe195b951434a37f128536843a3d395305ba395899d3d7c" +
			"d8e864a36c6ef9a7828ce0fa9a3dff365e80abada1babfe88e8f262342344a425df67dc263869950ad172bc74c",
	},
	{
		source: "computed from HCTR2 (ePrint 2021/1441) section 2 with AES-256: across block 2^8",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "f0..ff",
		in:     "00..63",
		out: "" +
			"6c445e31ab749970468922d46704a132a97c4c2adc84862a7207dafeebc4f993dedc549b128b6a72f364f99921d5887d" +
			"02a694a8f7156e5249d63dc7ea5641d803e07bd9dd7355fa19ce31cbea0c8de8b0d35d9c3fe37579ecc7b4199c96192d" +
			"540ce7db",
		offset: 16<<8 - 40,
	},
	{
		source: "computed from HCTR2 (ePrint 2021/1441) section 2 with AES-256: across block 2^16",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "f0..ff",
		in:     "00..2f",
		out:    "e4b50f1de5a59f0167ab8b828dd68141e56f2b2ff8df77486a1b5c90e3473f05157f29e6f09beae465d6f7c5b0362902",
		offset: 16<<16 - 24,
	},
	{
		source: "computed from HCTR2 (ePrint 2021/1441) section 2 with AES-256: across block 2^32",
		key:    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
		iv:     "f0..ff",
		in:     "00..77",
		out: "" +
			"7e36640c4510470f9804a3fd78c5aff507e69ef8ed7ba710fbf573b8b69b0fbe8dc4500a6d4254a8af2ccea0c85fb9c6" +
			"410dc9970d6ef830278d229560dc4cc037c21e3aa8ef2d4861f6968bb7d691afc1c4c3e84bb8af6211c7c2ead1b323a2" +
			"0d85f10def8933f1952664a39c8acb36891d33667669119a",
		offset: 16<<32 - 56,
	},
}

package selftest

// vectorsXChaCha20 is xchacha20: the IV is the 24 byte nonce and the 64-bit little-endian block position.
var vectorsXChaCha20 = []vector{
	{
		source: "libsodium xchacha20 test 1 (in google/adiantum XChaCha/other.json)",
		key:    "79c99798ac67300bbb2704c95c341e3245f3dcb21761b98e52ff45b24f304fc4",
		iv:     "b33ffd3096479bcfbc9aee49417688a0a2554f8d95389419 00*8",
		in:     "00*29",
		out:    "c6e9758160083ac604ef90e712ce6e75d7797590744e0cf060f013739c",
	},
	{
		source: "libsodium xchacha20 test 2 (in google/adiantum XChaCha/other.json)",
		key:    "ddf7784fee099612c40700862189d0397fcc4cc4b3cc02b5456b3a97d1186173",
		iv:     "a9a04491e7bf00c3ca91ac7c2d38a777d88993a7047dfcc4 00*8",
		in:     "00*28",
		out:    "2f289d371f6f0abc3cb60d11d9b7b29adf6bc5ad843e8493e928448d",
	},
	{
		source: "libsodium xchacha20 test 3 (in google/adiantum XChaCha/other.json)",
		key:    "3d12800e7b014e88d68a73f0a95b04b435719936feba60473f02a9e61ae60682",
		iv:     "56bed2599eac99fb27ebf4ffcb770a64772dec4d5849ea2d 00*8",
		in:     "00*22",
		out:    "a2c3c1406f33c054a92760a8e0666b84f84fa3a618f0",
	},
	{
		source: "libsodium xchacha20 test 4 (in google/adiantum XChaCha/other.json)",
		key:    "5f5763ff9a30c95da5c9f2a8dfd7cc6efd9dfb431812c075aa3e4f32e04f53e4",
		iv:     "a5fa890efa3b9a034d377926ce0e08ee6d7faccaee41b771 00*8",
		in:     "00*57",
		out: "" +
			"8a1a5ba898bdbcff602b1036e469a18a5e45789d0e8d9837d81a2388a52b0b6a0f51891528f424c4a7f492a8dd7bce8b" +
			"ac19fbdbe1fb379ac0",
	},
	{
		source: "libsodium xchacha20 test 5 (in google/adiantum XChaCha/other.json)",
		key:    "eadc0e27f77113b5241f8ca9d6f9a5e7f09eee68d8a5cf30700563bf01060b4e",
		iv:     "a171a4ef3fde7c4794c5b86170dc5a099b478f1b852f7b64 00*8",
		in:     "00*48",
		out:    "23839f61795c3cdbcee2c749a92543baeeea3cbb721402aa42e6cae140447575f2916c5d71108e3b13357eaf86f060cb",
	},
	{
		source: "libsodium xchacha20 test 6 (in google/adiantum XChaCha/other.json)",
		key:    "91319c9545c7c804ba6b712e22294c386fe31c4ff3d278827637b959d3dbaab2",
		iv:     "410e854b2a911f174aaf1a56540fc3855851f41c65967a4e 00*8",
		in:     "00*31",
		out:    "cbe7d24177119b7fdfa8b06ee04dade4256ba7d35ffda6b89f014e479faef6",
	},
	{
		source: "libsodium xchacha20 test 7 (in google/adiantum XChaCha/other.json)",
		key:    "6a6d3f412fc86c4450fc31f89f64ed46baa3256ffcf8616e8c23a06c422842b6",
		iv:     "6b7773fce3c2546a5db4829f53a9165f41b08faae2fb72d5 00*8",
		in:     "00*38",
		out:    "8b23e35b3cdd5f3f75525fc37960ec2b68918e8c046d8a832b9838f1546be662e54feb1203e2",
	},
	{
		source: "libsodium xchacha20 test 8 (in google/adiantum XChaCha/other.json)",
		key:    "d45e56368ebc7ba9be7c55cfd2da0feb633c1d86cab67cd5627514fd20c2b391",
		iv:     "fd37da2db31e0c738754463edadc7dafb0833bd45da497fc 00*8",
		in:     "00*76",
		out: "" +
			"47950efa8217e3dec437454bd6b6a80a287e2570f0a48b3fa1ea3eb868be3d486f6516606d85e5643becc473b370871a" +
			"b9ef8e2a728f73b92bd98e6e26ea7c8ff96ec5a9e8de95e1eee9300c",
	},
	{
		source: "draft-irtf-cfrg-xchacha-01 XChaCha20 example (in golang.org/x/crypto/chacha20 vectors_test.go)",
		key:    "80..9f",
		iv:     "404142434445464748494a4b4c4d4e4f5051525354555658 00*8",
		in: "" +
			"5468652064686f6c65202870726f6e6f756e6365642022646f6c65222920697320616c736f206b6e6f776e2061732074" +
			"686520417369617469632077696c6420646f672c2072656420646f672c20616e642077686973746c696e6720646f672e" +
			"2049742069732061626f7574207468652073697a65206f662061204765726d616e20736865706865726420627574206c" +
			"6f6f6b73206d6f7265206c696b652061206c6f6e672d6c656767656420666f782e205468697320686967686c7920656c" +
			"757369766520616e6420736b696c6c6564206a756d70657220697320636c6173736966696564207769746820776f6c76" +
			"65732c20636f796f7465732c206a61636b616c732c20616e6420666f78657320696e20746865207461786f6e6f6d6963" +
			"2066616d696c792043616e696461652e",
		out: "" +
			"4559abba4e48c16102e8bb2c05e6947f50a786de162f9b0b7e592a9b53d0d4e98d8d6410d540a1a6375b26d80dace4fa" +
			"b52384c731acbf16a5923c0c48d3575d4d0d2c673b666faa731061277701093a6bf7a158a8864292a41c48e3a9b4c0da" +
			"ece0f8d98d0d7e05b37a307bbb66333164ec9e1b24ea0d6c3ffddcec4f68e7443056193a03c810e11344ca06d8ed8a2b" +
			"fb1e8d48cfa6bc0eb4e2464b748142407c9f431aee769960e15ba8b96890466ef2457599852385c661f752ce20f9da0c" +
			"09ab6b19df74e76a95967446f8d0fd415e7bee2a12a114c20eb5292ae7a349ae577820d5520a1f3fb62a17ce6a7e68fa" +
			"7c79111d8860920bc048ef43fe84486ccb87c25f0ae045f0cce1e7989a9aa220a28bdd4827e751a24a6d5c62d790a663" +
			"93b93111c1a55dd7421a10184974c7c5",
	},
	{
		source: "google/adiantum XChaCha20_32.json, block 1023 and 1024",
		key:    "01 00*31",
		iv:     "00*24 ff03000000000000",
		in:     "00*128",
		out: "" +
			"f44170097810cb8b29ec61a28cd2e445ea618d78158c4c539655f0631e5b3270af162139e46dda1cdb980c070ccc108c" +
			"fb0cabbd97cddafccf6db1331a7893cdd6290852e8317d0022a028a79d8dcc7ae17c894dd54b88fc52a2e2226ba86b31" +
			"90e9306d6999ac0f35a90e1f7cbbd636f1379719bfdbe0fcb8eeb3e495ef367a",
	},
	{
		source: "google/adiantum XChaCha20_32.json, block 2048",
		key:    "00*17 01 00*14",
		iv:     "00*25 08000000000000",
		in:     "00*64",
		out: "" +
			"f7b3c0470f0b666d75a68e76a79a7e371ff4fc244dfbeb86c430e6d7c83c120bfb2f0443263c0133a64f2e71a6bd8591" +
			"fa012e1f96acd60177fd1ea369da2034",
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 20 rounds and a 64-bit counter: " +
			"random access across block 2^16",
		key: "80..9f",
		iv:  "404142434445464748494a4b4c4d4e4f5051525354555657 00*8",
		in:  "00..95",
		out: "" +
			"31079197f8a524762a244946a9dca8662c5510ea1a82cf953170de86149ee288579f6f5da50ff854405299c9c7a5c542" +
			"6eb87f7f353d37f9331f1bd3dc10897258a21e2e9c42d2cfe13150aebc1d63658e93bdbef1b45d74b6c3aa6c0a9215f5" +
			"480ab9fb9cec6304cf605ea6c38d4cc6c38972de7f02605eba604e27896337870b5dcd6a2c775139a2ad65a79881f884" +
			"acdec60e09d9",
		offset: 64<<16 - 70,
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 20 rounds and a 64-bit counter: across block 2^32",
		key:    "80..9f",
		iv:     "404142434445464748494a4b4c4d4e4f5051525354555657feffffff00000000",
		in:     "00..e5",
		out: "" +
			"cce3efee47ec651d696d6f153081aa28bc185227d52fdf802ed0bf70f510d7f730e8e4245bf502afac4be85f4cd5df57" +
			"9b85333e51cf3d398ca38129e1ca7f777370854c1b05ddb89e004c5fbcb64e63a50ab26964536cdc8c486b5293a1a72d" +
			"3f5f19847dc233a11abbd4c013e17cef5e981333f03a62f6f0cdcf89f3ab5498397d6d0db5046d44312749982c981fc9" +
			"fb45a7d76732455f2e73a3fc64ec3a67ae9bb0c0da80c85a194bdd6cb42d7efc44937cb24110c16dfd2656c6e01f2aac" +
			"a6dfa0b36e8b6eec22407c0903792e5143f7776fe88c2b01ba60cddca057343f78ba7b817fc6",
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 20 rounds and a 64-bit counter: " +
			"the last seven blocks of a keystream",
		key: "80..9f",
		iv:  "404142434445464748494a4b4c4d4e4f5051525354555657f9ffffffffffffff",
		in:  "00..ff 00..bf",
		out: "" +
			"6b4577f40326d7d30a369d2cf976825d6436d9ac796704048cb094a50633ea6e973ba5202f9bb455017394fa8358ef1a" +
			"0cb1cd25d79e1efce0155bc1a63f0fb3765554c9143fe2dc61cd3f79768958339f2e19b3465008d690ff342acef50a28" +
			"f0d554a29d4d284afd5c4eabd5710af84405e0490bd03b8e2e898815e61e2ef80317dd0fd7b6b126ad474d0db0c7dcc1" +
			"869518a6d57778fdd690fc335eff4871123987a76a1f9da6c28796dc7e0d9479b7427968f21de3fdd0cf2b124085e22e" +
			"8ec3e10aa8e3b461180add4708a621ea9fd23edbdf623c38fa4fe568fd85fc23d634113516314762f41c695b7a517f69" +
			"e9ba431964950d529be7ca84f9bfad1eab30aa02f34b16a2f30e4e6bcc4cb5f76c63092c983c42ad40837bf34b28d8b9" +
			"34e69e774052b9b0b33c3bb1e1338ad34bcf4642bf72bef1c250333915fafeda8494a4a8e8bba95cac5aa930ad23101a" +
			"7baadfab02ca0c01a48113a4fd770f7da1c18be3be68925d78f28f0e75c9520dbc9988cd4dc7c6370bf20f2266ee748c" +
			"ee8df1ce774366176aa57e7895e1d496847f866c585874e6ee3c6363b221e4920b4d996d9b3a603b06b548ee7251be2b" +
			"88df45cf02e2e8527df0ad0d70eb4f1b",
	},
}

// vectorsXChaCha12 is xchacha12: XChaCha with 12 rounds instead of 20, in HChaCha too, as Adiantum uses it.
var vectorsXChaCha12 = []vector{
	{
		source: "google/adiantum XChaCha12_32.json, block 0 and 1",
		key:    "01 00*31",
		iv:     "00*32",
		in:     "00*128",
		out: "" +
			"b9815b9baea6918f3dce2daefad8bfc1c5c0c4f4baebafeb5723f1348004e0647d444d4b5ccac99d7ab6491e45f85673" +
			"a6d0ca4b298f2bdd8e989b4bf39ff7a1e3dd793fe50c5c09f7e8f579ab3f5ce1500a781b5f65054ab350d5ec4fb4aad0" +
			"0e2ae015f11749a0834bba0790a19cd221831dd3570f705ff36d11fe1bc58c9d",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 1023 and 1024",
		key:    "01 00*31",
		iv:     "00*24 ff03000000000000",
		in:     "00*128",
		out: "" +
			"371bc6dbf8f52b8870f5a4c7b6df80b0556672b949ad098765ee90b236b01d7d25fe9d36b274f5ed429cf8fa6561795d" +
			"c7fe1ec4a855e5830a1fa8e2ffb34cd9bbcbfcdc6e7fd49f88cbe129fd2a8dfdca3afdf2328ab5d5cab25def3017af03" +
			"51801832e06adae1e37e656e3f39b7b1085082029d9c60d6857f84dde38507f4",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 2048",
		key:    "01 00*31",
		iv:     "00*25 08000000000000",
		in:     "00*64",
		out: "" +
			"e637925073f7569c2c28f9195902513c2f488d876e7812ca11bb63136f34492d2c1f87604b42811051487b69df2a4d6d" +
			"0f226e3984cc94655c387804eb220346",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 0 and 1",
		key:    "0000000004 00*27",
		iv:     "00*32",
		in:     "00*128",
		out: "" +
			"838a3aec4e55939bc60a2f3c6469d3ddec3768a21551b1722fc3a59b46056ee7cbefe0fdb5f391cdf5735eb0ae562cac" +
			"52144c3bf04274cd9df170afd288ff370ca64c0bb33bd2836e7ef5ab40fb0abaa3ece39a532775b3752469b9f98d0b2f" +
			"1a34c47a46a54518127034df1fde7f9bc85d7c3f8ce10ac22d3f546fd1d9491f",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 1023 and 1024",
		key:    "0000000004 00*27",
		iv:     "00*24 ff03000000000000",
		in:     "00*128",
		out: "" +
			"7057ddb176061e404e93acac77fd47768197f9538be484c1ed1773c590797a04f55dda0f7ec290a144386fabe32e62ef" +
			"a7d8f85a1c83d7dcf563513b57e0ae29be67564b600aa9c0d5ae1dcc8f2bd50a6269197e66d78ba1a9c7fc8c31b7b12a" +
			"f238685e4625310d195cabb575ee823fe80e3c2d0defdb697d2a4cde30af3f40",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 2048",
		key:    "0000000004 00*27",
		iv:     "00*25 08000000000000",
		in:     "00*64",
		out: "" +
			"44233e8a8ee35b7d352ca2a657e34568d1e121fd26b408fffe0ad6250da692077c029be96c623bfb6ac5b347642353f4" +
			"c7ba04441dcdefcf7756df771f2dfa70",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 0 and 1",
		key:    "00*17 01 00*14",
		iv:     "00*32",
		in:     "00*128",
		out: "" +
			"00ec022194b0d42052195dd125895a049ff40e1a13fc82275bbb31589a3933a30593ece58be703e3218397c50f75f0bc" +
			"4a82a5217b16907a7a88e7770f7db4c4d2604edd817d18e292a68705c0ca1ea7e8e3badad92d4ad93ff39d745171d2a7" +
			"d08847adc84199ea11eb719a1a556fd5ae3b08a74344b4eaa5614c2693e3494e",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 1023 and 1024",
		key:    "00*17 01 00*14",
		iv:     "00*24 ff03000000000000",
		in:     "00*128",
		out: "" +
			"57fcf2db844e8fdfde371ed1a8efec0196cbb0d7b437c09afd366dcd51560f521025d17ba71d65d642897e97796fbc60" +
			"c8a5984edc84275dcd32398f0f39ac5367b35b2dadee21cd0f4266f3f2b5cb0bd506c6d92f6eb105ee6c2af5564cf473" +
			"36877b53366ad220d993764aa38ad6cf6987ca8b38d23248346ad102f52bd39e",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 2048",
		key:    "00*17 01 00*14",
		iv:     "00*25 08000000000000",
		in:     "00*64",
		out: "" +
			"28582475fccd2cce9ed1719d14575452e735a96347f3421d232539fd83345cb018b3988342f8abf2e885c9f70951e14a" +
			"a902b47e1ebd3c73c37fa7ae1406acf4",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 0 and 1",
		key:    "00*17 40 00*14",
		iv:     "00*32",
		in:     "00*128",
		out: "" +
			"0adba959bddfd3835a7c1a90f2a66d4a27e932507a6a87e727eda104fd8d8241a308342db524c53868c21eb218a6ad78" +
			"b6910de101aa27f471c76185f953a8b9a6f8c7a04dcad9989bbc3f0dd08d821777cadcfe6a4f01b1542bf95ec12e8c53" +
			"f739a82f240da565a0dae749c16e3630a340c5cffe121edc719c2e9b13ebd1b8",
	},
	{
		source: "google/adiantum XChaCha12_32.json, block 2048",
		key:    "00*17 40 00*14",
		iv:     "00*25 08000000000000",
		in:     "00*64",
		out: "" +
			"a39a096b756b3ed9739cf5980402c96123d79db6937046a138641559717ba48f668dbf084b4dd6130a216c572781882a" +
			"3a26b8c395cf67ca6000727269a2c991",
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 12 rounds: 303 bytes",
		key:    "80..9f",
		iv:     "404142434445464748494a4b4c4d4e4f50515253545556570500000000000000",
		in:     "00..ff 00..2e",
		out: "" +
			"39591a8290e0c901d4aa6f877460ece0f93f72dd1b335d4cc41189c131ceedf5ed14e987f9c13978bb5b400fbc03a3df" +
			"c64bb959fe28315e3f4f3529cd0fb4dd77dd9f9db1ca4bf0f459027b19492fa26c48a1a502705f249ad79ff1d46533e6" +
			"90800671a5b1bff731f8d6e1f6e1df5e3ebdf2d0a5c33040bba651a8ef22ec3b6af6630d57ebc6b52d249ad883c81108" +
			"ca2dc4184ea4d9313e8458ab526500bcd774d48f73f6731eb07cbd2a3f6d0bf3769cc77bf5a274171666a469cec2ab56" +
			"2fe861055c0f3015238c9a23a60c40f71b82f92c125894554dbd1a03a7cde032f1db9c193175640818e0758471e8637b" +
			"6aee844ab7296218ee4f6294608a8849819fdff36748e60bc9f45b36e568b1d0b1b4f8f5dc7677e43e3de65b04893bae" +
			"e150fd5d441112738cfa5cce53fc1d",
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 12 rounds and a 64-bit counter: " +
			"random access across block 2^16",
		key: "80..9f",
		iv:  "404142434445464748494a4b4c4d4e4f5051525354555657 00*8",
		in:  "00..95",
		out: "" +
			"921b7863457c72b7bfd7a0d19abe21e8fef485e3be430988193057c172452429a66f7b1cf79005e1d22fe873f161d399" +
			"41ee7fd5796aaca1313ddec79b98ac35b072bec8414c936ec67088d7082e75c0fb196eff31044b620a7b3b848d3be044" +
			"233a3c1c9fc995919ceacc7e942373d9be2836ddafa94253a5b3cb4e710ea7ec1e86141f309f0da7eeb968b330d77023" +
			"cb378fdbb245",
		offset: 64<<16 - 70,
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 12 rounds and a 64-bit counter: across block 2^32",
		key:    "80..9f",
		iv:     "404142434445464748494a4b4c4d4e4f5051525354555657feffffff00000000",
		in:     "00..e5",
		out: "" +
			"9445d118763e88e915c4541145fdb5e0c92a48c2670c85177cbac9817471bee12dd2b6e41cfc95de9700b85a33a97b90" +
			"c3a5f20b67c33926c6ad4038722c3ab6e10dd5cdecad21b372d2c61f848a1af2eaec07b88b489d0440882d8534e37c34" +
			"3345bbac3eecdb4becfa5a85332d90e6e000fe10609326db55a3a7f28e6ea58814aba384fd44e86f1ff1af9fed3d51ef" +
			"1edc7dbc9528234036961d8ef63bde8284245bcb67c085225015a21039ed285f430f4f0d0715e101b0d7b457598cb284" +
			"93ac5af9b98be0cc65f2c6efcba9e6d303d6ddd9e8b5cee20cc505c5b0a155dacda58f5aaa29",
	},
	{
		source: "computed from draft-irtf-cfrg-xchacha-03 section 2 with 12 rounds and a 64-bit counter: " +
			"the last seven blocks of a keystream",
		key: "80..9f",
		iv:  "404142434445464748494a4b4c4d4e4f5051525354555657f9ffffffffffffff",
		in:  "00..ff 00..bf",
		out: "" +
			"c3be41d25a503649bd3a48df49b521476222143a125d376283d7613dfccd2819c5ec72318b4a35d6c420b677fa4ed4de" +
			"f3f3e17a297fc61097db37ffde13050f2556210ebc9e6552e34b2fe052051ff8da4627eb0256b7a5259a50117aaa1baa" +
			"dc9b292abc91871d733a0c7352a5a310600fa5c4d20b74b3f4df1eede5ea904123637d239149a7d1544e01f4f95d36ed" +
			"15f507289d7c0a08dcc7dee73a0b49610f8f22f1f277a0a6480395c65415f26330a5bda97b169a684bc7424079449d7a" +
			"d73001f4639cf721d72ae1a52b5ea9b681d9850637c61a5fb636249cd80dcf6b3e50a199abc4f4840d0fef4aea2bb589" +
			"82aabb5793c7a963d5c13bd576e7464108fb7cb5e29a6e942f8300844f64e196fcfe94e5a906039d538901dacd89fea9" +
			"ab7614414c43f8850082717494948d78d4285de3289c89c0c9bb627824c2a951a35e26ba34196020a7da94eb96a09af3" +
			"5849a119be7c7700e89094667c4b73e1da10c380836ff13022923bd7df77c86b6298e1ec5ff27cca514773fc10292c96" +
			"b374e523fc1fc3a0e6f4c483ab950c688050002dea6e1a72a8fbf44de94eff5b2f568d1fc64a950e211b752d87052441" +
			"87b2fb7061428131f229a2feb8aeed51",
	},
}

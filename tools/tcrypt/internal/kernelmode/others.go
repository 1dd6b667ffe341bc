package kernelmode

import (
	"strconv"
	"strings"
)

// otherModes are the kernel's modes for what kcrypto does not have.
var otherModes = numbered(`
1 md5
2 sha1
3 des
4 des3_ede
5 md4
6 sha256
7 blowfish
8 twofish
9 serpent
11 sha384
12 sha512
13 deflate
14 cast5
15 cast6
16 arc4
17 michael_mic
18 crc32c
19 tea
20 xtea
21 khazad
22 wp512
23 wp384
24 wp256
26 anubis
30 xeta
31 pcbc(fcrypt)
32 camellia
33 sha224
36 lzo
37 ccm(aes)
38 cts(cbc(aes))
39 xxhash64
40 rmd160
42 blake2b-512
43 seed
45 rfc4309(ccm(aes))
46 ghash
47 crct10dif
48 sha3-224
49 sha3-256
50 sha3-384
51 sha3-512
52 sm3
53 streebog256
54 streebog512
55 gcm(sm4)
56 ccm(sm4)
57 polyval
58 gcm(aria)
59 cts(cbc(sm4))
100 hmac(md5)
101 hmac(sha1)
102 hmac(sha256)
103 hmac(sha384)
104 hmac(sha512)
105 hmac(sha224)
106 xcbc(aes)
108 hmac(rmd160)
109 vmac64(aes)
111 hmac(sha3-224)
112 hmac(sha3-256)
113 hmac(sha3-384)
114 hmac(sha3-512)
115 hmac(streebog256)
116 hmac(streebog512)
150 ansi_cprng
153 cmac(aes)
154 cmac(des3_ede)
155 authenc(hmac(sha1),cbc(aes))
156 authenc(hmac(md5),ecb(cipher_null))
157 authenc(hmac(sha1),ecb(cipher_null))
158 cbcmac(sm4)
159 cmac(sm4)
160 xcbc(sm4)
181 authenc(hmac(sha1),cbc(des))
182 authenc(hmac(sha1),cbc(des3_ede))
183 authenc(hmac(sha224),cbc(des))
184 authenc(hmac(sha224),cbc(des3_ede))
185 authenc(hmac(sha256),cbc(des))
186 authenc(hmac(sha256),cbc(des3_ede))
187 authenc(hmac(sha384),cbc(des))
188 authenc(hmac(sha384),cbc(des3_ede))
189 authenc(hmac(sha512),cbc(des))
190 authenc(hmac(sha512),cbc(des3_ede))
191 sm4
192 aria
201 des3_ede
202 twofish
203 blowfish
204 des
205 camellia
207 serpent
208 arc4
209 cast5
210 cast6
212 rfc4309(ccm(aes))
216 rfc4309(ccm(aes))
218 sm4
219 adiantum
220 essiv(cbc(aes),sha256)
221 aegis128
222 gcm(sm4)
223 rfc4309(ccm(sm4))
224 gcm(sm4)
225 rfc4309(ccm(sm4))
226 hctr2(aes)
227 aria
228 gcm(aria)
229 gcm(aria)
300 hashes
302 md5
303 sha1
304 sha256
305 sha384
306 sha512
307 wp256
308 wp384
309 wp512
313 sha224
314 xxhash64
315 rmd160
317 blake2b-512
318 ghash
319 crc32c
320 crct10dif
321 poly1305
322 sha3-224
323 sha3-256
324 sha3-384
325 sha3-512
326 sm3
327 streebog256
328 streebog512
400 hashes
402 md5
403 sha1
404 sha256
405 sha384
406 sha512
407 wp256
408 wp384
409 wp512
413 sha224
414 xxhash64
415 rmd160
417 blake2b-512
418 sha3-224
419 sha3-256
420 sha3-384
421 sha3-512
422 sm3
501 des3_ede
502 des
503 serpent
504 twofish
505 arc4
506 cast5
507 cast6
508 camellia
509 blowfish
518 sm4
519 aria
601 des3_ede
602 des
603 serpent
604 twofish
605 arc4
606 cast5
607 cast6
608 camellia
609 blowfish
`)

// numbered reads a mode from each line of text.
func numbered(text string) []Mode {
	var list []Mode
	for line := range strings.Lines(strings.TrimSpace(text)) {
		number, about, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic(err) // a slip in the text above
		}
		list = append(list, Mode{Number: n, About: about})
	}
	return list
}

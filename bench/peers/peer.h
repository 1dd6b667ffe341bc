/* One C library's implementation of one algorithm, behind one shape, so that the timed loops can stay in C. */
#ifndef PEER_H
#define PEER_H
#include <stddef.h>
#include <stdint.h>

enum peer_alg { PEER_GCM, PEER_CTR, PEER_XTS, PEER_CHACHA20, PEER_CHACHAPOLY, PEER_CBC, PEER_CTS };

/* One whole operation as a caller would do it: set the IV, AAD for AEADs (16 bytes), data, tag (16 bytes).
 * decrypt: an AEAD compares the tag too. */
typedef struct peer {
	/* op does one message; iv is 16 bytes, of which it uses what the algorithm takes: of ChaCha20 the block counter of
	 * 32 bits, which is 1 as intel-ipsec-mb has it, and the nonce. Returns 0 when all is well. */
	int (*op)(struct peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad,
	          uint8_t *tag);
	void (*done)(struct peer *p);
	int decrypt;
	size_t keylen;
	enum peer_alg alg;
} peer;

/* Each returns NULL where the library lacks the algorithm. */
peer *ipsecmb_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt);
peer *openssl_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt);
peer *gcrypt_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt);
const char *ipsecmb_version(void);
const char *openssl_version(void);
const char *gcrypt_version(void);

/* peer_run does rounds messages of n bytes, each under the next of the IVs in a table when encrypting, as a caller would,
 * and under the same one when decrypting. IVs come from a table since a caller that writes one in pieces just before the
 * call would have those wait who load it whole. */
enum { PEER_IVS = 64 };
int peer_run(peer *p, long rounds, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t ivs[PEER_IVS][16],
             unsigned turn, const uint8_t *aad, uint8_t *tag);
#endif

/* libgcrypt: one handle a key, reset and IV per message. */
#include "peer.h"
#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	peer p;
	gcry_cipher_hd_t h;
} gcr;

const char *gcrypt_version(void) { return gcry_check_version(NULL); }

static int crypt_data(peer *p, uint8_t *dst, const uint8_t *src, size_t n)
{
	gcr *x = (gcr *)p;
	return p->decrypt ? gcry_cipher_decrypt(x->h, dst, n, src, n) != 0 : gcry_cipher_encrypt(x->h, dst, n, src, n) != 0;
}

static int plain(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, uint8_t *tag)
{
	gcr *x = (gcr *)p;
	int bad = p->alg == PEER_CTR ? gcry_cipher_setctr(x->h, iv, 16) != 0 : gcry_cipher_setiv(x->h, iv, 16) != 0;
	return bad | crypt_data(p, dst, src, n);
}

static int aead(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, uint8_t *tag)
{
	gcr *x = (gcr *)p;
	int bad = gcry_cipher_setiv(x->h, iv, 12) != 0;
	bad |= gcry_cipher_authenticate(x->h, aad, 16) != 0;
	gcry_cipher_final(x->h);
	bad |= crypt_data(p, dst, src, n);
	if (p->decrypt)
		return bad | (gcry_cipher_checktag(x->h, tag, 16) != 0);
	return bad | (gcry_cipher_gettag(x->h, tag, 16) != 0);
}

static void done(peer *p)
{
	gcry_cipher_close(((gcr *)p)->h);
	free(p);
}

peer *gcrypt_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt)
{
	static const int modes[] = {GCRY_CIPHER_MODE_GCM, GCRY_CIPHER_MODE_CTR, GCRY_CIPHER_MODE_XTS,
	                            GCRY_CIPHER_MODE_STREAM, GCRY_CIPHER_MODE_POLY1305, GCRY_CIPHER_MODE_CBC,
	                            GCRY_CIPHER_MODE_CBC};
	int chacha = alg == PEER_CHACHA20 || alg == PEER_CHACHAPOLY;
	size_t bytes = alg == PEER_XTS ? keylen / 2 : keylen;
	int algo = chacha ? GCRY_CIPHER_CHACHA20 : bytes == 16 ? GCRY_CIPHER_AES128 : GCRY_CIPHER_AES256;
	gcr *x = calloc(1, sizeof *x);
	x->p = (peer){alg == PEER_GCM || alg == PEER_CHACHAPOLY ? aead : plain, done, decrypt, keylen, alg};
	gcry_check_version(NULL);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	if (gcry_cipher_open(&x->h, algo, modes[alg], alg == PEER_CTS ? GCRY_CIPHER_CBC_CTS : 0) != 0 || gcry_cipher_setkey(x->h, key, keylen) != 0) {
		free(x);
		return NULL;
	}
	return &x->p;
}

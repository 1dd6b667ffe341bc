/* OpenSSL's EVP with the cipher fetched and the key set once, and per message only what changes. */
#include "peer.h"
#include <openssl/crypto.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	peer p;
	EVP_CIPHER *c;
	EVP_CIPHER_CTX *ctx;
} ossl;

const char *openssl_version(void) { return OpenSSL_version(OPENSSL_VERSION_STRING); }

static int plain(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, uint8_t *tag)
{
	ossl *x = (ossl *)p;
	int out;
	return !EVP_CipherInit_ex2(x->ctx, NULL, NULL, iv, -1, NULL) || !EVP_CipherUpdate(x->ctx, dst, &out, src, n);
}

static int aead(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, uint8_t *tag)
{
	ossl *x = (ossl *)p;
	int out, ok = EVP_CipherInit_ex2(x->ctx, NULL, NULL, iv, -1, NULL);
	if (p->decrypt)
		ok &= EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_AEAD_SET_TAG, 16, tag);
	ok &= EVP_CipherUpdate(x->ctx, NULL, &out, aad, 16);
	ok &= EVP_CipherUpdate(x->ctx, dst, &out, src, n);
	ok &= EVP_CipherFinal_ex(x->ctx, dst + n, &out);
	if (!p->decrypt)
		ok &= EVP_CIPHER_CTX_ctrl(x->ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag);
	return !ok;
}

static void done(peer *p)
{
	EVP_CIPHER_CTX_free(((ossl *)p)->ctx);
	EVP_CIPHER_free(((ossl *)p)->c);
	free(p);
}

static const char *name(enum peer_alg alg, size_t keylen)
{
	switch (alg) {
	case PEER_GCM: return keylen == 16 ? "AES-128-GCM" : "AES-256-GCM";
	case PEER_CTR: return keylen == 16 ? "AES-128-CTR" : "AES-256-CTR";
	case PEER_CBC: return keylen == 16 ? "AES-128-CBC" : "AES-256-CBC";
	case PEER_CTS: return keylen == 16 ? "AES-128-CBC-CTS" : "AES-256-CBC-CTS";
	case PEER_XTS: return keylen == 32 ? "AES-128-XTS" : "AES-256-XTS";
	case PEER_CHACHA20: return "ChaCha20";
	default: return "ChaCha20-Poly1305";
	}
}

peer *openssl_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt)
{
	ossl *x = calloc(1, sizeof *x);
	int authentic = alg == PEER_GCM || alg == PEER_CHACHAPOLY;
	x->p = (peer){authentic ? aead : plain, done, decrypt, keylen, alg};
	x->c = EVP_CIPHER_fetch(NULL, name(alg, keylen), NULL);
	x->ctx = EVP_CIPHER_CTX_new();
	if (x->c == NULL || !EVP_CipherInit_ex2(x->ctx, x->c, key, NULL, !decrypt, NULL)) {
		done(&x->p);
		return NULL;
	}
	EVP_CIPHER_CTX_set_padding(x->ctx, 0);
	if (alg == PEER_CTS) {
		char kind[] = "CS3";
		OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, kind, 0), OSSL_PARAM_construct_end()};
		if (!EVP_CIPHER_CTX_set_params(x->ctx, params)) {
			done(&x->p);
			return NULL;
		}
	}
	return &x->p;
}

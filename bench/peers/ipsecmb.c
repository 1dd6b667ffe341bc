/* intel-ipsec-mb: the direct GCM and ChaCha20-Poly1305 calls, and the synchronous cipher burst (one job) for CBC and
 * CTR, which have no direct call, and one job of the manager for ChaCha20. It has no XTS. */
#include "peer.h"
#include <intel-ipsec-mb.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	peer p;
	IMB_MGR *m;
	struct gcm_key_data gcm;
	DECLARE_ALIGNED(uint32_t enc[4 * 15], 16);
	DECLARE_ALIGNED(uint32_t dec[4 * 15], 16);
	uint8_t key[32];
	IMB_JOB job;
} mb;

const char *ipsecmb_version(void) { return imb_get_version_str(); }

static int checked(mb *x, const uint8_t *got, const uint8_t *tag)
{
	return x->p.decrypt ? memcmp(got, tag, 16) != 0 : 0;
}

#define DIRECT_GCM(bits) \
	static int gcm##bits(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, \
	                     uint8_t *tag) \
	{ \
		mb *x = (mb *)p; \
		struct gcm_context_data ctx; \
		uint8_t got[16]; \
		if (p->decrypt) { \
			IMB_AES##bits##_GCM_DEC(x->m, &x->gcm, &ctx, dst, src, n, iv, aad, 16, got, 16); \
			return checked(x, got, tag); \
		} \
		IMB_AES##bits##_GCM_ENC(x->m, &x->gcm, &ctx, dst, src, n, iv, aad, 16, tag, 16); \
		return 0; \
	}
DIRECT_GCM(128)
DIRECT_GCM(256)

static int chachapoly(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad,
                      uint8_t *tag)
{
	mb *x = (mb *)p;
	struct chacha20_poly1305_context_data ctx;
	uint8_t got[16];
	IMB_CHACHA20_POLY1305_INIT(x->m, x->key, &ctx, iv, aad, 16);
	if (p->decrypt) {
		IMB_CHACHA20_POLY1305_DEC_UPDATE(x->m, x->key, &ctx, dst, src, n);
		IMB_CHACHA20_POLY1305_DEC_FINALIZE(x->m, &ctx, got, 16);
		return checked(x, got, tag);
	}
	IMB_CHACHA20_POLY1305_ENC_UPDATE(x->m, x->key, &ctx, dst, src, n);
	IMB_CHACHA20_POLY1305_ENC_FINALIZE(x->m, &ctx, tag, 16);
	return 0;
}

static int burst(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad, uint8_t *tag)
{
	mb *x = (mb *)p;
	IMB_JOB *j = &x->job;
	j->src = src;
	j->dst = dst;
	j->iv = iv;
	j->msg_len_to_cipher_in_bytes = n;
	return IMB_SUBMIT_CIPHER_BURST_NOCHECK(x->m, j, 1, j->cipher_mode, j->cipher_direction, j->key_len_in_bytes) != 1;
}

static int chacha(peer *p, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *iv, const uint8_t *aad,
                  uint8_t *tag)
{
	mb *x = (mb *)p;
	IMB_JOB *j = IMB_GET_NEXT_JOB(x->m);
	*j = x->job;
	j->src = src;
	j->dst = dst;
	j->iv = iv + 4; /* the nonce */
	j->msg_len_to_cipher_in_bytes = n;
	j = IMB_SUBMIT_JOB_NOCHECK(x->m);
	while (j == NULL)
		j = IMB_FLUSH_JOB(x->m);
	return j->status != IMB_STATUS_COMPLETED;
}

static void done(peer *p)
{
	free_mb_mgr(((mb *)p)->m);
	free(p);
}

static void jobs(mb *x, IMB_CIPHER_MODE mode, size_t ivlen)
{
	IMB_JOB *j = &x->job;
	j->cipher_mode = mode;
	j->cipher_direction = mode == IMB_CIPHER_CBC && x->p.decrypt ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT;
	j->chain_order = IMB_ORDER_CIPHER_HASH;
	j->hash_alg = IMB_AUTH_NULL;
	j->enc_keys = mode == IMB_CIPHER_CHACHA20 ? (const void *)x->key : (const void *)x->enc;
	j->dec_keys = mode == IMB_CIPHER_CBC ? (const void *)x->dec : j->enc_keys;
	j->key_len_in_bytes = x->p.keylen;
	j->iv_len_in_bytes = ivlen;
}

peer *ipsecmb_new(enum peer_alg alg, const uint8_t *key, size_t keylen, int decrypt)
{
	if (alg == PEER_XTS || alg == PEER_CTS)
		return NULL;
	mb *x = aligned_alloc(64, (sizeof *x + 63) / 64 * 64);
	memset(x, 0, sizeof *x);
	x->p = (peer){NULL, done, decrypt, keylen, alg};
	x->m = alloc_mb_mgr(0);
	init_mb_mgr_auto(x->m, NULL);
	memcpy(x->key, key, keylen);
	switch (alg) {
	case PEER_GCM:
		if (keylen == 16) {
			IMB_AES128_GCM_PRE(x->m, key, &x->gcm);
			x->p.op = gcm128;
		} else {
			IMB_AES256_GCM_PRE(x->m, key, &x->gcm);
			x->p.op = gcm256;
		}
		break;
	case PEER_CBC:
	case PEER_CTR:
		if (keylen == 16)
			IMB_AES_KEYEXP_128(x->m, key, x->enc, x->dec);
		else
			IMB_AES_KEYEXP_256(x->m, key, x->enc, x->dec);
		jobs(x, alg == PEER_CBC ? IMB_CIPHER_CBC : IMB_CIPHER_CNTR, 16);
		x->p.op = burst;
		break;
	case PEER_CHACHA20:
		jobs(x, IMB_CIPHER_CHACHA20, 12);
		x->p.op = chacha;
		break;
	default:
		x->p.op = chachapoly;
	}
	return &x->p;
}

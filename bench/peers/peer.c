#include "peer.h"
#include <string.h>

int peer_run(peer *p, long rounds, uint8_t *dst, const uint8_t *src, size_t n, uint8_t *iv, const uint8_t *aad,
             uint8_t *tag)
{
	int bad = 0;
	for (long i = 0; i < rounds; i++) {
		if (!p->decrypt) {
			uint64_t next;
			memcpy(&next, iv + 4, 8);
			next++;
			memcpy(iv + 4, &next, 8);
		}
		bad |= p->op(p, dst, src, n, iv, aad, tag);
	}
	return bad;
}

const uint8_t *peer_chacha_iv(uint8_t ordered[16], const uint8_t *nonce)
{
	static const uint8_t one[4] = {1};
	memcpy(ordered, one, 4);
	memcpy(ordered + 4, nonce, 12);
	return ordered;
}

#include "peer.h"

int peer_run(peer *p, long rounds, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t ivs[PEER_IVS][16],
             unsigned turn, const uint8_t *aad, uint8_t *tag)
{
	int bad = 0;
	for (long i = 0; i < rounds; i++) {
		turn += !p->decrypt;
		bad |= p->op(p, dst, src, n, ivs[turn % PEER_IVS], aad, tag);
	}
	return bad;
}

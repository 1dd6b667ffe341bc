//go:build !purego

package limits

//go:generate go -C ../../_asm run ./limits

// perLoop is how many instructions the loops of one kind have. The generator reads it here.
const perLoop = 12

// chain is perLoop multiplications of 3 cycles, each of which waits for the one before, n times.
func chain(n int)

// The loops, one a kind of instruction or mix and one a width. Their names are those of the table below.
func aesSSE(n int)
func aeschainSSE(n int)
func clmulSSE(n int)
func addSSE(n int)
func xorSSE(n int)
func shuffleSSE(n int)
func rotateSSE(n int)
func schoolbook0SSE(n int)
func karatsuba0SSE(n int)
func schoolbook10SSE(n int)
func karatsuba10SSE(n int)
func schoolbook12SSE(n int)
func karatsuba12SSE(n int)
func schoolbook14SSE(n int)
func karatsuba14SSE(n int)
func chachaSSE(n int)
func aesXMM(n int)
func aeschainXMM(n int)
func clmulXMM(n int)
func addXMM(n int)
func xorXMM(n int)
func shuffleXMM(n int)
func rotateXMM(n int)
func mulXMM(n int)
func schoolbook0XMM(n int)
func karatsuba0XMM(n int)
func schoolbook10XMM(n int)
func karatsuba10XMM(n int)
func schoolbook12XMM(n int)
func karatsuba12XMM(n int)
func schoolbook14XMM(n int)
func karatsuba14XMM(n int)
func chachaXMM(n int)
func aesYMM(n int)
func clmulYMM(n int)
func addYMM(n int)
func xorYMM(n int)
func shuffleYMM(n int)
func rotateYMM(n int)
func mulYMM(n int)
func schoolbook0YMM(n int)
func karatsuba0YMM(n int)
func schoolbook10YMM(n int)
func karatsuba10YMM(n int)
func schoolbook12YMM(n int)
func karatsuba12YMM(n int)
func schoolbook14YMM(n int)
func karatsuba14YMM(n int)
func chachaYMM(n int)
func aesZMM(n int)
func clmulZMM(n int)
func addZMM(n int)
func xorZMM(n int)
func shuffleZMM(n int)
func rotateZMM(n int)
func mulZMM(n int)
func ifmaZMM(n int)
func schoolbook0ZMM(n int)
func karatsuba0ZMM(n int)
func schoolbook10ZMM(n int)
func karatsuba10ZMM(n int)
func schoolbook12ZMM(n int)
func karatsuba12ZMM(n int)
func schoolbook14ZMM(n int)
func karatsuba14ZMM(n int)
func chachaZMM(n int)

// loops is the table of what can be timed.
var loops = []loop{
	{"aes", sse, perLoop, []string{"aesni", "pclmulqdq"}, aesSSE},
	{"aes chain", sse, perLoop, []string{"aesni", "pclmulqdq"}, aeschainSSE},
	{"clmul", sse, perLoop, []string{"aesni", "pclmulqdq"}, clmulSSE},
	{"add", sse, perLoop, []string{"ssse3"}, addSSE},
	{"xor", sse, perLoop, []string{"ssse3"}, xorSSE},
	{"shuffle", sse, perLoop, []string{"ssse3"}, shuffleSSE},
	{"rotate", sse, perLoop, []string{"ssse3"}, rotateSSE},
	{"schoolbook0", sse, 1, []string{"aesni", "pclmulqdq"}, schoolbook0SSE},
	{"karatsuba0", sse, 1, []string{"aesni", "pclmulqdq"}, karatsuba0SSE},
	{"schoolbook10", sse, 1, []string{"aesni", "pclmulqdq"}, schoolbook10SSE},
	{"karatsuba10", sse, 1, []string{"aesni", "pclmulqdq"}, karatsuba10SSE},
	{"schoolbook12", sse, 1, []string{"aesni", "pclmulqdq"}, schoolbook12SSE},
	{"karatsuba12", sse, 1, []string{"aesni", "pclmulqdq"}, karatsuba12SSE},
	{"schoolbook14", sse, 1, []string{"aesni", "pclmulqdq"}, schoolbook14SSE},
	{"karatsuba14", sse, 1, []string{"aesni", "pclmulqdq"}, karatsuba14SSE},
	{"chacha", sse, 1, []string{"ssse3"}, chachaSSE},
	{"aes", xmm, perLoop, []string{"aesni_avx", "pclmulqdq"}, aesXMM},
	{"aes chain", xmm, perLoop, []string{"aesni_avx", "pclmulqdq"}, aeschainXMM},
	{"clmul", xmm, perLoop, []string{"aesni_avx", "pclmulqdq"}, clmulXMM},
	{"add", xmm, perLoop, []string{"avx"}, addXMM},
	{"xor", xmm, perLoop, []string{"avx"}, xorXMM},
	{"shuffle", xmm, perLoop, []string{"avx"}, shuffleXMM},
	{"rotate", xmm, perLoop, []string{"avx"}, rotateXMM},
	{"mul", xmm, perLoop, []string{"avx"}, mulXMM},
	{"schoolbook0", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, schoolbook0XMM},
	{"karatsuba0", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, karatsuba0XMM},
	{"schoolbook10", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, schoolbook10XMM},
	{"karatsuba10", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, karatsuba10XMM},
	{"schoolbook12", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, schoolbook12XMM},
	{"karatsuba12", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, karatsuba12XMM},
	{"schoolbook14", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, schoolbook14XMM},
	{"karatsuba14", xmm, 1, []string{"aesni_avx", "pclmulqdq"}, karatsuba14XMM},
	{"chacha", xmm, 1, []string{"avx"}, chachaXMM},
	{"aes", ymm, perLoop, []string{"vaes_avx2"}, aesYMM},
	{"clmul", ymm, perLoop, []string{"vaes_avx2"}, clmulYMM},
	{"add", ymm, perLoop, []string{"avx2"}, addYMM},
	{"xor", ymm, perLoop, []string{"avx2"}, xorYMM},
	{"shuffle", ymm, perLoop, []string{"avx2"}, shuffleYMM},
	{"rotate", ymm, perLoop, []string{"avx2"}, rotateYMM},
	{"mul", ymm, perLoop, []string{"avx2"}, mulYMM},
	{"schoolbook0", ymm, 1, []string{"vaes_avx2"}, schoolbook0YMM},
	{"karatsuba0", ymm, 1, []string{"vaes_avx2"}, karatsuba0YMM},
	{"schoolbook10", ymm, 1, []string{"vaes_avx2"}, schoolbook10YMM},
	{"karatsuba10", ymm, 1, []string{"vaes_avx2"}, karatsuba10YMM},
	{"schoolbook12", ymm, 1, []string{"vaes_avx2"}, schoolbook12YMM},
	{"karatsuba12", ymm, 1, []string{"vaes_avx2"}, karatsuba12YMM},
	{"schoolbook14", ymm, 1, []string{"vaes_avx2"}, schoolbook14YMM},
	{"karatsuba14", ymm, 1, []string{"vaes_avx2"}, karatsuba14YMM},
	{"chacha", ymm, 1, []string{"avx2"}, chachaYMM},
	{"aes", zmm, perLoop, []string{"vaes_avx512"}, aesZMM},
	{"clmul", zmm, perLoop, []string{"vaes_avx512"}, clmulZMM},
	{"add", zmm, perLoop, []string{"avx512"}, addZMM},
	{"xor", zmm, perLoop, []string{"avx512"}, xorZMM},
	{"shuffle", zmm, perLoop, []string{"avx512"}, shuffleZMM},
	{"rotate", zmm, perLoop, []string{"avx512"}, rotateZMM},
	{"mul", zmm, perLoop, []string{"avx512"}, mulZMM},
	{"ifma", zmm, perLoop, []string{"ifma", "avx512"}, ifmaZMM},
	{"schoolbook0", zmm, 1, []string{"vaes_avx512"}, schoolbook0ZMM},
	{"karatsuba0", zmm, 1, []string{"vaes_avx512"}, karatsuba0ZMM},
	{"schoolbook10", zmm, 1, []string{"vaes_avx512"}, schoolbook10ZMM},
	{"karatsuba10", zmm, 1, []string{"vaes_avx512"}, karatsuba10ZMM},
	{"schoolbook12", zmm, 1, []string{"vaes_avx512"}, schoolbook12ZMM},
	{"karatsuba12", zmm, 1, []string{"vaes_avx512"}, karatsuba12ZMM},
	{"schoolbook14", zmm, 1, []string{"vaes_avx512"}, schoolbook14ZMM},
	{"karatsuba14", zmm, 1, []string{"vaes_avx512"}, karatsuba14ZMM},
	{"chacha", zmm, 1, []string{"avx512"}, chachaZMM},
}

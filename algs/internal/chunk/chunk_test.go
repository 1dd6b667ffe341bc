package chunk

import "testing"

func TestRound(t *testing.T) {
	for _, c := range []struct{ setting, loop, want int }{
		{65536, 512, 65536}, {65535, 512, 65024}, {513, 512, 512}, {512, 512, 512}, {511, 512, 512}, {1, 512, 512},
		{100, 16, 96},
	} {
		if got := Round(c.setting, c.loop); got != c.want {
			t.Errorf("Round(%d, %d) = %d, want %d", c.setting, c.loop, got, c.want)
		}
	}
}

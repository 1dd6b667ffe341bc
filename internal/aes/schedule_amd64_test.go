//go:build !purego

package aes

import "testing"

// TestSchedules compares with the definition while keys of falling length follow each other, of which nothing may be
// left.
func TestSchedules(t *testing.T) {
	needAESNI(t)
	used, fullUsed := NewSchedule(), NewFullSchedule()
	for _, size := range []int{32, 24, 16} {
		key := random(byte(size), size)
		var enc, dec [240]byte
		copy(enc[:], expand(key))
		copy(dec[:], invert(expand(key)))
		rounds := roundsFor(size)
		if used.SetKey(key) != nil || used != (Schedule{enc, uint32(rounds)}) {
			t.Errorf("the schedule of a %d-byte key is %x", size, used)
		}
		if fullUsed.SetKey(key) != nil || fullUsed != (FullSchedule{enc, dec, uint32(rounds)}) {
			t.Errorf("the full schedule of a %d-byte key is %x", size, fullUsed)
		}
	}
	used.Wipe()
	fullUsed.Wipe()
	if used != (Schedule{rounds: 10}) || fullUsed != (FullSchedule{rounds: 10}) {
		t.Errorf("Wipe left something: %x, %x", used, fullUsed)
	}
}

//go:build !purego

package aes

// Schedule is an AES key for drivers in assembly that only encrypt blocks: its round keys and their number. The CPU
// must have the level aesni of internal/cpu. Like [FullSchedule] it has no pointers, so that it can be copied and wiped
// and is nothing to the garbage collector, and the generators in _asm know the fields by their names.
//
// It is made by [NewSchedule]: assembly counts back from the last round key, and would read what lies before the object
// with a number of 0, without a key too.
type Schedule struct {
	enc    [240]byte // in the order of use
	rounds uint32    // 10, 12 or 14
}

// NewSchedule returns a schedule without a key.
func NewSchedule() Schedule { return Schedule{rounds: leastRounds} }

// SetKey expands a key of 16, 24 or 32 bytes. It returns no error.
func (s *Schedule) SetKey(key []byte) error {
	s.Wipe() // a shorter key's schedule would leave the end of a longer one's, from which that key can be computed
	s.rounds = uint32(expandAESNI(&s.enc, key))
	return nil
}

// Wipe overwrites the key.
func (s *Schedule) Wipe() { *s = NewSchedule() }

// FullSchedule is a [Schedule] with the round keys for decryption as well.
type FullSchedule struct {
	enc, dec [240]byte // each in the order of use; at multiples of 16, so that no round key lies in two cache lines
	rounds   uint32
}

// NewFullSchedule returns a schedule without a key.
func NewFullSchedule() FullSchedule { return FullSchedule{rounds: leastRounds} }

// SetKey expands a key of 16, 24 or 32 bytes. It returns no error.
func (s *FullSchedule) SetKey(key []byte) error {
	s.Wipe()
	rounds := expandAESNI(&s.enc, key)
	invertAESNI(&s.dec, &s.enc, rounds)
	s.rounds = uint32(rounds)
	return nil
}

// Wipe overwrites the key.
func (s *FullSchedule) Wipe() { *s = NewFullSchedule() }

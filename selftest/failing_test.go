package selftest

import (
	"errors"
	"testing"
)

// A tally fails one of the calls that it counts: those that would succeed.
type tally struct{ calls, failing int }

var errOnce = errors.New("fails once")

func (c *tally) next() error {
	if c.calls++; c.calls == c.failing {
		return errOnce
	}
	return nil
}

// after is what a call returns that has been made, with err.
func (c *tally) after(err error) error {
	if err != nil {
		return err
	}
	return c.next()
}

// A driver that cannot be allocated, or refuses a key or a tag size, but once, does not pass: no step of the self-test
// may take that for success.
func TestOneFailureIsCaught(t *testing.T) {
	for _, algorithm := range []string{"gcm(aes)", "ctr(aes)", "xts(aes)", "cbc(aes)"} {
		attempt := func(failing int) (calls int, err error) {
			c := &tally{failing: failing}
			s := fakeSubject(algorithm, func(a AEAD, _ int) AEAD {
				return keying{a,
					func(a AEAD, key []byte) error { return c.after(a.SetKey(key)) },
					func(a AEAD, n int) error { return c.after(a.SetAuthSize(n)) }}
			}, func(s Skcipher, _ int) Skcipher {
				return ciphering{Skcipher: s, setKey: func(s Skcipher, key []byte) error {
					return c.after(s.SetKey(key))
				}}
			})
			if make := s.AEAD; make != nil {
				s.AEAD = func(setup Setup) (AEAD, error) {
					if err := c.next(); err != nil {
						return nil, err
					}
					return make(setup)
				}
			} else {
				make := s.Skcipher
				s.Skcipher = func(setup Setup) (Skcipher, error) {
					if err := c.next(); err != nil {
						return nil, err
					}
					return make(setup)
				}
			}
			g := fakeSubject(algorithm, nil, nil)
			err = Run(t.Context(), s, &g, Options{Full: true, Seed: 1})
			return c.calls, err
		}
		all, err := attempt(0)
		if err != nil {
			t.Fatalf("%s: %v", algorithm, err)
		}
		const looks = 25
		for i := range looks {
			failing := 1 + i*(all-1)/(looks-1)
			if _, err := attempt(failing); err == nil {
				t.Errorf("%s: passes although call %d of %d fails", algorithm, failing, all)
			}
		}
	}
}

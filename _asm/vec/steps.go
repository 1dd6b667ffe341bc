package vec

// Steps is work cut into pieces of a few instructions, to be put between the instructions of other work so that both
// run at once. One list of steps serves every width: a ZMM loop pops them at other places than an XMM loop.
type Steps []func()

// Add appends steps.
func (s *Steps) Add(steps ...func()) { *s = append(*s, steps...) }

// Next emits the next n steps, or what is left of them.
func (s *Steps) Next(n int) {
	for range min(n, len(*s)) {
		step := (*s)[0]
		*s = (*s)[1:]
		step()
	}
}

// Share emits this place's even share, where places is how many places are left, this one included. With one place
// left it emits all that is left.
func (s *Steps) Share(places int) { s.Next((len(*s) + places - 1) / places) }

// Rest emits all that is left.
func (s *Steps) Rest() { s.Next(len(*s)) }

// Alternate appends lists of work that run side by side: n steps of each in turn.
func (s *Steps) Alternate(n int, lists ...Steps) {
	for more := true; more; {
		more = false
		for i, l := range lists {
			k := min(n, len(l))
			s.Add(l[:k]...)
			lists[i], more = l[k:], more || len(l) > k
		}
	}
}

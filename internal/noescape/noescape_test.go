package noescape

import "testing"

// TestStackMoves: a hidden slice of a stack array still points to it after the stack has grown and moved.
func TestStackMoves(t *testing.T) {
	failure := make(chan string, 1)
	go func() { failure <- afterGrowth(1 << 16) }() // a new goroutine, whose stack is small
	if s := <-failure; s != "" {
		t.Error(s)
	}
}

func afterGrowth(depth int) string {
	var array [8]int
	s := Slice(array[:])
	s[1] = grow(depth)
	array[2] = depth
	if array[1] != depth || s[2] != depth {
		return "the slice does not point to its array"
	}
	return ""
}

// grow uses some 100 bytes of stack for each of depth.
//
//go:noinline
func grow(depth int) int {
	var frame [8]int
	frame[depth%8] = depth
	if depth == 0 {
		return 0
	}
	return grow(depth-1) + 1 + frame[(depth+1)%8]
}

func TestNothing(t *testing.T) {
	if Bytes(nil) != nil {
		t.Error("Bytes(nil) is not nil")
	}
	if s := Slice([]int{1, 2, 3}); len(s) != 3 || s[2] != 3 {
		t.Errorf("Slice gives %v", s)
	}
}

//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestKillAll: what a command started is killed with it.
func TestKillAll(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	_, err := command(t.Context(), 200*time.Millisecond, "", "sh", "-c", "(sleep 1; touch "+mark+") & wait")
	if err == nil {
		t.Fatal("the command ended by itself")
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("the child lived on")
	}
}

//go:build !purego

package cpu

//go:generate go -C ../../_asm run ./cpu -o ../internal/cpu

// cpuid runs CPUID with EAX = leaf and ECX = subleaf.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv returns XCR0. It faults unless leaf 1 says OSXSAVE.
func xgetbv() uint64

// rdtsc returns the time-stamp counter after all earlier instructions, and before any later one.
func rdtsc() uint64

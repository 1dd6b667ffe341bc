// Command planted holds assembly with one fault a function, for the census to find. It is linked and never run.
package main

func fine()
func movbe()
func bmi2()
func avx2()
func sse41()
func widened()
func narrowed()
func unknown()
func onePathDirty()
func mixed()
func runsOff()

func main() {
	fine()
	movbe()
	bmi2()
	avx2()
	sse41()
	widened()
	narrowed()
	unknown()
	onePathDirty()
	mixed()
	runsOff()
}

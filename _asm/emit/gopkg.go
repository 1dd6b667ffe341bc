package emit

import (
	"fmt"
	"go/constant"
	"go/types"
	"os"
	"strings"

	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"golang.org/x/tools/go/packages"
)

// What a generator needs of the Go package that it works for: the types of the functions, constants, sizes and offsets.
// All are read from the package's source, so that nothing has to be kept equal by hand.

// load returns the types of the package in this folder, for amd64; without a folder, nil. The package may be of another
// module than the library.
func load(dir string) (*types.Package, error) {
	if dir == "" {
		return nil, nil
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedDeps | packages.NeedImports,
		Dir:  dir,
		Env:  append(os.Environ(), "GOARCH=amd64"),
	}, ".")
	switch {
	case err != nil:
		return nil, err
	case len(list) != 1:
		return nil, fmt.Errorf("%s holds %d packages", dir, len(list))
	case len(list[0].Errors) > 0:
		return nil, list[0].Errors[0]
	}
	return list[0].Types, nil
}

// sizes are those of Go's compiler.
var sizes = types.SizesFor("gc", "amd64")

// A failure is an error that ends a generator's run. Generate returns it.
type failure struct{ error }

func fail(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

// implement begins the function that the package declares under this name.
func (c *Ctx) implement(name string) {
	if c.pkg == nil {
		fail("function %s: no package is given; use FuncType", name)
	}
	signature, err := gotypes.LookupSignature(c.pkg, name)
	if err != nil {
		fail("package %s: function %s: %w", c.pkg.Path(), name, err)
	}
	c.Function(name)
	c.Signature(signature)
}

// Const returns the value of a constant of the Go package, an integer.
func (c *Ctx) Const(name string) int {
	object, ok := c.object(name).(*types.Const)
	if !ok {
		fail("%s of package %s is no constant", name, c.pkg.Path())
	}
	n, exact := constant.Int64Val(constant.ToInt(object.Val()))
	if !exact {
		fail("constant %s of package %s is %s, which is no integer of 64 bits", name, c.pkg.Path(), object.Val())
	}
	return int(n)
}

// Expect fails unless a constant of the Go package has the value that the generator is made for.
func (c *Ctx) Expect(name string, made int) {
	if n := c.Const(name); n != made {
		fail("constant %s of package %s is %d, and this generator is made for %d", name, c.pkg.Path(), n, made)
	}
}

// Sizeof returns the size of a type in bytes: of the Go package ("asmKey") or of one that it imports
// ("registry.Packet").
func (c *Ctx) Sizeof(name string) int {
	return int(sizes.Sizeof(c.typeOf(name).Type()))
}

// Offset returns how far into a struct type, named as for [Ctx.Sizeof], a field is.
func (c *Ctx) Offset(name, field string) int {
	at, _ := c.field(name, field)
	return at
}

// FieldSize returns the size in bytes of a field of a struct type, named as for [Ctx.Sizeof].
func (c *Ctx) FieldSize(name, field string) int {
	_, f := c.field(name, field)
	return int(sizes.Sizeof(f.Type()))
}

// field is a field of a struct type, and how far into it that is.
func (c *Ctx) field(name, field string) (at int, f *types.Var) {
	s, ok := c.typeOf(name).Type().Underlying().(*types.Struct)
	if !ok {
		fail("type %s is no struct", name)
	}
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	for i, at := range sizes.Offsetsof(fields) {
		if fields[i].Name() == field {
			return int(at), fields[i]
		}
	}
	fail("type %s has no field %s", name, field)
	return 0, nil
}

func (c *Ctx) typeOf(name string) *types.TypeName {
	object, ok := c.object(name).(*types.TypeName)
	if !ok {
		fail("%s of package %s is no type", name, c.pkg.Path())
	}
	return object
}

// object is what the Go package declares under a name, or, with a package's name and a dot before it, one that it
// imports.
func (c *Ctx) object(name string) types.Object {
	if c.pkg == nil {
		fail("%s: no package is given to read it from", name)
	}
	pkg, local := c.pkg, name
	if before, after, ok := strings.Cut(name, "."); ok {
		for _, imported := range c.pkg.Imports() {
			if imported.Name() == before {
				pkg, local = imported, after
			}
		}
	}
	object := pkg.Scope().Lookup(local)
	if object == nil {
		fail("package %s declares no %s, which this generator reads there", pkg.Path(), local)
	}
	return object
}

// Addr is where a component of an argument or result lies: c.Addr(c.Param("k").Dereference(k).Field("rounds")).
func (c *Ctx) Addr(x gotypes.Component) operand.Mem {
	b, err := x.Resolve()
	if err != nil {
		panic(failure{err})
	}
	return b.Addr
}

// ArgAddr is where the argument called name lies. It is the function's own, to change as well.
func (c *Ctx) ArgAddr(name string) operand.Mem { return c.Addr(c.Param(name)) }

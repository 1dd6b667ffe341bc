package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goSource is one file of Go code of this build, and the places in it that can be broken.
type goSource struct {
	name  string
	text  string
	sites map[string]map[string][]edit // function -> kind -> its edits
	tests []check
}

// edit replaces the bytes from..to of a file.
type edit struct {
	from, to int
	by       string
}

// goPackages are the patterns of the packages whose code has mutants: what callers run, and what tests a driver in
// every process.
var goPackages = []string{".", "./registry/...", "./selftest", "./algs/...", "./internal/...", "./compat/...",
	"./examples/..."}

// forTests are folders of packages that only tests use.
var forTests = regexp.MustCompile(`internal/(guard|codesize|rewrite|equiv)$`)

// readGo reads the Go code of this build whose path fits.
func readGo(fits *regexp.Regexp) ([]source, error) {
	out, err := exec.Command("go", append([]string{"list", "-json=Dir,GoFiles,TestGoFiles,XTestGoFiles"},
		goPackages...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: run it from the root of kcrypto", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var list []source
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir                                string
			GoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		dir, err := filepath.Rel(here, p.Dir)
		if err != nil {
			return nil, err
		}
		if forTests.MatchString(dir) {
			continue
		}
		for _, file := range p.GoFiles {
			path := filepath.Join(dir, file)
			if !fits.MatchString(path) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			s := &goSource{name: path, text: string(text), tests: goTests(dir, len(p.TestGoFiles)+len(p.XTestGoFiles) > 0)}
			if err := s.index(); err != nil {
				return nil, err
			}
			if len(s.sites) > 0 {
				list = append(list, s)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no Go file fits %s", fits)
	}
	return list, nil
}

// goTests lists the tests that should notice a fault in the package of a folder: its own, then those of what is built
// on it.
func goTests(dir string, own bool) []check {
	test := func(by outcome, packages ...string) check {
		return check{by, append([]string{"go", "test", "-vet=off", "-short", "-failfast", "-count=1"}, packages...)}
	}
	var list []check
	if own && dir != "." {
		list = append(list, test(package_, "./"+dir))
	}
	switch first, _, _ := strings.Cut(dir, "/"); first {
	case "compat", "examples":
		return append(list, test(suite, "./"+first+"/..."))
	}
	return append(list, test(suite, "."), test(users, "./algs/...", "./compat/..."))
}

func (s *goSource) path() string { return s.name }

func (s *goSource) checks() []check { return s.tests }

// draw breaks one place of s.
func (s *goSource) draw(random *rand.Rand) *mutant {
	function := pick(random, slices.Sorted(maps.Keys(s.sites)))
	kind := pick(random, slices.Sorted(maps.Keys(s.sites[function])))
	e := pick(random, s.sites[function][kind])
	return &mutant{
		path: s.name, function: function, line: 1 + strings.Count(s.text[:e.from], "\n"),
		before: s.text[e.from:e.to], after: e.by, text: s.text[:e.from] + e.by + s.text[e.to:],
	}
}

// index finds what may be broken.
func (s *goSource) index() error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, s.name, s.text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s.sites = map[string]map[string][]edit{}
	for _, decl := range file.Decls {
		name := "package level"
		if f, ok := decl.(*ast.FuncDecl); ok {
			name = functionName(f)
		}
		v := &visitor{text: s.text, offset: func(p token.Pos) int { return set.Position(p).Offset },
			sites: map[string][]edit{}}
		ast.Inspect(decl, v.visit)
		if len(v.sites) > 0 {
			s.sites[name] = merge(s.sites[name], v.sites)
		}
	}
	return nil
}

func merge(into, from map[string][]edit) map[string][]edit {
	if into == nil {
		return from
	}
	for kind, edits := range from {
		into[kind] = append(into[kind], edits...)
	}
	return into
}

// functionName is a function's name, behind its receiver's type if it is a method.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// visitor collects the edits of one declaration.
type visitor struct {
	text   string
	offset func(token.Pos) int
	sites  map[string][]edit
}

func (v *visitor) add(kind string, from, to token.Pos, by string) {
	v.sites[kind] = append(v.sites[kind], edit{v.offset(from), v.offset(to), by})
}

func (v *visitor) source(n ast.Node) string { return v.text[v.offset(n.Pos()):v.offset(n.End())] }

// visit notes the ways to break a node.
func (v *visitor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.ArrayType, *ast.StructType:
		return false
	case *ast.BlockStmt:
		v.statements(n.List)
	case *ast.CaseClause:
		v.statements(n.Body)
	case *ast.IfStmt:
		v.condition(n)
	case *ast.BinaryExpr:
		if by, ok := operators[n.Op]; ok {
			v.add(by.kind, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by.other.String())
		}
	case *ast.BasicLit:
		v.constant(n)
	case *ast.ReturnStmt:
		v.result(n)
	}
	return true
}

// wipes are the calls that no result shows: they overwrite secrets, or keep an object alive until an end.
var wipes = regexp.MustCompile(`^(clear|runtime\.KeepAlive|.*\.(Wipe|wipe|drop|Stop|stop|Release|Unlock|Close))\(`)

// statements leaves statements out, one at a time.
func (v *visitor) statements(list []ast.Stmt) {
	for _, stmt := range list {
		kind := "statement"
		switch stmt := stmt.(type) {
		case *ast.ExprStmt:
			if wipes.MatchString(v.source(stmt)) {
				kind = "wiping"
			}
		case *ast.AssignStmt:
			if stmt.Tok == token.DEFINE {
				continue // what follows would not build
			}
		case *ast.DeferStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.SendStmt:
		default:
			continue
		}
		v.add(kind, stmt.Pos(), stmt.End(), "")
	}
}

// condition turns an if round, and lets an error pass.
func (v *visitor) condition(n *ast.IfStmt) {
	v.add("condition", n.Cond.Pos(), n.Cond.End(), "!("+v.source(n.Cond)+")")
	if strings.HasSuffix(v.source(n.Cond), "err != nil") && n.Else == nil {
		v.add("error", n.Body.Pos(), n.Body.End(), "{}")
	}
}

// operators maps an operator to one of the same form that does something else.
var operators = map[token.Token]struct {
	kind  string
	other token.Token
}{
	token.LSS: {"bound", token.LEQ}, token.LEQ: {"bound", token.LSS}, token.GTR: {"bound", token.GEQ},
	token.GEQ: {"bound", token.GTR},
	token.EQL: {"condition", token.NEQ}, token.NEQ: {"condition", token.EQL},
	token.LAND: {"condition", token.LOR}, token.LOR: {"condition", token.LAND},
	token.ADD: {"arithmetic", token.SUB}, token.SUB: {"arithmetic", token.ADD}, token.AND: {"arithmetic", token.OR},
	token.OR: {"arithmetic", token.AND}, token.AND_NOT: {"arithmetic", token.AND}, token.SHL: {"arithmetic", token.SHR},
	token.SHR: {"arithmetic", token.SHL}, token.XOR: {"arithmetic", token.OR}, token.MUL: {"arithmetic", token.ADD},
}

// constant makes a number one more or one less.
func (v *visitor) constant(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	value, err := strconv.ParseUint(n.Value, 0, 64)
	if err != nil {
		return
	}
	v.add("constant", n.Pos(), n.End(), strconv.FormatUint(value+1, 10))
	if value > 0 {
		v.add("constant", n.Pos(), n.End(), strconv.FormatUint(value-1, 10))
	}
}

// errorValue is an expression that is an error by its name.
var errorValue = regexp.MustCompile(`^(err[A-Z]?\w*|\w*\.?[eE]rror\w*|\w+\.Err[A-Z]\w*|fmt\.Errorf)(\(|$)`)

// result returns no error where there is one, and the other truth.
func (v *visitor) result(n *ast.ReturnStmt) {
	for _, value := range n.Results {
		switch text := v.source(value); {
		case text == "true":
			v.add("condition", value.Pos(), value.End(), "false")
		case text == "false":
			v.add("condition", value.Pos(), value.End(), "true")
		case errorValue.MatchString(text):
			v.add("error", value.Pos(), value.End(), "nil")
		}
	}
}

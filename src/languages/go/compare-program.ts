/**
 * Reads from standard input the sources and their mutants, and prints a letter for each mutant: `b` when its package
 * cannot be compiled with it, `.` when it can. Types are checked in one process, as the compiler would do it.
 */
export const COMPARE_PROGRAM = `
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
)

type mutant struct{ Path, Text string }

var imports = importer.ForCompiler(token.NewFileSet(), "source", nil)

func holds(path, text string) bool {
	set := token.NewFileSet()
	found, err := build.ImportDir(filepath.Dir(path), 0)
	if err != nil {
		return false
	}
	var files []*ast.File
	for _, name := range found.GoFiles {
		place := filepath.Join(filepath.Dir(path), name)
		var source any
		if filepath.Clean(path) == place {
			source = text
		}
		file, err := parser.ParseFile(set, place, source, 0)
		if err != nil {
			return false
		}
		files = append(files, file)
	}
	config := types.Config{Importer: imports, FakeImportC: true}
	_, err = config.Check(found.ImportPath, set, files, nil)
	return err == nil
}

func main() {
	var asked struct {
		Originals map[string]string
		Mutants   []mutant
	}
	if json.NewDecoder(os.Stdin).Decode(&asked) != nil {
		os.Exit(1)
	}
	sound := map[string]bool{}
	for path, text := range asked.Originals {
		sound[path] = holds(path, text)
	}
	for _, one := range asked.Mutants {
		if sound[one.Path] && !holds(one.Path, one.Text) {
			fmt.Print("b")
		} else {
			fmt.Print(".")
		}
	}
}
`;

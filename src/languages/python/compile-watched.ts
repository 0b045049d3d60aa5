/**
 * Compiles some files otherwise than they are written: whoever watches them puts something before their statements. Only
 * these files pay for being watched, unlike with `sys.settrace`, and a test that meets the recursion limit ends nothing. The
 * texts stay as they are, and so do the numbers of their lines.
 */
export const COMPILE_WATCHED = `
import ast, builtins

class Compiling:
    # \`change\` takes the tree of a file and its name in \`watched\`, and gives another tree.
    def __init__(self, watched, change):
        self.watched, self.change, self.files = watched, change, {}
        self.compile = builtins.compile
        builtins.compile = self.compiled

    def path(self, name):
        if name not in self.files:
            self.files[name] = self.watched.get(os.path.realpath(name)) or self.watched.get(os.path.abspath(name))
        return self.files[name]

    def compiled(self, source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
        usual = lambda code: self.compile(code, filename, mode, flags, dont_inherit, optimize, **more)
        name = os.fsdecode(filename) if isinstance(filename, (str, bytes, os.PathLike)) else ""
        path = self.path(name) if mode == "exec" and name[:1] != "<" else None
        if path is None or flags & ast.PyCF_ONLY_AST:
            return usual(source)
        try:
            only_tree = flags | ast.PyCF_ONLY_AST
            tree = source if isinstance(source, ast.AST) else self.compile(source, filename, "exec", only_tree, True)
            return usual(ast.fix_missing_locations(self.change(tree, path)))
        except Exception:
            return usual(source)
`;

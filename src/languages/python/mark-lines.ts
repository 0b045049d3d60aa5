import { COMPILE_WATCHED } from "./compile-watched.ts";

/**
 * Tells which lines of some files run, and in which test: each statement of these files is compiled with a mark before
 * it. One mark stands for a statement: at its first line.
 * What runs while a watched module is imported belongs to no test, whichever test happened to be the first to import it.
 */
export const MARK_LINES = `
${COMPILE_WATCHED}
class Marks:
    def __init__(self, watched, test):
        self.watched, self.test = watched, test
        self.marked, self.lines, self.importing = [], {}, 0

    def start(self):
        builtins.__miracle_import__ = self.imported
        Compiling(self.watched, self.mark)

    def mark(self, tree, path):
        last = max([getattr(one, "end_lineno", 0) or 0 for one in ast.walk(tree)], default=0)
        name = "__miracle_%d__" % len(self.marked)
        marks = bytearray(last + 2)
        setattr(builtins, name, marks)
        self.marked.append((path, marks))
        return Marking(name).module(tree)

    # Called by a module as it begins and as it ends.
    def imported(self, begins):
        if sys._getframe(1).f_globals.get("__name__") == "__main__":
            return
        self.gather()
        self.importing = max(0, self.importing + (1 if begins else -1))

    # Whatever ran since the last time belongs to what runs now.
    def gather(self):
        test = "" if self.importing else self.test()
        for path, marks in self.marked:
            line = marks.find(1)
            if line < 0:
                continue
            found = self.lines.setdefault((path, test), set())
            while line >= 0:
                found.add(line)
                marks[line] = 0
                line = marks.find(1, line + 1)

class Marking(ast.NodeTransformer):
    def __init__(self, name):
        self.name = name

    def marks(self, lines, like):
        at = lambda line: ast.Subscript(self.known(), ast.Constant(line), ast.Store())
        return ast.copy_location(ast.Assign([at(line) for line in sorted(lines)], ast.Constant(1)), like)

    def known(self):
        return ast.Name(self.name, ast.Load())

    def module(self, tree):
        first = 1 if ast.get_docstring(tree, clean=False) is not None else 0
        while first < len(tree.body) and getattr(tree.body[first], "module", None) == "__future__":
            first += 1
        head, body = tree.body[:first], self.block(tree.body[first:])
        if head:
            body.insert(0, self.marks({one.lineno for one in head}, head[-1]))
        tell = lambda begins: ast.Expr(ast.Call(ast.Name("__miracle_import__", ast.Load()), [ast.Constant(begins)], []))
        whole = ast.Try([tell(True), *body], [], [], [tell(False)])
        where = body[0] if body else tree
        tree.body = head + [ast.fix_missing_locations(ast.copy_location(whole, where))] if body else head
        return tree

    def block(self, statements):
        made = []
        for one in statements:
            made += [self.marks(first_lines(one), one), self.visit(one)]
        return made

    def generic_visit(self, node):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                keep = 0
                if field == "body" and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    keep = 1 if ast.get_docstring(node, clean=False) is not None else 0
                head, rest = value[:keep], self.block(value[keep:])
                if head and isinstance(node, ast.ClassDef):
                    rest.insert(0, self.marks({head[0].lineno}, head[0]))
                value[:] = head + rest
            elif isinstance(value, list):
                value[:] = [self.visit(one) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    # A lambda is called wherever it was carried to.
    def visit_Lambda(self, node):
        self.generic_visit(node)
        setter = ast.Attribute(self.known(), "__setitem__", ast.Load())
        marked = ast.Call(setter, [ast.Constant(node.body.lineno), ast.Constant(1)], [])
        nothing = ast.Compare(marked, [ast.Is()], [ast.Constant(None)])
        node.body = ast.copy_location(ast.IfExp(nothing, node.body, ast.Constant(None)), node.body)
        return node

# Where a statement begins; with its decorators, and with what decides whether its own blocks run.
def first_lines(one):
    heads = [one, *getattr(one, "decorator_list", []), *getattr(one, "handlers", [])]
    heads += [case.pattern for case in getattr(one, "cases", [])]
    return {head.lineno for head in heads}
`;

import { CODE_MEANING } from "./code-meaning.ts";

/**
 * Reads files from standard input and prints, as one line of JSON, the units of each: what the interpreter makes of every
 * function, head of a class, statement and imported name, compiled by itself and without positions. Nothing of the
 * project runs in this process.
 *
 * `code` is everything; `plain` is without docstrings and without annotations that nobody asks for; `binds` and `reads`
 * are names, and `acts` says whether anything of somebody else's runs when the unit is reached: they decide whether the
 * order of two units counts.
 */
export const UNITS_PROGRAM = `
import __future__, ast, builtins, copy, hashlib, importlib, json, os, signal, sys, tempfile
sys.setrecursionlimit(5000)
${CODE_MEANING}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Nothing runs when these are met.
QUIET = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Lambda, ast.Starred, ast.expr_context, ast.UnaryOp,
         ast.unaryop)
# What types are written with.
TYPES = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Starred,
         ast.expr_context) + ((ast.Index,) if sys.version_info < (3, 9) else ())
TYPING = ("typing", "typing_extensions")
# These open windows and pages.
ACTING = {"antigravity", "idlelib", "test", "turtledemo"}
# Classes that make nothing of the names of those below them.
PLAIN_BASES = {"object", "ABC", "Protocol", "Generic", "TypedDict"} | {
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, BaseException)}
COUNTING = {"dataclass", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "Structure", "define", "attrs", "s"}
# Decorators of the language itself, which look at no annotation.
PLAIN_DECORATORS = {"property", "staticmethod", "classmethod"}
BUILTINS = set(dir(builtins)) | {"__name__", "__file__", "__builtins__"}
# To these a class is only a class.
ASKING = {"isinstance", "issubclass", "super", "cast", "print", "len", "type", "str", "repr"}
GENERIC = {"list", "dict", "set", "frozenset", "tuple", "type"}

# What code without a name for a module meets of it all the same.
def around():
    hooks = ["stdin", "stdout", "stderr", "displayhook", "excepthook", "breakpointhook", "unraisablehook"]
    lists = [tuple(map(id, one)) for one in (sys.path, sys.meta_path, sys.path_hooks)]
    kept = {name: id(one) for name, one in vars(builtins).items() if name != "_"}
    signals = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)]
    return [[id(getattr(sys, one, None)) for one in hooks], lists, kept, signals, dict(os.environ), "readline" in sys.modules]

# What loading does, asked of the interpreter in a process of its own: nothing else, something, or nothing at all is there.
def loads(module, name, known={}):
    if (module, name) not in known:
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                file = tempfile.TemporaryFile()
                said, nowhere = file.fileno(), os.open(os.devnull, os.O_RDWR)
                for own, other in ((0, nowhere), (1, said), (2, said)):
                    os.dup2(other, own)
                before = around()
                made = importlib.import_module(module)
                sys.stdout.flush()
                is_there = name is None or hasattr(made, name) or importlib.import_module(module + "." + name)
                is_quiet = around() == before and os.fstat(said).st_size == 0
                os.write(theirs, b"quiet" if is_there and is_quiet else b"acts")
            finally:
                os._exit(0)
        os.close(theirs)
        known[module, name] = os.read(ours, 100).decode()
        os.close(ours)
        os.waitpid(child, 0)
    return known[module, name]

def compiled(body, flags):
    module = ast.Module(body=body, type_ignores=[])
    for node in ast.walk(module):
        # Layout decides where the compiler leaves a NOP for the tracer: all of it stands in one place.
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    ast.fix_missing_locations(module)
    return compile(module, "module", "exec", flags=flags, dont_inherit=True)

NOTHING = meaning(compiled([ast.Pass()], 0))

def digest(body, flags):
    found = meaning(compiled(body, flags))
    return "" if found == NOTHING else hashlib.sha256(repr(found).encode()).hexdigest()

def alone(node):
    # Behind something else a text is no docstring.
    return [ast.Pass(), node] if isinstance(node, ast.Expr) else [node]

def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)

def is_type(node):
    return all(isinstance(one, TYPES) for one in ast.walk(node))

def is_quiet(node):
    if isinstance(node, ast.Lambda):
        return all(is_quiet(one) for one in node.args.defaults + [one for one in node.args.kw_defaults if one])
    return isinstance(node, QUIET) and all(is_quiet(one) for one in ast.iter_child_nodes(node))

def works_out(node):
    # "Cart" | None and int[str] are errors.
    if isinstance(node, ast.BinOp):
        return not any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (node.left, node.right))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in BUILTINS:
        return node.value.id in GENERIC
    return True

def bound_early(nodes):
    # Each name that is bound for certain, with the line behind which it is.
    found = {}
    for node in nodes:
        if isinstance(node, ast.If):
            # One of the two is met, and what only type checkers see is not there.
            one, other = bound_early(node.body), bound_early(node.orelse)
            inner = [other] if ast.unparse(node.test).endswith("TYPE_CHECKING") else [{name: one[name] for name in one if name in other}]
        elif isinstance(node, ast.Try):
            inner = [bound_early(node.body + node.orelse + node.finalbody)]
        elif isinstance(node, ast.With):
            inner = [bound_early(node.body)]
        else:
            made = isinstance(node, FUNCTIONS + (ast.ClassDef,))
            inner = [{one: node.end_lineno for one in ([node.name] if made else names([node], (ast.Store,)))}]
        for one in inner:
            for name, line in one.items():
                found.setdefault(name, line)
    return found

class Plain(ast.NodeTransformer):
    """Without what only people read."""
    def __init__(self, docs, types, within, handed, is_safe):
        self.docs, self.types, self.within, self.handed, self.local = docs, types, within, handed, False
        self.is_safe = is_safe

    def is_nothing(self, annotation, node):
        return is_type(annotation) and self.is_safe(annotation, node, self.local)

    def visit_FunctionDef(self, node):
        if self.docs and node.body and is_text(node.body[0]):
            node.body = node.body[1:] or [ast.Pass()]
        is_given = self.within is not None and self.within.name in self.handed.given
        known = self.handed.members if self.within is not None and not self.local else self.handed
        if self.types and all(map(looks_at_no_type, node.decorator_list)) and node.name not in known and not is_given:
            for one in parameters(node):
                if one.annotation and self.is_nothing(one.annotation, node):
                    one.annotation = None
            if node.returns and self.is_nothing(node.returns, node):
                node.returns = None
        was, self.local = self.local, True
        self.generic_visit(node)
        self.local = was
        return node
    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        if self.docs and node.body and is_text(node.body[0]):
            node.body = node.body[1:] or [ast.Pass()]
        was, self.within, self.local = (self.within, self.local), node, False
        self.generic_visit(node)
        self.within, self.local = was
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        # A class that somebody else makes something of (a dataclass, a model) is made of its annotations.
        is_made = self.within is not None and is_made_of(self.within, self.handed)
        # In a function it makes the name a local one, and is not looked at otherwise.
        if self.local or not self.types or is_made or not isinstance(node.target, ast.Name) or not self.is_nothing(node.annotation, node):
            return node
        if node.value is None:
            return ast.Pass()
        return ast.Assign(targets=[node.target], value=node.value)

# Somebody else may make something of the class, by its annotations as well.
def is_made_of(node, handed):
    return bool(node.decorator_list or node.bases or node.keywords or node.name in handed)

def last_name(node):
    node = node.func if isinstance(node, ast.Call) else node
    node = node.value if isinstance(node, ast.Subscript) else node
    return getattr(node, "id", getattr(node, "attr", ""))

# Whoever makes something of a class gets its names in the order of the text.
def is_read_in_order(node, handed):
    makers = node.decorator_list + node.keywords + [one for one in node.bases if last_name(one) not in PLAIN_BASES]
    return bool(makers) or node.name in handed.given

# Here a name also has a number: as an argument, as a part of a tuple, as a value of its own.
def counts_names(node):
    return bool({last_name(one) for one in node.decorator_list + node.bases} & COUNTING)

class Handed(set):
    # Those that are arguments of a call: who gets a class may read the annotations of its methods, too.
    given = set()
    # Those by which a method can be reached: as an attribute, or in the body of a class.
    members = set()

def handed_on(tree):
    # Names that are given to others, and not only called: who gets a function or a class may read its annotations.
    left = set()
    for node in ast.walk(tree):
        types = annotations(node) if isinstance(node, FUNCTIONS) else [node.annotation] if isinstance(node, ast.AnnAssign) else []
        for one in types:
            left.update(map(id, ast.walk(one)))
        if isinstance(node, ast.Call):
            left.add(id(node.func))
        if isinstance(node, ast.ClassDef):
            left.update(map(id, node.bases))
    loaded = [one for one in ast.walk(tree) if isinstance(getattr(one, "ctx", None), ast.Load) and id(one) not in left]
    found = Handed({one.id for one in loaded if isinstance(one, ast.Name)} | {one.attr for one in loaded if isinstance(one, ast.Attribute)})
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and getattr(one.func, "id", "") not in ASKING]
    given = [one for call in calls for one in call.args + [one.value for one in call.keywords]]
    found.given = {one.id for one in given if isinstance(one, ast.Name)}
    within = {id(one) for owner in ast.walk(tree) if isinstance(owner, ast.ClassDef) for one in run_by_class(owner)}
    found.members = {one.attr for one in loaded if isinstance(one, ast.Attribute)}
    found.members |= {one.id for one in loaded if isinstance(one, ast.Name) and id(one) in within}
    return found

# What is worked out in the body of a class: there alone is a bare name one of its members.
def run_by_class(owner):
    for one in owner.body:
        for part in one.decorator_list + defaults(one) if isinstance(one, FUNCTIONS) else [one]:
            yield from ast.walk(part)

def says_doc(node):
    # By its name, or as globals()["__doc__"].
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value == "__doc__"
    return isinstance(node, ast.Name) and node.id == "__doc__"

def asked_docs(tree):
    # Whose docstrings the file asks for: find.__doc__, getattr(find, "__doc__"), getdoc(find).
    copied = set()
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if targets and all(isinstance(one, ast.Attribute) and one.attr == "__doc__" for one in targets):
            copied.add(id(node.value))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "__doc__" and isinstance(node.ctx, ast.Load):
            found.extend([] if id(node) in copied else [node.value])
        if isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            says = any(isinstance(one, ast.Constant) and one.value == "__doc__" for one in node.args[1:])
            if called == "getdoc" or (called == "getattr" and says):
                found.append(node.args[0])
    return {one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else "" for one in found}

def speaks_to_people(node):
    for one in ast.walk(node):
        if isinstance(one, ast.AnnAssign):
            return True
        if isinstance(one, FUNCTIONS) and (annotations(one) or is_text(one.body[0])):
            return True
        if isinstance(one, ast.ClassDef) and is_text(one.body[0]):
            return True
    return False

def names(nodes, context):
    found = set()
    open_nodes = list(nodes)
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.add(node.id)
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)) and context is not ast.Load:
            found.add(node.name)
        if isinstance(node, (ast.Import, ast.ImportFrom)) and context is not ast.Load:
            found.update((one.asname or one.name).split(".")[0] for one in node.names)
        if isinstance(node, FUNCTIONS):
            open_nodes.extend(signature(node))
        else:
            open_nodes.extend(ast.iter_child_nodes(node))
    return sorted(found)

def parameters(node):
    args = node.args
    return [one for one in args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg] if one]

def annotations(node):
    return [one for one in [one.annotation for one in parameters(node)] + [node.returns] if one]

def defaults(node):
    return [one for one in node.args.defaults + node.args.kw_defaults if one]

def signature(node):
    return node.decorator_list + defaults(node) + annotations(node)

def is_plain(decorator):
    return isinstance(decorator, ast.Name) and decorator.id in PLAIN_DECORATORS

def is_plainly_decorated(node):
    return all(map(is_plain, node.decorator_list))

def looks_at_no_type(decorator):
    # Marks of pytest are only kept beside the function.
    mark = decorator.func if isinstance(decorator, ast.Call) else decorator
    return is_plain(decorator) or (isinstance(mark, ast.Attribute) and ast.unparse(mark.value) == "pytest.mark")

def overloads(tree):
    # What "overload" of the language's types is called here.
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in TYPING and node.level == 0:
            found.update(one.asname or one.name for one in node.names if one.name == "overload")
        if isinstance(node, ast.Import):
            found.update((one.asname or one.name) + ".overload" for one in node.names if one.name in TYPING)
    return found

class Reader:
    def __init__(self, source, docs, types, own):
        self.own = own
        # A mark at the beginning belongs to the encoding: the parser does not count it.
        self.mark = 3 if source.startswith(b"\\xef\\xbb\\xbf") else 0
        self.source, self.docs, self.types = source[self.mark:], docs, types
        self.lines = self.source.split(b"\\n")
        self.starts = [0]
        for one in self.lines:
            self.starts.append(self.starts[-1] + len(one) + 1)
        self.flags = 0
        self.empty = {}
        self.units = []

    def read(self):
        tree = ast.parse(self.source)
        # The whole file first: what only it can tell (a return outside of a function, a late __future__) is an error.
        compile(self.source, "module", "exec", dont_inherit=True)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.level == 0:
                for one in node.names:
                    self.flags |= getattr(__future__, one.name).compiler_flag
        # Compiling unit by unit takes the places away.
        begins = [self.offset(one.lineno, one.col_offset) for one in ast.walk(tree) if isinstance(one, ast.stmt)]
        self.knows_itself = any(map(says_doc, ast.walk(tree)))
        self.handed = handed_on(tree)
        asked = asked_docs(tree)
        defined = {one.name for one in ast.walk(tree) if isinstance(one, FUNCTIONS + (ast.ClassDef,))}
        self.asked, self.asks_of_any, self.asks_of_all = asked & defined, bool(asked - defined), "" in asked
        self.bound = bound_early(tree.body)
        self.overloads = overloads(tree)
        self.body(tree.body, [])
        return {"units": self.units, "statements": begins}

    def body(self, nodes, classes):
        prefix = "".join(one.name + "." for one in classes)
        for place, node in enumerate(nodes):
            if place == 0 and is_text(node):
                self.docstring(node, prefix, classes)
            elif isinstance(node, FUNCTIONS):
                node = self.said(node, prefix, classes)
                acts = not (is_plainly_decorated(node) and all(map(is_quiet, defaults(node))) and all(map(is_type, annotations(node))))
                self.add(node, "function", prefix + node.name, classes, acts)
                if self.types and self.is_only_typed(node, nodes[place + 1:], classes):
                    self.units[-1].update(plain="", acts=False)
            elif isinstance(node, ast.ClassDef):
                self.class_(node, prefix, classes)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports(node, prefix, classes)
            else:
                self.statement(node, prefix, classes)

    def is_only_typed(self, node, later, classes):
        # One of several signatures: the function of this name that follows is the one that is called.
        is_replaced = any(isinstance(one, FUNCTIONS) and one.name == node.name for one in later)
        is_safe = all(is_type(one) and self.is_safe(classes)(one, node, False) for one in annotations(node))
        marks = [ast.unparse(one) for one in node.decorator_list]
        return is_replaced and is_safe and len(marks) == 1 and marks[0] in self.overloads and all(map(is_quiet, defaults(node)))

    def said(self, node, prefix, classes):
        # What a function says of itself is a part of its own: the rest is judged without it.
        if not is_text(node.body[0]):
            return node
        self.docstring(node.body[0], prefix + node.name + ".", classes + [node])
        rest = copy.copy(node)
        rest.body = node.body[1:] or [ast.Pass()]
        return rest

    def docstring(self, node, prefix, classes):
        text = hashlib.sha256(("doc " + repr(node.value.value)).encode()).hexdigest()
        # The text of a module is also known to the module itself.
        known = self.knows_itself if not classes else self.is_asked(classes)
        unread = self.docs and not known
        kind = "statement" if known else "docs"
        self.put(node, kind, prefix + "docstring", text, "" if unread else text, [prefix + "__doc__"], [], False)

    def is_asked(self, owners):
        # Of who is not known, it may be any that others get: by a decorator, by its name, through the object itself.
        owner = owners[-1]
        if owner.name in self.asked or self.asks_of_all:
            return True
        is_given = owner.decorator_list or owner.name in self.handed or isinstance(owner, ast.ClassDef)
        return self.asks_of_any and bool(is_given)

    def class_(self, node, prefix, classes):
        head = copy.copy(node)
        head.body = [ast.Pass()]
        first = node.body[0]
        end = (first.decorator_list[0] if getattr(first, "decorator_list", None) else first)
        acts = bool(node.decorator_list or node.bases or node.keywords)
        at = self.span(node)
        head_text = self.source[at["start"] - self.mark:self.offset(end.lineno, end.col_offset) - self.mark]
        head_text = head_text.rstrip().rstrip(b"@").rstrip()
        at["end"] = at["start"] + len(head_text)
        at["to"] = at["from"] + head_text.count(b"\\n")
        self.add(head, "class", prefix + node.name, classes, acts, at)
        self.body(node.body, classes + [node])

    def imports(self, node, prefix, classes):
        for one in node.names:
            part = copy.copy(node)
            part.names = [one]
            bound = one.asname or one.name
            said = "from %s%s import *" % ("." * node.level, node.module or "") if one.name == "*" else bound
            at = self.span(one if hasattr(one, "lineno") else node)
            self.add(part, "import", prefix + said, classes, True, at)
            top = (getattr(node, "module", None) or one.name).split(".")[0]
            # Under another name, or in a class, it may stand for something that others ask for.
            is_plain = one.asname in (None, one.name) and not classes and not bound.startswith("__")
            if not getattr(node, "level", 0) and top in sys.stdlib_module_names - self.own and one.name != "*":
                from_ = getattr(node, "module", None)
                does = "acts" if top in ACTING else loads(from_ or one.name, one.name if from_ else None)
                self.units[-1]["standard"] = does == "quiet" and is_plain
                self.units[-1]["loads"] = does == "acts"
            # What it changes is seen in the units below it.
            if isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.level == 0:
                self.units[-1]["plain"] = ""

    def statement(self, node, prefix, classes):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        only = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None
        value = getattr(node, "value", None)
        quiet = isinstance(node, ast.Pass) or (only is not None and (value is None or is_quiet(value))
            and (isinstance(node, ast.Assign) or is_type(node.annotation)))
        first = self.lines[node.lineno - 1][node.col_offset:].decode("utf-8", "replace").strip()[:60]
        self.add(node, "statement", prefix + (only or first), classes, not quiet)
        if isinstance(node, ast.AnnAssign) and classes and is_made_of(classes[-1], self.handed):
            self.units[-1]["field"] = True
        if only is not None and not only.startswith("__") and classes and is_read_in_order(classes[-1], self.handed):
            self.units[-1]["ordered"] = True
            self.units[-1]["counted"] = counts_names(classes[-1]) and (isinstance(node, ast.AnnAssign) or isinstance(value, ast.Call))

    def add(self, node, kind, name, classes, acts, at=None):
        def inside(stmt):
            for one in reversed(classes):
                stmt = ast.ClassDef(name=one.name, bases=[], keywords=[], body=alone(stmt), decorator_list=[], type_params=[])
            return stmt
        at = at or self.span(node)
        binds = names([node], (ast.Store, ast.Del))
        reads = names([node], ast.Load)
        maker = classes[-1] if classes else None
        # Compiling makes the places of a node useless: the copy is taken before.
        people = Plain(self.docs, self.types, maker, self.handed, self.is_safe(classes)).visit(copy.deepcopy(node)) if speaks_to_people(node) else None
        whole = self.digest(inside(node), inside, classes)
        plain = self.digest(inside(people), inside, classes) if people else whole
        scope = "".join(one.name + "." for one in classes)
        debug = any(isinstance(one, ast.Name) and one.id == "__debug__" for one in ast.walk(node))
        self.put(node, kind, name, whole, plain, [scope + one for one in binds], reads + [scope + one for one in reads if classes], acts, at)
        if debug:
            self.units[-1]["debug"] = True

    def is_safe(self, classes):
        # A type is worked out where it stands: a name that is not there yet, or never, is an error.
        def is_safe(annotation, node, local):
            if self.flags & __future__.annotations.compiler_flag:
                return True
            names = {one.id for one in ast.walk(annotation) if isinstance(one, ast.Name)}
            scopes = [self.bound] + [bound_early(one.body) for one in classes]
            known = {name for scope in scopes for name, line in scope.items() if line < node.lineno}
            known.update(one.name for owner in classes + [node] for one in getattr(owner, "type_params", []))
            is_known = local or "*" in known or names <= known | BUILTINS
            return is_known and all(map(works_out, ast.walk(annotation)))
        return is_safe

    def digest(self, stmt, inside, classes):
        found = digest(alone(stmt), self.flags)
        within = tuple(one.name for one in classes)
        if within not in self.empty:
            self.empty[within] = digest([inside(ast.Pass())], self.flags)
        return "" if found == self.empty[within] else found

    def put(self, node, kind, name, code, plain, binds, reads, acts, at=None):
        self.units.append({"name": name, "kind": kind, "code": code, "plain": plain, "binds": binds, "reads": reads,
            "acts": acts, **(at or self.span(node))})

    def offset(self, line, column):
        return self.mark + self.starts[line - 1] + column

    def span(self, node):
        # The names of a decorator stand one behind its sign.
        marks = getattr(node, "decorator_list", None)
        line, column = (marks[0].lineno, max(0, marks[0].col_offset - 1)) if marks else (node.lineno, node.col_offset)
        return {"from": line, "to": node.end_lineno, "start": self.offset(line, column),
                "end": self.offset(node.end_lineno, node.end_col_offset)}

asked = json.load(sys.stdin)
found = {}
for one in asked["files"]:
    try:
        source = one["content"].encode("utf-8", "surrogatepass")
        found[one["path"]] = Reader(source, asked["docs"], asked["types"], set(asked["own"])).read()
    except SyntaxError as error:
        found[one["path"]] = {"unreadable": "line %s: %s" % (error.lineno, error.msg)}
    except (ValueError, RecursionError, MemoryError, OverflowError, KeyError, AttributeError) as error:
        found[one["path"]] = {"unreadable": "%s: %s" % (type(error).__name__, str(error)[:200])}
json.dump(found, sys.stdout)
`;

import { COMPILE_WATCHED } from "./compile-watched.ts";
import { CARRY } from "./record-values.ts";

/**
 * Writes down the arguments of calls of some functions, as they were before the call, and the tests in which they
 * happened: these functions are compiled so that they tell of each call, and how it ended. Values that equal a default
 * are left out: the other version may have another default.
 */
export const RECORDER = `
${CARRY}
${COMPILE_WATCHED}
# Whether a function with this body is a generator.
def gives_values(body):
    open_nodes = list(body)
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            open_nodes += list(ast.iter_child_nodes(node))
    return False

class Recorder:
    MOST_TRIED, MOST_LOST, MOST_IN_TEST, MOST_KEPT, MOST_TESTS = 1000, 100, 40, 160, 20

    def __init__(self):
        self.order = order = json.loads(os.environ.pop("MIRACLE_RECORD"))
        self.out, self.first = order["out"], set(order["first"])
        os.makedirs(self.out, exist_ok=True)
        self.written = open(os.path.join(self.out, "%d.json" % os.getpid()), "w", encoding="ascii")
        self.root = os.getcwd()
        self.watched = {os.path.join(self.root, path): (path, one) for path, one in order["files"].items()}
        self.codes, self.functions = {}, {}
        self.nodeid, self.pending, self.ends, self.on = "", {}, {}, False
        self.carry = carrying()
        builtins.__miracle_called__, builtins.__miracle_ended__ = self.call, self.ended
        Compiling(self.watched, self.telling)

    def pytest_runtest_logstart(self, nodeid, location):
        self.nodeid, self.on = nodeid, True

    def pytest_runtest_logfinish(self, nodeid, location):
        self.nodeid = ""
        for function, data, call in self.pending.values():
            self.note(function, data, call)
        self.pending.clear()

    # Each watched function says when it is called; one that is no generator also how it ended.
    def telling(self, tree, found):
        said = lambda name, *given: ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(one) for one in given], []))
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not self.is_watched(node, found[1]):
                continue
            keep = 1 if ast.get_docstring(node, clean=False) is not None else 0
            head, body = node.body[:keep], node.body[keep:]
            if not body:
                continue
            whole = [said("__miracle_called__", found[0]), *body]
            if isinstance(node, ast.FunctionDef) and not gives_values(body):
                caught = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), None,
                                           [said("__miracle_ended__", True), ast.Raise()])
                guarded = ast.Try(body, [caught], [], [said("__miracle_ended__", False)])
                whole = [whole[0], guarded]
            for one in whole[:1] + ([whole[1]] if len(whole) == 2 else []):
                ast.copy_location(one, body[0])
            node.body = head + whole
        return tree

    def is_watched(self, node, watched):
        first = min([node.lineno] + [one.lineno for one in node.decorator_list])
        named = any(one["from"] <= first <= one["to"] and one["name"].split(".")[-1] == node.name
                    for one in watched["functions"])
        return watched["all"] or named

    def call(self, path):
        if not self.on:
            return
        frame = sys._getframe(1)
        end = self.taken(frame, self.watched[os.path.join(self.root, path)])
        if end is not None:
            self.ends[id(frame)] = end

    # Of a call that raises this is told twice: as it raises, and as it leaves.
    def ended(self, raised):
        end = self.ends.pop(id(sys._getframe(1)), None) if self.on else None
        if end is not None:
            end(raised)

    def find(self, code, path, watched):
        qualified = getattr(code, "co_qualname", None)
        for one in watched["functions"]:
            if one["from"] <= code.co_firstlineno <= one["to"] and one["name"].split(".")[-1] == code.co_name:
                if qualified is None or qualified == one["name"]:
                    return one["name"]
        if watched["all"] and qualified and "<" not in qualified:
            return qualified
        return None

    # The watched function that is called here.
    def called(self, frame, found):
        code = frame.f_code
        known = self.codes.get(id(code))
        if known is None:
            path, watched = found
            name = self.find(code, path, watched)
            known = self.codes[id(code)] = (code, None if name is None else self.function(path, name, code, frame))
        function = known[1]
        if function is None:
            return None
        function["seen"] += 1
        return function

    def taken(self, frame, found):
        code, function = frame.f_code, self.called(frame, found)
        if function is None:
            return None
        first = self.nodeid in self.first
        if (function["full"] and not first) or function["tests"].get(self.nodeid, 0) >= self.MOST_IN_TEST:
            return None
        function["tests"][self.nodeid] = function["tests"].get(self.nodeid, 0) + 1
        function["tried"] += 1
        try:
            data = self.carry.carried(self.arguments(frame, function))
        except BaseException as error:
            function["lost"] += 1
            function["why"] = function["why"] or (type(error).__name__ + ": " + str(error))[:200]
            data = None
        nothing = function["lost"] >= self.MOST_LOST and not function["calls"]
        function["full"] = nothing or function["tried"] >= self.MOST_TRIED
        if data is None:
            return None
        call = function["calls"].get(data)
        if call is None and len(function["calls"]) >= self.MOST_KEPT and not first:
            return None
        if call is None:
            call = function["calls"][data] = {"tests": set(), "kind": ""}
        if self.nodeid in call["tests"] or (len(call["tests"]) >= self.MOST_TESTS and not first):
            return None
        call["tests"].add(self.nodeid)
        if code.co_flags & 0x2A0:
            self.note(function, data, call)
            return None
        self.pending[id(frame)] = (function, data, call)
        def end(raised):
            call["kind"] = "" if raised else "value"
            self.pending.pop(id(frame), None)
            self.note(function, data, call)
        return end

    # At once: the process may be ended at any moment.
    def note(self, function, data, call):
        import base64
        if len(function["calls"]) == 1:
            self.tell(function)
        self.say(call={"path": function["path"], "name": function["name"], "kind": call["kind"],
                       "tests": [self.nodeid] if self.nodeid else [], "data": base64.b64encode(data).decode()})

    def say(self, **values):
        self.written.write(json.dumps(values) + "\\n")
        self.written.flush()

    def tell(self, function):
        kept = {name: function[name] for name in ("path", "name", "module", "seen", "lost", "why")}
        self.say(function=dict(kept, distinct=len(function["calls"])))

    def function(self, path, name, code, frame):
        import gc, types
        key = path + "::" + name
        if key not in self.functions:
            own = [one for one in gc.get_referrers(code) if isinstance(one, types.FunctionType)]
            own = [one for one in own if one.__code__ is code]
            defaults = dict(own[0].__kwdefaults__ or {}) if own else {}
            if own and own[0].__defaults__:
                last = code.co_varnames[:code.co_argcount][-len(own[0].__defaults__):]
                defaults.update(zip(last, own[0].__defaults__))
            module = frame.f_globals.get("__name__", "")
            counts = {"seen": 0, "tried": 0, "lost": 0, "why": "", "full": False}
            self.functions[key] = {"path": path, "name": name, "module": module, "tests": {}, "calls": {},
                                   "defaults": defaults, **counts}
        return self.functions[key]

    def arguments(self, frame, function):
        code, values, defaults = frame.f_code, frame.f_locals, function["defaults"]
        count, only = code.co_argcount, code.co_kwonlyargcount
        names = code.co_varnames[:count + only + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        many = values[names[count + only]] if code.co_flags & 4 else ()
        more = values[names[-1]] if code.co_flags & 8 else {}
        usual = lambda name: name in defaults and values[name] is defaults[name]
        given, named, left = [], {}, False
        for place, name in enumerate(names[:count]):
            by_place = any(not usual(later) for later in names[place:code.co_posonlyargcount])
            if usual(name) and not many and not by_place:
                left = True
            elif left:
                named[name] = values[name]
            else:
                given.append(values[name])
        named.update({name: values[name] for name in names[count:count + only] if not usual(name)})
        if function["name"].endswith(".__init__") and given:
            given[0] = type(given[0])
        return [given + list(many), {**named, **more}]

    def pytest_sessionstart(self, session):
        self.tell_paths()

    def tell_paths(self):
        self.say(paths=[path for path in sys.path if path.startswith(self.root)][:20])

    def pytest_unconfigure(self, config):
        self.on = False
        self.tell_paths()
        for function in self.functions.values():
            self.tell(function)
        self.written.close()
`;

/** Other plugins would watch beside it, or run the tests elsewhere. */
export const ALONE = `
import importlib.util
if importlib.util.find_spec("pytest_cov"):
    sys.argv.append("--no-cov")
if importlib.util.find_spec("xdist"):
    sys.argv.append("-n0")
`;

export const RECORD_PLUGIN = `
${RECORDER}
${ALONE}
recorder = Recorder()
`;

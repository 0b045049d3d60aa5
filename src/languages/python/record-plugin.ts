import { CARRY } from "./record-values.ts";

/**
 * Writes down the arguments of calls of some functions, as they were before the call, and the tests in which they
 * happened. By `sys.settrace`, so the code stays as it is; a test that meets the recursion limit ends CPython's tracing, so
 * each test begins it anew. Values that equal a default are left out: the other version may have another default.
 */
export const RECORD_PLUGIN = `
${CARRY}
class Recorder:
    MOST_TRIED, MOST_IN_TEST, MOST_KEPT = 3000, 60, 400

    def __init__(self):
        order = json.loads(os.environ.pop("MIRACLE_RECORD"))
        self.out, self.most = order["out"], order["most"]
        self.root = os.getcwd()
        self.watched = {os.path.join(self.root, path): (path, one) for path, one in order["files"].items()}
        self.files, self.codes, self.functions = {}, {}, {}
        self.nodeid = ""
        self.carry = carrying()

    def pytest_runtest_logstart(self, nodeid, location):
        self.nodeid = nodeid
        self.start()

    def pytest_runtest_logfinish(self, nodeid, location):
        self.nodeid = ""

    def start(self):
        import threading
        threading.settrace(self.call)
        sys.settrace(self.call)

    def call(self, frame, event, arg):
        name = frame.f_code.co_filename
        watched = self.files.get(name, 0)
        if watched == 0:
            watched = self.watched.get(os.path.realpath(name)) or self.watched.get(os.path.abspath(name))
            self.files[name] = watched
        if watched is None or not frame.f_code.co_flags & 1:
            return None
        return self.taken(frame, watched)

    def find(self, code, path, watched):
        qualified = getattr(code, "co_qualname", None)
        for one in watched["functions"]:
            if one["from"] <= code.co_firstlineno <= one["to"] and one["name"].split(".")[-1] == code.co_name:
                if qualified is None or qualified == one["name"]:
                    return one["name"]
        if watched["all"] and qualified and "<" not in qualified:
            return qualified
        return None

    def taken(self, frame, found):
        code, (path, watched) = frame.f_code, found
        known = self.codes.get(id(code))
        if known is None:
            name = self.find(code, path, watched)
            known = self.codes[id(code)] = (code, None if name is None else self.function(path, name, code, frame))
        function = known[1]
        # A generator is entered anew after each of its values.
        if function is None or (code.co_flags & 0x2A0 and frame.f_lineno != code.co_firstlineno):
            return None
        function["seen"] += 1
        tried = function["tests"].get(self.nodeid, 0)
        if tried >= self.MOST_IN_TEST or function["tried"] >= self.MOST_TRIED:
            return None
        function["tests"][self.nodeid] = tried + 1
        function["tried"] += 1
        try:
            data = self.carry.carried(self.arguments(frame, function))
        except BaseException as error:
            function["lost"] += 1
            function["why"] = function["why"] or (type(error).__name__ + ": " + str(error))[:200]
            return None
        call = function["calls"].get(data)
        if call is None:
            if len(function["calls"]) >= self.MOST_KEPT:
                return None
            call = function["calls"][data] = {"tests": {}, "kind": ""}
        call["tests"][self.nodeid] = True
        if code.co_flags & 0x2A0:
            return None
        frame.f_trace_lines = False
        met = []
        def local(frame, event, arg):
            if event == "exception":
                met.append(True)
            elif event == "return":
                call["kind"] = "value" if not met or arg is not None else ""
            return local
        return local

    def function(self, path, name, code, frame):
        import gc, types
        key = path + "::" + name
        if key not in self.functions:
            own = [one for one in gc.get_referrers(code) if isinstance(one, types.FunctionType) and one.__code__ is code]
            defaults = dict(own[0].__kwdefaults__ or {}) if own else {}
            if own and own[0].__defaults__:
                last = code.co_varnames[:code.co_argcount][-len(own[0].__defaults__):]
                defaults.update(zip(last, own[0].__defaults__))
            self.functions[key] = {"path": path, "name": name, "module": frame.f_globals.get("__name__", ""), "seen": 0,
                                   "tried": 0, "lost": 0, "why": "", "tests": {}, "calls": {}, "defaults": defaults}
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

    def chosen(self, function):
        # In turn from each test, so that no test's calls crowd out another's.
        groups = {}
        for data, call in function["calls"].items():
            groups.setdefault(next(iter(call["tests"])), []).append((data, call))
        turns = [(place, order, one) for order, own in enumerate(groups.values()) for place, one in enumerate(own)]
        return [one for _, _, one in sorted(turns, key=lambda turn: turn[:2])][:self.most]

    def pytest_unconfigure(self, config):
        import base64
        sys.settrace(None)
        os.makedirs(self.out, exist_ok=True)
        with open(os.path.join(self.out, "%d.json" % os.getpid()), "w", encoding="ascii") as out:
            def say(**values):
                out.write(json.dumps(values) + "\\n")
            say(paths=[path for path in sys.path if path.startswith(self.root)][:20])
            for function in self.functions.values():
                kept = {name: function[name] for name in ("path", "name", "module", "seen", "lost", "why")}
                say(function=dict(kept, distinct=len(function["calls"])))
                for data, call in self.chosen(function):
                    say(call={"path": function["path"], "name": function["name"], "kind": call["kind"],
                              "tests": [test for test in call["tests"] if test][:20],
                              "data": base64.b64encode(data).decode()})

import importlib.util
if importlib.util.find_spec("pytest_cov"):
    sys.argv.append("--no-cov")
if importlib.util.find_spec("xdist"):
    sys.argv.append("-n0")
recorder = Recorder()
`;

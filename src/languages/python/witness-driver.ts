import { FIXTURE_STAND_INS } from "./witness-fixtures.ts";
import { HYPOTHESIS_STAND_INS } from "./witness-hypothesis.ts";
import { PYTEST_STAND_INS } from "./witness-pytest.ts";

/**
 * Runs tests as a script of a person's would call the code: no test runner is loaded, and the code under test finds none.
 * 1. The text of the tests comes with the order; where code could look for it there is no file.
 * 2. Test files get stand-ins through an import of their own; the code imports as always, and sees nothing of them.
 * 3. Every test runs twice in this process, the second time in the opposite order.
 * 4. What our stand-ins cannot do is told as that, never as a failure of the code.
 */
const DRIVER = String.raw`
ROOT = os.getcwd()
TELLING = {"pytest", "_pytest", "pluggy", "unittest", "hypothesis", "_hypothesis_pytestplugin"}

def private_unittest(asynchronous):
    """The standard library's own, which no other code finds among the loaded modules."""
    before = {name for name in sys.modules if name.split(".")[0] == "unittest"}
    import unittest, unittest.mock, unittest.case
    if asynchronous:
        from unittest.async_case import IsolatedAsyncioTestCase
        unittest.IsolatedAsyncioTestCase = IsolatedAsyncioTestCase
    found = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "unittest"}
    for name in found:
        if name not in before:
            del sys.modules[name]
    return found

class Imports:
    """The imports of test files and of what belongs to them."""
    def __init__(self, sources, plain):
        self.sources, self.plain = sources, plain
        self.stand_ins = {"pytest": pytest_stand_in(), **hypothesis_stand_ins()}
        self.unittest = None
        self.loaded, self.registered = {}, []

    def stand_in(self, name):
        top = name.split(".")[0]
        if top == "unittest":
            asynchronous = any("IsolatedAsyncio" in file["content"] for file in self.sources)
            self.unittest = self.unittest or private_unittest(asynchronous)
            if name not in self.unittest:
                raise Lacking(name)
            return self.unittest[name]
        if name in self.stand_ins:
            return self.stand_ins[name]
        raise Lacking("the module " + name)

    def take(self, name, globals=None, locals=None, names=(), level=0):
        top = name.split(".")[0]
        if level == 0 and top in TELLING:
            last = self.stand_in(name)
            return last if names else self.stand_in(top)
        place = self.place_of(name, globals, level)
        if place is not None:
            own = self.support(place, name, globals, level)
            if own is not None:
                if names:
                    for one in names:
                        if not hasattr(own, one) and own.__path_of__:
                            inner = self.support(os.path.join(own.__path_of__, one), one, globals, level)
                            if inner is not None:
                                setattr(own, one, inner)
                    return own
                return own if "." not in name else self.chain(name, own)
        return REAL_IMPORT(name, globals, locals, names, level)

    def chain(self, name, last):
        top = types.ModuleType(name.split(".")[0])
        at = top
        parts = name.split(".")
        for part in parts[1:-1]:
            inner = types.ModuleType(part)
            setattr(at, part, inner)
            at = inner
        setattr(at, parts[-1], last)
        return top

    def place_of(self, name, globals, level):
        """Where a file of support would be: beside the tests, or below the root."""
        rest = name.replace(".", "/") if name else ""
        if level > 0:
            home = (globals or {}).get("__place__")
            if home is None:
                return None
            for _ in range(level - 1):
                home = os.path.dirname(home)
            return os.path.join(home, rest) if rest else home
        # Where Python itself would find it: what is of its library, or of a package, is none of the tests'.
        top, _, below = name.partition(".")
        if top in sys.builtin_module_names or (top in sys.modules and not inside_root(sys.modules[top])):
            return None
        found = importlib.machinery.PathFinder.find_spec(top)
        if found is None:
            return None
        places = [found.origin] if found.origin else list(found.submodule_search_locations or [])
        place = next((one for one in places if os.path.realpath(one).startswith(os.path.realpath(ROOT) + os.sep)), None)
        if place is None or (found.origin and not place.endswith(".py")):
            return None
        home = os.path.dirname(place) if os.path.basename(place) == "__init__.py" else place[:-3] if found.origin else place
        return os.path.join(home, *below.split(".")) if below else home

    def support(self, place, name, globals, level):
        """A module that belongs to the tests because it uses what only tests use; null for every other."""
        file = place + ".py"
        if not os.path.isfile(file):
            file = os.path.join(place, "__init__.py")
            inside = os.path.relpath(place, ROOT)
            if not os.path.isdir(place) or inside.startswith(".."):
                return None
            if not os.path.isfile(file) and not (level > 0 or is_tests(place)):
                return None
        key = os.path.realpath(file)
        if key in self.loaded:
            return self.loaded[key]
        if not key.startswith(os.path.realpath(ROOT) + os.sep):
            return None
        text = ""
        if os.path.isfile(file):
            with open(file, encoding="utf-8") as source:
                text = source.read()
        uses = re.search(r"^\s*(from|import)\s+(pytest|_pytest|unittest|hypothesis)\b", text, re.M)
        if not uses and not is_tests(os.path.dirname(file)):
            return None
        module = self.load(file, text)
        return module

    def load(self, path, text, at=None):
        """Compiled and run under a name that tells nothing, unless names are to be kept."""
        key = os.path.realpath(path)
        told = told_path(path, text) if self.plain else path
        module = types.ModuleType(os.path.basename(told)[:-3])
        module.__file__ = told
        builtins_of = dict(vars(builtins))
        builtins_of["__import__"] = self.take
        directory = os.path.dirname(path)
        module.__dict__.update({"__builtins__": builtins_of, "__place__": directory, "__path_of__": directory
                                if os.path.basename(path) == "__init__.py" else None, "__package__": "notes"})
        self.loaded[key] = module
        # What is defined in it can be found by its name, as it must be to be stored.
        if module.__name__ not in sys.modules:
            sys.modules[module.__name__] = module
            self.registered.append(module.__name__)
        try:
            code = compile(text, told, "exec", dont_inherit=True)
            exec(renamed(code, text) if self.plain else code, module.__dict__)
        except BaseException:
            del self.loaded[key]
            raise
        return module

def inside_root(module):
    file = getattr(module, "__file__", None)
    return file is None or os.path.realpath(file).startswith(os.path.realpath(ROOT) + os.sep)

def is_tests(place):
    return re.search(r"(^|/)(tests?|testing|conftest)(/|$)", os.path.relpath(place, ROOT)) is not None

def told_path(path, text):
    """A name that tells nothing, unless the file may ask for its own."""
    name = os.path.basename(path)[:-3]
    keeps = "__file__" in text or "__name__" in text or name in text
    return path if keeps else os.path.join(ROOT, "notes.py")

ASKS_FOR_NAMES = re.compile(r"__name__|__qualname__|_getframe|currentframe|funcName|inspect|traceback|nodeid|node\.name")

def renamed(code, text):
    """Functions of tests under a name that tells nothing, where nothing in the file can ask for the name."""
    words = collections.Counter(re.findall(r"\w+", text))
    return code if ASKS_FOR_NAMES.search(text) else with_plain_names(code, words)

def with_plain_names(code, words):
    inner = tuple(with_plain_names(one, words) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    is_test = code.co_name.lower().startswith("test") and words[code.co_name] == 1
    names = {"co_name": "main"} if is_test else {}
    if hasattr(code, "co_qualname") and is_test:
        names["co_qualname"] = "main"
    return code.replace(co_consts=inner, **names)

REAL_IMPORT = builtins.__import__

class Test:
    """One case: a function with the values it is called with."""
    def __init__(self, file, name, function, cls, module, params, marks, run=None):
        self.file, self.name, self.function, self.cls, self.module = file, name, function, cls, module
        self.params, self.marks, self.run_case = params, marks, run
        self.id = file + "::" + name
        self.instance = None
        self.loop = None

    def closest(self, name, default=None):
        return next((one for one in reversed(self.marks) if one.name == name), default)

    def places(self):
        key = ("session", "places", 0, 0, None, 0)
        if key not in self.fixtures.scopes.values:
            self.fixtures.scopes.values[key] = Places()
        return self.fixtures.scopes.values[key]

    def value(self, name):
        return self.fixtures.value(name)

    def wait(self, coroutine):
        import asyncio
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
        return self.loop.run_until_complete(coroutine)

    def run(self, known, scopes):
        for mark in self.marks:
            if mark.name == "skip" or (mark.name == "skipif" and any(
                    eval(one, dict(vars(self.module)), {"os": os, "sys": sys}) if isinstance(one, str) else one for one in mark.args)):
                raise Skipped(mark.kwargs.get("reason", ""))
            if mark.name == "xfail":
                raise Lacking("a test that is expected to fail")
        self.fixtures = Fixtures(known, scopes, self, self.params)
        try:
            if self.run_case is not None:
                self.autouse(known)
                return self.run_case(self)
            if self.cls is not None:
                self.instance = self.cls()
            self.autouse(known)
            bare = getattr(self.instance, self.function.__name__, None) if self.instance is not None else None
            call = self.function if self.instance is None else functools.partial(self.function, self.instance)
            if isinstance(inspect.getattr_static(self.cls, self.attribute, None) if self.cls else None, staticmethod):
                call = self.function
            self.set_up("setup_method" if self.instance is not None else "setup_function")
            values = {}
            for name in self.takes:
                values[name] = self.params[name] if name in self.params else self.fixtures.value(name)
            try:
                made = call(**values)
                if inspect.iscoroutine(made):
                    self.wait(made)
                elif inspect.isgenerator(made):
                    raise Lacking("a test that yields")
            finally:
                self.set_up("teardown_method" if self.instance is not None else "teardown_function")
        finally:
            try:
                scopes.close("function")
            finally:
                if self.loop is not None:
                    self.loop.close()
                    self.loop = None

    def set_up(self, name):
        found = getattr(self.instance if self.instance is not None else self.module, name, None)
        if found is not None and not isinstance(found, Absent):
            takes = len(inspect.signature(found).parameters)
            found(*[self.function][:takes])

    def autouse(self, known):
        for name, found in known.items():
            if found[-1].autouse and (getattr(found[-1], "owner", None) is None or (
                    self.cls is not None and issubclass(self.cls, found[-1].owner))):
                self.fixtures.value(name)
        for mark in self.marks:
            if mark.name == "usefixtures":
                for name in mark.args:
                    self.fixtures.value(name)

def mocked(function):
    """How many arguments come from mock.patch."""
    count = 0
    while function is not None:
        for one in getattr(function, "patchings", []):
            if not one.attribute_name and getattr(one.new, "name", None) == "DEFAULT":
                count += 1
        function = getattr(function, "__wrapped__", None)
        break
    return count

def label(value, name, index):
    if isinstance(value, str):
        return value.encode("unicode_escape").decode("ascii")
    if isinstance(value, bytes):
        return "".join(chr(one) if 32 <= one < 127 else "\\x%02x" % one for one in value)
    if value is None or isinstance(value, (int, float, bool, complex)):
        return str(value)
    if isinstance(value, re.Pattern):
        return label(value.pattern, name, index)
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(getattr(value, "__name__", None), str):
        return value.__name__
    return name + str(index)

def sets_of(mark):
    names = mark.args[0] if mark.args else mark.kwargs["argnames"]
    rows = mark.args[1] if len(mark.args) > 1 else mark.kwargs["argvalues"]
    ids = mark.kwargs.get("ids") or (mark.args[3] if len(mark.args) > 3 else None)
    told = [one.strip() for one in names.split(",") if one.strip()] if isinstance(names, str) else list(names)
    # One name in a list has rows of one value each; one name alone has the values themselves.
    single, names = isinstance(names, str) and len(told) == 1, told
    rows = list(rows)
    if ids is not None and not callable(ids):
        ids = list(ids)
    made = []
    for index, row in enumerate(rows):
        marks, own = [], None
        if isinstance(row, Param):
            marks, own, row = row.marks, row.id, row.values
        elif single:
            row = (row,)
        row = tuple(row)
        if len(row) != len(names):
            raise Lacking("a row of parametrize with another number of values")
        if own is None and callable(ids):
            own = "-".join(str(said) if said is not None else label(one, name, index)
                           for name, one, said in [(name, one, ids(one)) for name, one in zip(names, row)])
        elif own is None and ids is not None and ids[index] is not None:
            own = ids[index] if isinstance(ids[index], str) else label(ids[index], names[0], index)
        elif own is None:
            own = "-".join(label(one, name, index) for name, one in zip(names, row))
        made.append((own, dict(zip(names, row)), marks))
    return distinct(made), mark.kwargs.get("indirect", False)

def distinct(rows):
    counts = collections.Counter(row[0] for row in rows)
    if max(counts.values(), default=1) == 1:
        return rows
    used, made = set(counts), []
    seen = collections.Counter()
    for name, values, marks in rows:
        if counts[name] > 1:
            mark = "_" if name and name[-1].isdigit() else ""
            while name + mark + str(seen[name]) in used:
                seen[name] += 1
            fresh = name + mark + str(seen[name])
            seen[name] += 1
            used.add(fresh)
            name = fresh
        made.append((name, values, marks))
    return made

def closure(names, known, seen=()):
    """Every fixture that these need, directly or not."""
    found = list(seen)
    for name in names:
        if name in found:
            continue
        found.append(name)
        if name in known:
            for one in known[name]:
                found = closure([other for other in inspect.signature(one.function).parameters if other not in ("self", "cls")], known, found)
    return found

def cases(file, name, function, attribute, cls, module, known, outer):
    marks = [*outer, *function.__dict__.get("pytestmark", [])] if hasattr(function, "__dict__") else list(outer)
    inner = function.__func__ if isinstance(function, (staticmethod, classmethod)) else function
    takes = list(inspect.signature(inner).parameters.values())
    if cls is not None and not isinstance(function, staticmethod):
        takes = takes[1:]
    takes = takes[mocked(inner):]
    takes = [one.name for one in takes if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    rows = [("", {}, [])]
    for mark in reversed([one for one in marks if one.name == "parametrize"]):
        more, indirect = sets_of(mark)
        if indirect:
            chosen = None if indirect is True else set(indirect)
            more = [(own, {("param", key) if chosen is None or key in chosen else key: value for key, value in values.items()}, extra)
                    for own, values, extra in more]
        rows = [(first + "-" + own if first else own, {**one, **values}, [*extra, *also])
                for first, one, extra in rows for own, values, also in more]
    given_names = {key for row in rows[:1] for key in row[1] if isinstance(key, str)}
    used = [one.args for one in marks if one.name == "usefixtures"]
    wanted = closure([*[one for found in known for one in ([found] if known[found][-1].autouse else [])],
                      *[one for args in used for one in args], *[one for one in takes if one not in given_names]], known)
    for other in wanted:
        found = known.get(other)
        if not found or found[-1].params is None or other in given_names:
            continue
        if any(("param", other) in row[1] for row in rows):
            continue
        ids = found[-1].ids
        more, _ = sets_of(Mark("parametrize", (other, found[-1].params), {"ids": ids} if ids else {}))
        rows = [(first + "-" + own if first else own, {**one, ("param", other): values[other]}, [*extra, *also])
                for first, one, extra in rows for own, values, also in more]
    made = []
    for own, values, extra in rows:
        whole = name + "[" + own + "]" if len(rows) > 1 or own else name
        one = Test(file, whole, inner, cls, module, values, [*marks, *extra])
        one.takes, one.attribute, one.base = takes, attribute, name
        made.append(one)
    return made

def case_of_class(file, name, cls, attribute, module, outer, base):
    """A test of a unittest class, without its runner."""
    function = inspect.getattr_static(cls, attribute)
    marks = [*outer, *getattr(function, "pytestmark", [])]
    def run(test):
        instance = test.instance = cls(attribute)
        whole = getattr(instance, attribute)
        for one in (cls, whole):
            if getattr(one, "__unittest_skip__", False):
                raise Skipped(getattr(one, "__unittest_skip_why__", ""))
        if getattr(whole, "__unittest_expecting_failure__", False):
            raise Lacking("a test that is expected to fail")
        asynchronous = hasattr(instance, "asyncSetUp")
        step = (lambda made: test.wait(made) if inspect.iscoroutine(made) else None)
        try:
            step(instance.setUp())
            if asynchronous:
                step(instance.asyncSetUp())
            try:
                step(whole())
            finally:
                if asynchronous:
                    step(instance.asyncTearDown())
                instance.tearDown()
        finally:
            while instance._cleanups:
                cleanup, args, kwargs = instance._cleanups.pop()
                step(cleanup(*args, **kwargs))
    one = Test(file, name, function, cls, module, {}, marks, run)
    one.takes, one.attribute, one.base = [], attribute, name
    return one

def marks_of(place):
    found = getattr(place, "pytestmark", [])
    return list(found) if isinstance(found, (list, tuple)) else [found]

def collect(file, module, known, case_class, wanted):
    made = []
    def functions(place, prefix, cls, outer, own):
        for name in dict.fromkeys(key for one in ([place] if cls is None else reversed(cls.__mro__)) for key in vars(one)):
            value = vars(module).get(name) if cls is None else inspect.getattr_static(cls, name)
            inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            whole = prefix + name
            if inspect.isclass(value) and cls is not value and not isinstance(value, Absent):
                if case_class is not None and issubclass(value, case_class):
                    below = marks_of(value)
                    for attribute in dir(value):
                        if attribute.startswith("test") and callable(getattr(value, attribute)):
                            made.append(case_of_class(file, whole + "::" + attribute, value, attribute, module, [*outer, *below], whole))
                elif name.startswith("Test"):
                    inherited = [one for base in reversed(value.__mro__) for one in base.__dict__.get("pytestmark", [])]
                    functions(value, whole + "::", value, [*outer, *inherited], with_fixtures(own, value))
            elif inspect.isfunction(inner) and name.startswith("test") and (whole in wanted or name in wanted):
                made.extend(cases(file, whole, value if isinstance(value, staticmethod) else inner, name, cls, module, own, outer))
    functions(module, "", None, marks_of(module), known)
    return made

def with_fixtures(known, place):
    found = {name: list(many) for name, many in known.items()}
    sources = [place] if not inspect.isclass(place) else reversed(place.__mro__)
    for source in sources:
        for name, value in list(vars(source).items()):
            if isinstance(value, Fixture):
                if inspect.isclass(place):
                    value.owner = place
                own = name if value.name == value.function.__name__ else value.name
                found.setdefault(own, []).append(value)
    return found

def supports(file):
    """The conftest files above a test, the outermost first."""
    parts = os.path.dirname(file).split("/") if os.path.dirname(file) else []
    places = [ROOT] + [os.path.join(ROOT, *parts[:count]) for count in range(1, len(parts) + 1)]
    return [path for path in (os.path.join(place, "conftest.py") for place in places) if os.path.isfile(path)]

def paths_for(file):
    """What pytest would put before the other places of modules."""
    place = os.path.dirname(os.path.join(ROOT, file))
    while os.path.isfile(os.path.join(place, "__init__.py")) and place != ROOT:
        place = os.path.dirname(place)
    configured = []
    try:
        import tomllib
        with open(os.path.join(ROOT, "pyproject.toml"), "rb") as source:
            options = tomllib.load(source).get("tool", {}).get("pytest", {}).get("ini_options", {})
        said = options.get("pythonpath", [])
        configured = said.split() if isinstance(said, str) else list(said)
    except Exception:
        pass
    for name, section in (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        try:
            import configparser
            parser = configparser.ConfigParser()
            parser.read(os.path.join(ROOT, name))
            configured += parser.get(section, "pythonpath", fallback="").split()
        except Exception:
            pass
    return [place, *[os.path.join(ROOT, one) for one in configured], ROOT, os.path.join(ROOT, "src")]

def describe(error, told, text):
    """The error, and the line of the test it comes from."""
    lines = "".join(traceback.format_exception_only(type(error), error)).strip()
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == told:
            place = line
    rows = text.split("\n")
    said = rows[place - 1].strip() if place is not None and 0 < place <= len(rows) else ""
    return (lines + ("\n  at: " + said if said else ""))[:3000]

def by_stand_in(error):
    """Raised by our own code rather than by what it called, and no failed expectation."""
    if isinstance(error, AssertionError) or error.__traceback__ is None:
        return False
    last = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        last = frame
    return last is not None and last.f_globals.get("__own__") is OWN

OWN = object()
__own__ = OWN

def outcome_of(work, told, text):
    try:
        work()
        return "passed", "", ""
    except Skipped as error:
        return "not-run", "", "it skips itself here: %s" % (error,)
    except Expected as error:
        return "not-run", "", "it expects to fail: %s" % (error,)
    except Lacking as error:
        return "not-run", "", "it needs %s" % (error,)
    except BaseException as error:
        if by_stand_in(error):
            return "not-run", "", "our stand-ins do not bear it: " + describe(error, told, text)[:300]
        return "failed", describe(error, told, text), ""

def run_file(imports, file, wanted, backwards, say):
    path, text = file["path"], file["content"]
    whole = os.path.join(ROOT, path)
    told = told_path(whole, text) if imports.plain else whole
    kept = sys.path[:]
    places = paths_for(path)
    sys.path[:] = [one for one in dict.fromkeys([*places, *kept])]
    bare = {name.partition("[")[0] for name in wanted}
    state = {}
    def load():
        known = {}
        for support in supports(path):
            with open(support, encoding="utf-8") as source:
                known = with_fixtures(known, imports.load(support, source.read()))
        module = imports.load(whole, text)
        known = with_fixtures(known, module)
        plugins = getattr(module, "pytest_plugins", None)
        if plugins:
            raise Lacking("plugins of its runner")
        case_class = imports.unittest["unittest"].TestCase if imports.unittest else None
        state["known"], state["module"] = known, module
        state["tests"] = collect(path, module, known, case_class, bare)
    outcome, message, why = outcome_of(load, told, text)
    if outcome != "passed":
        for name in wanted:
            say(name, outcome, message and "the test file cannot be loaded: " + message, why)
        sys.path[:] = kept
        return
    chosen = choose(state["tests"], wanted)
    for name in wanted:
        if name not in chosen:
            say(name, "not-run", "", "our driver finds no such test")
    order = [(name, test) for name, many in chosen.items() for test in many]
    if backwards:
        order.reverse()
    scopes = Scopes()
    module = state["module"]
    begun = outcome_of(lambda: around(module, "setup_module", "setUpModule"), told, text)
    last = None
    verdicts = {}
    counts = collections.Counter(name for name, _ in order)
    for name, test in order:
        verdict = verdicts[name] = verdicts.get(name) or Verdict(name, counts[name], say)
        if begun[0] != "passed":
            verdict.add(*begun)
            continue
        ready = ("passed", "", "")
        if test.cls is not last:
            if last is not None:
                outcome_of(lambda: (leave(last), scopes.close("class")), told, text)
            if test.cls is not None:
                ready = outcome_of(lambda: enter(test.cls), told, text)
            last = test.cls
        kept_place, kept_names = os.getcwd(), dict(os.environ)
        say(name, "begun", "", "")
        verdict.add(*(ready if ready[0] != "passed" else outcome_of(lambda: test.run(state["known"], scopes), told, text)))
        os.chdir(kept_place)
        if dict(os.environ) != kept_names:
            os.environ.clear()
            os.environ.update(kept_names)
    if last is not None:
        outcome_of(lambda: leave(last), told, text)
    for scope in ("class", "module", "session"):
        outcome_of(lambda: scopes.close(scope), told, text)
    outcome_of(lambda: around(module, "teardown_module", "tearDownModule"), told, text)
    imports.loaded.clear()
    for name in imports.registered:
        sys.modules.pop(name, None)
    sys.path[:] = kept

def around(module, *names):
    for name in names:
        found = getattr(module, name, None)
        if found is not None:
            found(*[module][:len(inspect.signature(found).parameters)])

def enter(cls):
    for name in ("setUpClass", "setup_class"):
        if hasattr(cls, name):
            found = getattr(cls, name)
            found(*[cls][:len(inspect.signature(found).parameters)])

def leave(cls):
    for name in ("tearDownClass", "teardown_class"):
        if hasattr(cls, name):
            found = getattr(cls, name)
            found(*[cls][:len(inspect.signature(found).parameters)])
    while getattr(cls, "_class_cleanups", None):
        cleanup, args, kwargs = cls._class_cleanups.pop()
        cleanup(*args, **kwargs)

class Verdict:
    """One name may stand for several cases: all must pass."""
    def __init__(self, name, count, say):
        self.name, self.left, self.say = name, count, say
        self.worst = ("passed", "", "")
    def add(self, outcome, message, why):
        rank = ["passed", "not-run", "failed"]
        if rank.index(outcome) > rank.index(self.worst[0]):
            self.worst = (outcome, message, why)
        self.left -= 1
        if self.left == 0:
            self.say(self.name, *self.worst)

def choose(tests, wanted):
    """
    By the runner's name, or a person's, who leaves out groups and cases; where our names of the cases differ from the
    runner's, by their order.
    """
    by_name = {test.name: test for test in tests}
    by_bare = {}
    for test in tests:
        bare = test.name.partition("[")[0]
        for one in {bare, bare.rpartition("::")[2]}:
            by_bare.setdefault(one, []).append(test)
    chosen = {}
    for name in wanted:
        found = [by_name[name]] if name in by_name else by_bare.get(name)
        if found:
            chosen[name] = found
    by_base = {}
    for test in tests:
        by_base.setdefault(test.base if "[" in test.name else test.name, []).append(test)
    left = {}
    for name in wanted:
        left.setdefault(name.partition("[")[0], []).append(name)
    for base, names in left.items():
        if any(name not in chosen for name in names) and len(names) == len(by_base.get(base, [])):
            chosen.update(zip(names, ([one] for one in by_base[base])))
    return {name: chosen[name] for name in wanted if name in chosen}

def drive(order, write):
    plain = order["plain"]
    started = time.monotonic()
    for turn in (1, 2):
        if turn == 2 and time.monotonic() - started > order["seconds"]:
            break
        files = order["files"] if turn == 1 else order["files"][::-1]
        for file in files:
            imports = Imports(order["files"], plain)
            def say(name, outcome, message, why):
                write(json.dumps({"turn": turn, "id": file["path"] + "::" + name, "outcome": outcome, "message": message, "why": why}))
            run_file(imports, file, order["wanted"][file["path"]], turn == 2, say)
        write(json.dumps({"turn": turn, "end": True}))
`;

const IMPORTS = `
import builtins, collections, contextlib, datetime, decimal, enum, fractions, functools, importlib, inspect, io, json, math, os
import pathlib, random, re, sys, tempfile, time, traceback, types, unicodedata, uuid, warnings, zlib
`;

const SOURCE = [IMPORTS, PYTEST_STAND_INS, FIXTURE_STAND_INS, HYPOTHESIS_STAND_INS, DRIVER].join("\n");

/** As a script of a person's: it takes its order from standard input, and its own file away. */
export const PLAIN_SCRIPT = String.raw`
import json, os, sys
order = json.loads(sys.stdin.buffer.read())
os.unlink(sys.argv[0])
place = os.path.abspath(sys.argv[0])
def installed():
    """The project for other processes, too: as a person installs it to work on it, and else by a variable."""
    import site
    places = [os.getcwd(), os.path.join(os.getcwd(), "src")]
    try:
        if not site.ENABLE_USER_SITE:
            raise OSError
        os.makedirs(site.getusersitepackages(), exist_ok=True)
        with open(os.path.join(site.getusersitepackages(), "work.pth"), "w") as out:
            out.write("".join(one + "\n" for one in places))
    except OSError:
        os.environ["PYTHONPATH"] = os.pathsep.join(places)
own = {"__name__": "own"}
out = os.dup(1)
os.set_inheritable(out, False)
def write(line, out=out, mark=order.pop("mark")):
    line = ("\n" + mark + line + "\n").encode()
    while line:
        line = line[os.write(out, line):]
installed()
exec(compile(order.pop("source"), place, "exec"), own)
drive = own["drive"]
def main(order=order, write=write, drive=drive):
    drive(order, write)
del own, order, write, drive, out, place, installed
main()
`;

/** The same inside of the runner, as its only test. */
export const inPytest = (order: unknown, source: string, reportFile: string): string => `
import json
ORDER = json.loads(${JSON.stringify(JSON.stringify(order))})
SOURCE = ${JSON.stringify(source)}


def test_all():
    own = {"__name__": "own"}
    exec(compile(SOURCE, "driver.py", "exec"), own)
    with open(${JSON.stringify(reportFile)}, "w", encoding="ascii") as out:
        own["drive"](ORDER, lambda line: (out.write("\\n" + ORDER["mark"] + line + "\\n"), out.flush()))
`;

export { SOURCE as DRIVER_SOURCE };

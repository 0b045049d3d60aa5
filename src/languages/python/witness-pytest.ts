/**
 * Stand-ins for what tests take from pytest, handed to the test module alone: no module of that name is loaded. Whatever
 * is missing here raises `Lacking`, which says something about us and nothing about the code.
 */
export const PYTEST_STAND_INS = `
class Lacking(BaseException):
    """Our stand-ins cannot do this."""

class Skipped(BaseException):
    pass

class Expected(BaseException):
    """A failure that the test said it expects."""

class Failed(AssertionError):
    pass

class Absent:
    """A name that may stand in an annotation; any other use is lacking."""
    def __init__(self, name):
        self.__dict__["name"] = name
    def __getitem__(self, key):
        return self
    def __or__(self, other):
        return self
    __ror__ = __or__
    def __call__(self, *args, **kwargs):
        raise Lacking(self.__dict__["name"])
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Lacking(self.__dict__["name"] + "." + name)
    def __mro_entries__(self, bases):
        raise Lacking(self.__dict__["name"])

class StandIn(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self.__name__ + "." + name)

class Mark:
    def __init__(self, name, args, kwargs):
        self.name, self.args, self.kwargs = name, args, kwargs
    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and (inspect.isfunction(args[0]) or inspect.isclass(args[0])):
            found = args[0]
            found.pytestmark = [*found.__dict__.get("pytestmark", []), self]
            return found
        return Mark(self.name, self.args + args, {**self.kwargs, **kwargs})
    def with_args(self, *args, **kwargs):
        return Mark(self.name, self.args + args, {**self.kwargs, **kwargs})

class Marks:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Mark(name, (), {})

class Param:
    def __init__(self, values, id=None, marks=()):
        self.values, self.id = values, id
        self.marks = list(marks) if isinstance(marks, (list, tuple)) else [marks]

class Fixture:
    def __init__(self, function, scope="function", params=None, autouse=False, ids=None, name=None):
        self.function, self.scope, self.params, self.autouse, self.ids = function, scope, params, autouse, ids
        self.name = name or function.__name__
        self.__name__, self.__doc__ = self.name, function.__doc__
    def __get__(self, instance, owner=None):
        return self
    def __call__(self, *args, **kwargs):
        raise Lacking("a fixture that is called directly")

def fixture(function=None, scope="function", params=None, autouse=False, ids=None, name=None):
    make = lambda one: Fixture(one, scope, params, autouse, ids, name)
    return make(function) if function is not None else make

class ExceptionInfo:
    value = type = tb = None
    @property
    def typename(self):
        return self.type.__name__
    @property
    def traceback(self):
        raise Lacking("ExceptionInfo.traceback")
    def match(self, pattern):
        if not re.search(pattern, str(self.value)):
            raise Failed("%r does not match %r" % (pattern, str(self.value)))
        return True
    def errisinstance(self, kinds):
        return isinstance(self.value, kinds)
    def exconly(self, tryshort=False):
        return "".join(traceback.format_exception_only(self.type, self.value)).rstrip()
    def group_contains(self, *args, **kwargs):
        raise Lacking("ExceptionInfo.group_contains")

class Raises:
    def __init__(self, expected, match=None, check=None):
        self.expected, self.match, self.check = expected, match, check
        self.info = ExceptionInfo()
    def __enter__(self):
        return self.info
    def __exit__(self, kind, value, tb):
        if kind is None:
            raise Failed("DID NOT RAISE %r" % (self.expected,))
        if not issubclass(kind, self.expected):
            return False
        self.info.type, self.info.value, self.info.tb = kind, value, tb
        if self.match is not None and not re.search(self.match, str(value)):
            raise Failed("%r does not match %r" % (self.match, str(value)))
        if self.check is not None and not self.check(value):
            raise Failed("the check of %r did not return True" % (value,))
        return True

def raises(expected=BaseException, *args, match=None, check=None, **kwargs):
    manager = Raises(expected, match, check)
    if not args:
        if kwargs:
            raise Lacking("pytest.raises(%s)" % ", ".join(kwargs))
        return manager
    with manager as info:
        args[0](*args[1:], **kwargs)
    return info

class Warns:
    def __init__(self, expected=Warning, match=None):
        self.expected, self.match = expected, match
        self.caught = warnings.catch_warnings(record=True)
    def __enter__(self):
        self.list = self.caught.__enter__()
        warnings.simplefilter("always")
        return Recorded(self.list)
    def __exit__(self, kind, value, tb):
        self.caught.__exit__(kind, value, tb)
        if kind is not None:
            return False
        fitting = [one for one in self.list if issubclass(one.category, self.expected)
                   and (self.match is None or re.search(self.match, str(one.message)))]
        if not fitting:
            raise Failed("DID NOT WARN %r" % (self.expected,))

class Recorded:
    def __init__(self, list):
        self.list = list
    def __len__(self):
        return len(self.list)
    def __iter__(self):
        return iter(self.list)
    def __getitem__(self, index):
        return self.list[index]
    def pop(self, kind=Warning):
        for index, one in enumerate(self.list):
            if issubclass(one.category, kind):
                return self.list.pop(index)
        raise Failed("%r is not among the warnings" % (kind,))
    def clear(self):
        self.list[:] = []

def warns(expected=Warning, *args, match=None, **kwargs):
    manager = Warns(expected, match)
    if not args:
        return manager
    with manager:
        return args[0](*args[1:], **kwargs)

def deprecated_call(*args, **kwargs):
    return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), *args, **kwargs)

class Approx:
    __array_ufunc__ = None
    __array_priority__ = 100
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok
    def one(self, expected):
        return Approx(expected, self.rel, self.abs, self.nan_ok)
    def __eq__(self, actual):
        expected = self.expected
        if isinstance(expected, dict):
            return hasattr(actual, "keys") and expected.keys() == actual.keys() and all(
                self.one(value) == actual[key] for key, value in expected.items())
        if isinstance(expected, (list, tuple)):
            return not isinstance(actual, (str, bytes)) and hasattr(actual, "__len__") and len(actual) == len(expected) and all(
                self.one(want) == have for want, have in zip(expected, actual))
        if isinstance(expected, (str, bytes, type(None), bool)):
            return actual == expected
        if not isinstance(expected, (int, float, complex, decimal.Decimal, fractions.Fraction)):
            if type(expected).__module__.split(".")[0] == "numpy":
                return self.one(expected.tolist()) == (actual.tolist() if hasattr(actual, "tolist") else actual)
            raise Lacking("pytest.approx of %s" % type(expected).__name__)
        if actual == expected:
            return True
        try:
            if math.isnan(expected):
                return self.nan_ok and math.isnan(actual)
            if math.isinf(expected):
                return False
        except TypeError:
            pass
        kind = decimal.Decimal if isinstance(expected, decimal.Decimal) else lambda number: number
        least = kind(self.abs) if self.abs is not None else kind(decimal.Decimal("1e-12") if kind is decimal.Decimal else 1e-12)
        share = self.rel if self.rel is not None else (None if self.abs is not None else 1e-6)
        allowed = least if share is None else max(kind(share if kind is not decimal.Decimal else str(share)) * abs_of(expected), least)
        try:
            return bool(abs_of(expected - actual) <= allowed)
        except TypeError:
            return False
    def __ne__(self, actual):
        return not self == actual
    def __repr__(self):
        return "approx(%r)" % (self.expected,)
    __hash__ = None

abs_of = abs

def skip(reason="", *, allow_module_level=False, msg=None):
    raise Skipped(reason or msg or "")

def xfail(reason=""):
    raise Expected(reason)

def fail(reason="", pytrace=True, msg=None):
    raise Failed(reason or msg or "")

def importorskip(name, minversion=None, reason=None, exc_type=ImportError):
    try:
        return importlib.import_module(name)
    except exc_type:
        raise Skipped(reason or "no module " + name)

class MonkeyPatch:
    def __init__(self):
        self.undoing = []
    @classmethod
    @contextlib.contextmanager
    def context(cls):
        one = cls()
        try:
            yield one
        finally:
            one.undo()
    def resolve(self, target, name, rest):
        if not isinstance(target, str):
            return target, name, rest
        if rest is NOTHING and name is not NOTHING:
            rest = name
        place, _, name = target.rpartition(".")
        parts = place.split(".")
        found = importlib.import_module(parts[0])
        path = parts[0]
        for part in parts[1:]:
            path += "." + part
            if not hasattr(found, part):
                importlib.import_module(path)
            found = getattr(found, part)
        return found, name, rest
    def setattr(self, target, name=None, value=None, raising=True):
        target, name, value = self.resolve(target, NOTHING if name is None and isinstance(target, str) else name,
                                           NOTHING if value is None and isinstance(target, str) else value)
        if value is NOTHING:
            value = None
        old = getattr(target, name, NOTHING)
        if raising and old is NOTHING:
            raise AttributeError("%r has no attribute %r" % (target, name))
        if inspect.isclass(target):
            old = target.__dict__.get(name, NOTHING)
        self.undoing.append(lambda: delattr(target, name) if old is NOTHING else setattr(target, name, old))
        setattr(target, name, value)
    def delattr(self, target, name=None, raising=True):
        target, name, _ = self.resolve(target, NOTHING if name is None else name, NOTHING)
        if not hasattr(target, name):
            if raising:
                raise AttributeError(name)
            return
        old = target.__dict__.get(name, NOTHING) if inspect.isclass(target) else getattr(target, name)
        self.undoing.append(lambda: setattr(target, name, old))
        delattr(target, name)
    def setitem(self, where, name, value):
        old = where.get(name, NOTHING)
        self.undoing.append(lambda: where.pop(name, None) if old is NOTHING else where.__setitem__(name, old))
        where[name] = value
    def delitem(self, where, name, raising=True):
        if name not in where:
            if raising:
                raise KeyError(name)
            return
        old = where[name]
        self.undoing.append(lambda: where.__setitem__(name, old))
        del where[name]
    def setenv(self, name, value, prepend=None):
        value = str(value)
        if prepend and name in os.environ:
            value = value + prepend + os.environ[name]
        self.setitem(os.environ, name, value)
    def delenv(self, name, raising=True):
        self.delitem(os.environ, name, raising)
    def syspath_prepend(self, path):
        old = sys.path[:]
        self.undoing.append(lambda: sys.path.__setitem__(slice(None), old))
        sys.path.insert(0, str(path))
        importlib.invalidate_caches()
    def chdir(self, path):
        old = os.getcwd()
        self.undoing.append(lambda: os.chdir(old))
        os.chdir(path)
    def undo(self):
        while self.undoing:
            self.undoing.pop()()

NOTHING = object()

def pytest_stand_in():
    module = StandIn("pytest")
    outcomes = {"Exception": Failed}
    fail.Exception, skip.Exception, xfail.Exception = Failed, Skipped, Expected
    module.__dict__.update(
        mark=Marks(), param=lambda *values, id=None, marks=(): Param(values, id, marks), fixture=fixture, raises=raises,
        warns=warns, deprecated_call=deprecated_call, approx=Approx, skip=skip, xfail=xfail, fail=fail,
        importorskip=importorskip, MonkeyPatch=MonkeyPatch, ExceptionInfo=ExceptionInfo, __version__="8.3.4",
        version_tuple=(8, 3, 4), register_assert_rewrite=lambda *names: None, yield_fixture=fixture)
    return module
`;

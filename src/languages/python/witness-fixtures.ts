/** Fixtures of a test file, of the files of support above it, and the few that pytest itself brings. */
export const FIXTURE_STAND_INS = String.raw`
class Captured(tuple):
    out = property(lambda self: self[0])
    err = property(lambda self: self[1])

class Capture:
    """Output of Python code only."""
    def __init__(self):
        self.kept = sys.stdout, sys.stderr
        self.start()
    def start(self):
        self.streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True) for _ in range(2)]
        sys.stdout, sys.stderr = self.streams
    def readouterr(self):
        said = []
        for stream in self.streams:
            stream.flush()
            said.append(stream.buffer.getvalue().decode("utf-8", "replace"))
            stream.seek(0)
            stream.truncate()
        return Captured(said)
    @contextlib.contextmanager
    def disabled(self):
        mine = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.kept
        try:
            yield
        finally:
            sys.stdout, sys.stderr = mine
    def end(self):
        sys.stdout, sys.stderr = self.kept

class DescriptorCapture:
    """Output of everything that writes to this process' descriptors."""
    def __init__(self):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.files = [tempfile.TemporaryFile() for _ in range(2)]
        self.kept = [os.dup(1), os.dup(2)]
        for number, file in zip((1, 2), self.files):
            os.dup2(file.fileno(), number)
    def readouterr(self):
        sys.stdout.flush()
        sys.stderr.flush()
        said = []
        for file in self.files:
            file.seek(0)
            said.append(file.read().decode("utf-8", "replace"))
            file.seek(0)
            file.truncate()
        return Captured(said)
    def end(self):
        sys.stdout.flush()
        sys.stderr.flush()
        for number, kept in zip((1, 2), self.kept):
            os.dup2(kept, number)
            os.close(kept)

class LogCapture:
    def __init__(self):
        import logging
        self.records = []
        self.handler = logging.Handler()
        self.handler.emit = self.records.append
        self.root, self.logging = logging.getLogger(), logging
        self.levels = []
        self.root.addHandler(self.handler)
    @property
    def messages(self):
        return [one.getMessage() for one in self.records]
    @property
    def text(self):
        kind = self.logging.Formatter("%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s")
        return "".join(kind.format(one) + "\n" for one in self.records)
    @property
    def record_tuples(self):
        return [(one.name, one.levelno, one.getMessage()) for one in self.records]
    def clear(self):
        self.records.clear()
    def set_level(self, level, logger=None):
        found = self.logging.getLogger(logger)
        self.levels.append((found, found.level))
        found.setLevel(level)
    @contextlib.contextmanager
    def at_level(self, level, logger=None):
        found = self.logging.getLogger(logger)
        old = found.level
        found.setLevel(level)
        try:
            yield
        finally:
            found.setLevel(old)
    def end(self):
        for found, level in reversed(self.levels):
            found.setLevel(level)
        self.root.removeHandler(self.handler)

class Places:
    """Temporary directories, named as a person's program would."""
    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.count = 0
    def mktemp(self, name, numbered=True):
        self.count += 1
        found = self.root / (name + str(self.count) if numbered else name)
        found.mkdir()
        return found
    def getbasetemp(self):
        return self.root

class Request:
    def __init__(self, scope, name, param, test):
        self.scope, self.fixturename, self.test = scope, name, test
        if param is not NOTHING:
            self.param = param
        self.ending = []
    def addfinalizer(self, function):
        self.ending.append(function)
    def getfixturevalue(self, name):
        return self.test.value(name)
    @property
    def module(self):
        return self.test.module
    @property
    def cls(self):
        return self.test.cls
    @property
    def instance(self):
        return self.test.instance
    @property
    def function(self):
        return self.test.function
    @property
    def node(self):
        return types.SimpleNamespace(name=self.test.name.split("::")[-1], nodeid=self.test.id, get_closest_marker=self.test.closest,
                                     iter_markers=lambda name=None: [one for one in self.test.marks if name in (None, one.name)],
                                     originalname=self.test.function.__name__)
    def __getattr__(self, name):
        if name.startswith("__") or name == "param":
            raise AttributeError(name)
        raise Lacking("request." + name)

BUILT_IN = {
    "tmp_path": lambda test: (test.places().mktemp("work"), None),
    "tmp_path_factory": lambda test: (test.places(), None),
    "monkeypatch": lambda test: (lambda one: (one, one.undo))(MonkeyPatch()),
    "capsys": lambda test: (lambda one: (one, one.end))(Capture()),
    "capfd": lambda test: (lambda one: (one, one.end))(DescriptorCapture()),
    "caplog": lambda test: (lambda one: (one, one.end))(LogCapture()),
    "request": lambda test: (Request("function", None, NOTHING, test), None),
    "record_property": lambda test: (lambda name, value: None, None),
}

class Scopes:
    """What lives longer than one test, and how it ends."""
    def __init__(self):
        self.values, self.ends = {}, {}
    def close(self, scope):
        ends = self.ends.pop(scope, [])
        for key in [key for key in self.values if key[0] == scope]:
            del self.values[key]
        errors = []
        for end in reversed(ends):
            try:
                end()
            except BaseException as error:
                errors.append(error)
        if errors:
            raise errors[0]

class Fixtures:
    """The values that one test asks for."""
    def __init__(self, known, scopes, test, params):
        self.known, self.scopes, self.test, self.params = known, scopes, test, params
        self.own, self.making = {}, []

    def value(self, name, above=None):
        found = self.known.get(name)
        index = len(found) - 1 if found and above is None else above
        if found is None or index < 0:
            if name in self.params:
                return self.params[name]
            if name not in BUILT_IN:
                raise Lacking("the fixture " + name + " of its runner")
            if name not in self.own:
                made, end = BUILT_IN[name](self.test)
                self.own[name] = made
                if end:
                    self.scopes.ends.setdefault("function", []).append(end)
            return self.own[name]
        one = found[index]
        param = self.params.get(("param", name), NOTHING)
        scope = one.scope if isinstance(one.scope, str) else "function"
        if scope == "package":
            scope = "session"
        place = self.test.cls if scope == "class" else self.test.module if scope == "module" else None
        key = (scope, name, index, id(place), repr(param) if param is not NOTHING else None, id(self) if scope == "function" else 0)
        if key not in self.scopes.values:
            self.scopes.values[key] = self.make(one, index, name, scope, param)
        return self.scopes.values[key]

    def make(self, one, index, name, scope, param):
        request = Request(scope, name, param, self.test)
        wanted = {}
        takes = list(inspect.signature(one.function).parameters)
        bound = getattr(one, "owner", None)
        if bound is not None and takes and takes[0] in ("self", "cls"):
            takes = takes[1:]
        for other in takes:
            if other == "request":
                wanted[other] = request
            else:
                wanted[other] = self.value(other, index - 1 if other == name else None)
        function = one.function
        if isinstance(function, (staticmethod, classmethod)):
            function = function.__func__
        if bound is not None:
            function = functools.partial(function, self.test.instance if self.test.instance is not None else bound)
        ends = self.scopes.ends.setdefault(scope, [])
        ends.append(lambda: [end() for end in reversed(request.ending)])
        kind = one.function
        if inspect.isasyncgenfunction(kind) or inspect.iscoroutinefunction(kind):
            made = function(**wanted)
            if inspect.isasyncgen(made):
                value = self.test.wait(made.__anext__())
                async def finish():
                    async for _ in made:
                        pass
                ends.append(lambda: self.test.wait(finish()))
                return value
            return self.test.wait(made)
        made = function(**wanted)
        if inspect.isgenerator(made):
            value = next(made)
            def finish():
                for _ in made:
                    raise Failed("the fixture yields twice")
            ends.append(finish)
            return value
        return made
`;

/**
 * One call in a process of its own, and everything of it that can be seen from outside: what it gives or raises,
 * what it does to its arguments and to the module's names, what it prints, which files it writes. Files become
 * what they were.
 */
export const CALL = `
import asyncio, inspect, pickle

MOST_ITEMS = 200

class Gone(Exception):
    pass

# Code that catches exceptions must not catch this one.
class Late(BaseException):
    pass

def module_of(function):
    import importlib
    name = function["module"]
    if not name:
        file = os.path.join(ROOT, function["path"])
        roots = sorted({os.path.abspath(path) for path in sys.path if path} | {ROOT}, key=len, reverse=True)
        root = next(one for one in roots if file.startswith(one + os.sep))
        name = os.path.relpath(file, root)[:-3].replace(os.sep, ".")
        name = name[:-len(".__init__")] if name.endswith(".__init__") else name
    module = importlib.import_module(name)
    file = os.path.realpath(str(getattr(module, "__file__", "")))
    if file != os.path.realpath(os.path.join(ROOT, function["path"])):
        raise Gone("%s is imported from another file" % name)
    return module

def held_by(module, name):
    owner, parts = module, name.split(".")
    if "<locals>" in parts:
        raise Gone("it stands within another function")
    for part in parts[:-1]:
        owner = getattr(owner, part)
    last = parts[-1]
    if isinstance(owner, type):
        if last.startswith("__") and not last.endswith("__"):
            last = "_" + owner.__name__.lstrip("_") + last
        return inspect.getattr_static(owner, last)
    return getattr(owner, last)

def made_call(held, name, given, named):
    if name.endswith(".__init__"):
        return given[0](*given[1:], **named)
    if "." not in name:
        return held(*given, **named)
    if isinstance(held, property):
        ways = [way for way in (held.fget, held.fset, held.fdel) if way]
        fitting = [way for way in ways if getattr(way, "__code__", None) and way.__code__.co_argcount == len(given)]
        return (fitting or ways)[0](*given, **named)
    if isinstance(held, staticmethod):
        return held.__func__(*given, **named)
    if isinstance(held, classmethod):
        return held.__get__(None, given[0])(*given[1:], **named)
    if hasattr(held, "func") and type(held).__name__ == "cached_property":
        return held.func(*given, **named)
    if hasattr(held, "__get__") and given:
        return held.__get__(given[0], type(given[0]))(*given[1:], **named)
    return held(*given, **named)

def finished(value):
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
    if inspect.isasyncgen(value):
        async def all_of(values):
            found = []
            async for one in values:
                found.append(one)
                if len(found) >= MOST_ITEMS:
                    break
            return found
        return "yields ", asyncio.run(all_of(value))
    is_iterator = hasattr(type(value), "__next__") and not hasattr(value, "read")
    if is_iterator and iter(value) is value:
        found = []
        try:
            for one in itertools.islice(value, MOST_ITEMS):
                found.append(one)
        except Exception as error:
            found.append(error)
        return "yields ", found
    return "", value

# The names of attributes that a function sets. The same code is read once: it takes longer than most calls.
def names_set_by(code, known={}):
    import dis
    if code not in known:
        known[code] = {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_ATTR"}
    return known[code]

# What the attributes of carried objects are called: an object of another make cannot be compared.
def shape_of(values):
    found, open_ = {}, list(values)
    for value in open_[:50]:
        if isinstance(value, (list, tuple, set)):
            open_ += list(value)[:20]
        elif isinstance(value, dict):
            open_ += list(value.values())[:20]
        kind = value if isinstance(value, type) else type(value)
        kind = kind.__base__ if kind.__module__ == "carried" else kind
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        if not file.startswith(ROOT) or kind.__qualname__ in found or isinstance(value, type):
            continue
        # What the class keeps for itself is no attribute of its objects.
        typed = getattr(kind, "__annotations__", {}).items()
        names = {name for name, one in typed if "ClassVar" not in str(one)} | set(getattr(kind, "__slots__", ()))
        for member in vars(kind).values():
            code = getattr(member, "__code__", None)
            if code:
                names |= names_set_by(code)
        found[kind.__qualname__] = ",".join(sorted(names))
        open_ += list(getattr(value, "__dict__", {}).values())[:20]
    return repr(sorted(found.items()))

class Effects:
    def __init__(self):
        self.begin()
        sys.addaudithook(self.hear)

    def begin(self):
        self.on, self.files, self.other = False, {}, []

    def hear(self, event, arguments):
        if not self.on:
            return
        self.on = False
        try:
            named = bool(arguments) and isinstance(arguments[0], (str, bytes))
            if event == "open" and named and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self.keep(os.path.abspath(os.fsdecode(arguments[0])))
            elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"):
                for one in arguments[:2]:
                    if isinstance(one, (str, bytes)):
                        self.keep(os.path.abspath(os.fsdecode(one)))
                self.other.append(event + repr(arguments[:2]))
            elif event in ("subprocess.Popen", "os.system", "socket.connect", "os.exec", "os.posix_spawn", "os.putenv"):
                self.other.append(event + repr(arguments[:2]))
        finally:
            self.on = True

    def keep(self, path):
        if path not in self.files and not path.startswith(("/dev/", "/proc/")):
            self.files[path] = self.content(path)

    def content(self, path):
        if not os.path.isfile(path) or os.path.islink(path) or os.path.getsize(path) > 2000000:
            return "directory" if os.path.isdir(path) else None
        with open(path, "rb") as file:
            return file.read()

    def undo(self):
        self.on = False
        texts = []
        for path, before in self.files.items():
            after = self.content(path)
            if after == before:
                continue
            texts.append((path, after))
            try:
                if before is None:
                    os.rmdir(path) if after == "directory" else os.remove(path)
                elif isinstance(before, bytes):
                    with open(path, "wb") as file:
                        file.write(before)
            except OSError:
                pass
        return sorted(texts) + self.other

effects = Effects()

# Large tables are hardly what a call changes, and would take longer than the call.
def state_of(names):
    left = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
    return {name: Described(one, 400).text for name, one in list(names.items())[:300]
            if not name.startswith("__") and not isinstance(one, left) and type(one).__module__ != "typing"}

# What the language keeps for the whole process, of what is loaded: everybody's next call meets it.
def process_state():
    kept = {"environment": dict(os.environ), "recursion limit": sys.getrecursionlimit()}
    for name, module in (("decimal", sys.modules.get("decimal")), ("locale", sys.modules.get("locale")),
                         ("warnings", sys.modules.get("warnings")), ("logging", sys.modules.get("logging"))):
        if name == "decimal" and module:
            context = module.getcontext()
            kept[name] = [context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp]
        elif name == "locale" and module:
            kept[name] = module.setlocale(module.LC_ALL)
        elif name == "warnings" and module:
            kept[name] = module.filters[:50]
        elif module:
            kept[name] = [module.root.level, module.root.manager.disable, len(module.root.handlers)]
    return {name: repr(one) for name, one in kept.items()}

# Lists and tables within a value, by where they are: who has one can change it for everybody else who has it.
def holds(value, place, found, depth=0, twins=None):
    if isinstance(value, (list, dict, set)):
        if id(value) in found and twins is not None:
            twins.append("%s is %s" % (place, found[id(value)]))
        if id(value) in found or len(found) > 300:
            return found
        found[id(value)] = place
    if depth > 3:
        return found
    inner = []
    if isinstance(value, (list, tuple)):
        inner = [("%s[%d]" % (place, index), one) for index, one in enumerate(value[:30])]
    elif isinstance(value, dict):
        inner = [("%s[%r]" % (place, key), value[key]) for key in list(value)[:30]]
    elif hasattr(value, "__dict__") and not isinstance(value, UNVARIED):
        inner = [("%s.%s" % (place, key), one) for key, one in list(vars(value).items())[:30]]
    for where, one in inner:
        holds(one, where, found, depth + 1, twins)
    return found

def shared_by(value, given, names):
    theirs, twins = {}, []
    for number, one in enumerate(given):
        holds(one, "argument %d" % (number + 1), theirs)
    own = holds(value, "it", {}, 0, twins)
    for name, one in list(names.items())[:300] if own else []:
        if not name.startswith("__"):
            theirs = {**holds(one, "what the module keeps", {}), **theirs}
    # By whatever name the module has it.
    kept = {one: "what the module keeps" if place.startswith("what") else place for one, place in theirs.items()}
    return ["%s is %s" % (place, kept[one]) for one, place in own.items() if one in kept] + twins

# The text of a call, and its outcome.
def outcome_of(function, data, module, attempt):
    name = function["name"]
    try:
        given, named = pickle.loads(base64.b64decode(data))
    except Exception as error:
        return {"kind": "unmade", "parts": {"value": said("value", clipped(type(error).__name__ + ": " + str(error)))}}
    held = held_by(module, name)
    return outcome_by(lambda: made_call(held, name, given, named), name, given, named, vars(module), attempt)

def outcome_by(make, name, given, named, names, attempt):
    random.seed(attempt)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(attempt)
    texts = [brief(one) for one in given] + ["%s=%s" % (key, brief(one)) for key, one in named.items()]
    who = name
    if "." in name and given:
        who = texts.pop(0) + "." + name.split(".")[-1] if not name.endswith("__init__") else given[0].__name__
        texts = texts[1:] if name.endswith("__init__") else texts
    # Where the test itself makes the call, nothing is carried.
    shape = "" if IN_PLACE else sum_of(shape_of(given + list(named.values())))
    answer = {"call": clipped("%s(%s)" % (who, ", ".join(texts))), "shape": shape}
    before = [whole(one) for one in given + list(named.values())]
    state, process = state_of(names), process_state()
    printed, parts = io.StringIO(), {}
    effects.begin()
    sys.stdout = printed
    opaque = None
    try:
        effects.on = True
        lead, value = finished(make())
        effects.on = False
        opaque = Described(value)
        parts["value"] = {"sum": sum_of(lead + opaque.text), "shown": clipped(lead + shown(value))}
        shares = shared_by(value, given + list(named.values()), names)
        if shares:
            parts["shares"] = said("gives out ", "; ".join(shares))
        answer["kind"] = "value"
        answer["quiet"] = value is None
    except Late:
        raise
    except BaseException as error:
        effects.on = False
        text = "%s: %s" % (type(error).__qualname__, error)
        parts["value"] = {"sum": sum_of(text), "shown": clipped("raises " + text)}
        told = told_by(error)
        if told:
            parts["told"] = said("with ", Described(told).text)
        answer["kind"], answer["raised"] = "raise", type(error).__qualname__
    for place, (one, old) in enumerate(zip(given + list(named.values()), before)):
        new = whole(one)
        if new != old:
            text = clipped("makes an argument " + (new if callable(one) else shown(one)))
            parts["argument %d" % (place + 1)] = {"sum": sum_of(new), "shown": text}
    if printed.getvalue():
        parts["output"] = said("prints ", repr(printed.getvalue()))
    for key, text in state_of(names).items():
        if state.get(key) != text:
            parts["name " + key] = {"sum": sum_of(text), "shown": clipped("makes %s %s" % (key, text))}
    for key, text in process_state().items():
        if process.get(key, text) != text:
            parts["process " + key] = said("leaves the process with another %s " % key, text)
    files = effects.undo()
    if files:
        parts["files"] = said("files ", repr(files))
    answer["parts"] = parts
    answer["quiet"] = answer.get("quiet", False) and len(parts) == 1
    answer["codes"] = sum_of(repr(opaque.codes)) if opaque and opaque.codes else ""
    answer["blind"] = bool(opaque and opaque.blind)
    return answer

# What an error tells besides its words.
def told_by(error):
    words = ("msg", "message", "doc", "reason")
    return {name: one for name, one in sorted(vars(error).items()) if not name.startswith("_") and name not in words}

# With what a function of a test keeps to itself: a callback is called for what it leaves there.
def whole(value):
    return Described(value, inside=True).text

def sum_of_outcome(outcome):
    return sum_of(repr([outcome["kind"]] + sorted((name, part["sum"]) for name, part in outcome["parts"].items())))

def said(lead, text):
    return {"sum": sum_of(text), "shown": clipped(lead + text)}
`;

/**
 * Says what a value is, by value and without addresses, so that two processes can be compared: numbers exactly,
 * sets without an order, objects by their type and what pickle would keep of them. Functions are described by
 * their code, apart from the rest (`codes`): code that differs may still do the same. `blind`: of the value itself
 * nothing but its type can be seen; `opaque`: of some part of it. `inside`: with what functions of tests keep to
 * themselves.
 */
export const DESCRIBE = `
import collections, hashlib, itertools, os, re, sys, types

MOST_PARTS, DEEPEST, LONGEST = 20000, 60, 2000
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)

class Described:
    def __init__(self, value, most=MOST_PARTS, inside=False):
        self.left = most
        self.inside = inside
        self.codes = []
        self.blind = self.opaque = False
        self.path = set()
        self.text = self.put(value, 0)

    def put(self, value, depth):
        self.left -= 1
        kind = type(value)
        if kind.__module__ == "carried_values":
            kind = kind.__base__
            value = kind(value)
        if kind in PLAIN:
            return repr(value)
        if self.left < 0 or depth > DEEPEST or id(value) in self.path:
            self.opaque = True
            return "..."
        self.path.add(id(value))
        try:
            return self.parts(value, kind, depth + 1)
        finally:
            self.path.discard(id(value))

    def parts(self, value, kind, depth):
        several = lambda values: ", ".join([self.put(one, depth) for one in values])
        if kind is list or kind is tuple:
            return ("[%s]" if kind is list else "(%s,)") % several(value)
        if kind is set or kind is frozenset:
            return kind.__name__ + "{" + ", ".join(sorted(self.put(one, depth) for one in value)) + "}"
        if kind is dict:
            pairs = [self.put(key, depth) + ": " + self.put(one, depth) for key, one in value.items()]
            return "{" + ", ".join(pairs) + "}"
        if isinstance(value, type):
            file = str(getattr(sys.modules.get(value.__module__), "__file__", None) or "")
            self.opaque = self.opaque or file.startswith(ROOT + os.sep)
            return "<class %s>" % value.__qualname__
        if isinstance(value, types.ModuleType):
            return "<module %s>" % value.__name__
        if isinstance(value, types.FunctionType):
            self.blind, self.opaque = self.blind or depth == 1, True
            self.codes.append(self.code(value.__code__))
            cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
            self.codes.append(self.put([cells, value.__defaults__, value.__kwdefaults__], depth))
            return "<function%s>" % (self.kept(value, cells, depth) if self.inside and is_of_tests(value) else "")
        if isinstance(value, types.MethodType):
            return "<method %s of %s>" % (self.put(value.__func__, depth), self.put(value.__self__, depth))
        if isinstance(value, BaseException):
            return "%s(%s)" % (kind.__qualname__, several(value.args))
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            self.blind, self.opaque = self.blind or depth == 1, True
            return "<%s>" % kind.__qualname__
        if isinstance(reduced, str):
            return "<%s>" % reduced
        make, given, state, items, pairs = (tuple(reduced) + (None,) * 5)[:5]
        name = "" if make.__module__ == "copyreg" else getattr(make, "__qualname__", "")
        others = several(one for one in given if one is not kind)
        text = "%s%s%s(%s)" % (traits(kind), kind.__qualname__, name and " by " + name, others)
        if state is not None:
            text += self.put(state, depth)
        for more in (items, pairs):
            if more is not None:
                text += self.put(list(itertools.islice(more, MOST_PARTS)), depth)
        return text

    # What it may change when it is called: by name.
    def kept(self, value, cells, depth):
        left = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
        around = {name: value.__globals__.get(name) for name in carry.names_of(value.__code__)}
        names = {**vars(value), **{name: one for name, one in around.items() if not isinstance(one, left)}}
        names.update(zip(value.__code__.co_freevars, cells))
        return "".join(" %s=%s" % (name, self.put(names[name], depth)) for name in sorted(names))

    def code(self, code):
        consts = [self.code(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
        return repr((code.co_code, consts, code.co_names, code.co_varnames, code.co_flags))

# What can be done to its objects, though they look the same.
def traits(kind):
    is_frozen = getattr(getattr(kind, "__dataclass_params__", None), "frozen", False)
    return ("frozen " if is_frozen else "") + ("unhashable " if kind.__hash__ is None else "")

def is_of_tests(function):
    return function.__module__ == "carried" or carry.is_test(function.__module__)

def clipped(text):
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"

def shown(value):
    try:
        text = repr(value)
        if not re.search(r" at 0x[0-9a-f]+", text):
            return clipped(text)
    except Exception:
        pass
    return clipped(Described(value).text)

# Among others: the arguments of a call.
def brief(value):
    text = shown(value)
    return text if len(text) <= 160 else text[:159] + "…"

def sum_of(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
`;

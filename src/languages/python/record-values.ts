/**
 * Carries arguments over into another process by pickle. What stands in a test module cannot be imported there:
 * its functions and plain classes are carried by value. What cannot be carried is refused, and the recorder counts
 * it.
 */
const CARRIED_VALUES = `
import builtins, importlib, io, marshal, os, pickle, sys, types

MOST_BYTES = 60000
RUNNERS = ("pytest", "_pytest", "unittest", "hypothesis", "__main__")

# Values of derived classes: to whoever does not ask for the very class they are what they are derived from.
class Text(str):
    pass

class Items(list):
    pass

class Table(dict):
    pass

# What nobody's code knows.
class Failure(Exception):
    pass

class Stop(BaseException):
    pass

class Refused(Exception):
    pass

def remade_function(code, name, defaults, keywords, closure, names, itself):
    scope = dict(names, __builtins__=builtins, __name__="carried")
    cells = tuple(types.CellType(value) for value in closure)
    function = types.FunctionType(marshal.loads(code), scope, name, defaults, cells or None)
    function.__kwdefaults__ = keywords
    if itself:
        scope[name] = function
    return function

def remade_class(name, bases, namespace):
    return type(name, bases, dict(namespace, __module__="carried"))

def is_test(name):
    file = str(getattr(sys.modules.get(name), "__file__", None) or "")
    base = os.path.basename(file)
    return base.startswith("test_") or base.endswith("_test.py") or base == "conftest.py"

def stands_alone(value):
    if is_test(value.__module__) or value.__module__ in ("__main__", "carried"):
        return True
    found = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is not value

def names_of(code):
    names = set(code.co_names)
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            names |= names_of(one)
    return names

class Carrier(pickle.Pickler):
    def reducer_override(self, value):
        if isinstance(value, types.FunctionType):
            if not stands_alone(value):
                return NotImplemented
            around = value.__globals__
            used = {name: around[name] for name in sorted(names_of(value.__code__)) if name in around}
            itself = used.get(value.__name__) is value
            if itself:
                del used[value.__name__]
            closure = [cell.cell_contents for cell in value.__closure__ or ()]
            return remade_function, (marshal.dumps(value.__code__), value.__name__, value.__defaults__,
                                     value.__kwdefaults__, closure, used, itself)
        if isinstance(value, type):
            if not stands_alone(value):
                return NotImplemented
            if type(value) is not type:
                raise Refused("a class of the tests: " + value.__name__)
            left = ("__dict__", "__weakref__", "__module__")
            namespace = {name: one for name, one in vars(value).items() if name not in left}
            return remade_class, (value.__name__, value.__bases__, namespace)
        if isinstance(value, (staticmethod, classmethod)):
            return type(value), (value.__func__,)
        if isinstance(value, types.ModuleType):
            if is_test(value.__name__) or value.__name__.partition(".")[0] in RUNNERS:
                raise Refused("a module of the tests: " + value.__name__)
            return importlib.import_module, (value.__name__,)
        if type(value).__module__.partition(".")[0] in RUNNERS:
            raise Refused("an object of the test runner: " + type(value).__name__)
        return NotImplemented

def carried(value):
    out = io.BytesIO()
    Carrier(out, 4).dump(value)
    if out.tell() > MOST_BYTES:
        raise Refused("it is larger than %d bytes" % MOST_BYTES)
    return out.getvalue()
`;

/** Puts the above into the process as a module: pickle names what remakes a function by its module. */
export const CARRY = `
def carrying():
    import sys, types
    module = types.ModuleType("carried_values")
    exec(CARRIED, module.__dict__)
    sys.modules["carried_values"] = module
    return module
CARRIED = r'''${CARRIED_VALUES.replaceAll("'''", '"""')}'''
`;

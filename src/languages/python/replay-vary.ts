/**
 * Makes other calls of recorded ones, with one place changed in each: an argument, or a part within it. What
 * equals a recorded call is left out: a change that acts on the very inputs of the tests must be told from one
 * that does more.
 */
export const VARY = `
import copy, datetime, decimal, enum, fractions, inspect, io, itertools, os, pathlib, random, tempfile, types

MOST_PLACES, DEEPEST_PLACE = 24, 4
# What is less may count the rounds of a loop.
LARGE = 1000
# Two arguments: the same, and yet not one object; of which only some ways to compare say that they are equal; of which one
# begins like the other and is no part of it.
PAIRS = [("a b c", "a b c"), ("stra\\u00dfe", "STRASSE"), ("/a/b", "/a/bc/d"), ("/a/b", "../bc"), (1000007, 1000007), (0.1 + 0.2, 0.3),
         (pathlib.PosixPath("/a/b"), pathlib.PosixPath("/a/bc/d")), (pathlib.PosixPath("/a/b"), "../bc")]
UNVARIED = (type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType)
# Where the test itself makes the call, what cannot be carried elsewhere can be varied as well.
IN_PLACE = False

def numbers(value):
    one = type(value)(1)
    return [value + one, value - one, -value, value * 2, value * 1000 + 7, type(value)(0), value + 2 * one]

def texts(value):
    empty, more = value[:0], value[:0] + (b"x" if isinstance(value, bytes) else "x")
    middle = len(value) // 2
    changed = value[:middle] + more + value[middle + 1:]
    space = b" " if isinstance(value, bytes) else " "
    made = [changed, value[:-1], value + more, value[1:], empty, value + value, value[::-1], value[:1],
            value.swapcase(), space + value, value + space, value.upper(), value.lower(), value[:middle] + space + value[middle:]]
    if isinstance(value, bytes):
        return made + [b"\\t" + value + b"\\n", value[:middle] + b"\\r\\n" + value[middle:], value + b"\\xff"]
    # Where functions that look alike part: blanks that are no space, ends of lines, letters and digits of others, marks.
    made += ["\\t" + value + "\\n", value[:middle] + "\\t" + value[middle:], value[:middle] + "\\r\\n" + value[middle:] + "\\x0b",
             value + "\\u00df", "\\u0130" + value, value + "\\u00b2", "\\u00b2", "\\uff11\\uff12", value + "<&\\"'>", "\\U0001f600" + value, "__class__"]
    made += ["".join(str((int(one) + 1) % 10) if one.isascii() and one.isdigit() else one for one in value)]
    return made

def others(value):
    kind = type(value)
    if IN_PLACE and isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
        return other_files(value)
    if kind is bool:
        return [not value]
    if kind is int:
        return numbers(value) + [value + 0.5, True] + ([value + 2 ** 53] if abs(value) >= LARGE else [])
    if kind is float:
        return numbers(value) + [value + 0.5, -0.0, float("nan")]
    if kind in (decimal.Decimal, fractions.Fraction):
        return numbers(value)
    if kind in (str, bytes):
        return texts(value)
    if value is None:
        return [0, "", [], True]
    if isinstance(value, enum.Enum):
        return [one for one in type(value) if one is not value][:4]
    if kind in (list, tuple):
        cousin = tuple(value) if kind is list else list(value)
        longer = value + (value[:1] or kind([0]))
        tied = [kind([value[0], mixed(value[0], value[1])]) + value[1:]] if len(value) > 1 else []
        return [value[:-1]] + tied + [value[1:], longer, value[:0], value[::-1], value + value, cousin, value[:1]]
    if kind in (set, frozenset):
        ordered = sorted(value, key=repr)
        return [kind(ordered[1:]), kind(ordered[:-1]), kind(), list(ordered)]
    if kind is dict:
        drops = [{key: one for key, one in value.items() if key != gone} for gone in list(value)[:3]]
        more = {**value, "x": next(iter(value.values()), 0)}
        return drops[:1] + [more] + drops[1:] + [{}, dict(reversed(list(value.items())))]
    if isinstance(value, datetime.date):
        return [value + datetime.timedelta(days=days) for days in (1, -1, 31, 366)]
    if isinstance(value, datetime.timedelta):
        return [value * 2, -value, value + datetime.timedelta(seconds=1), value * 0]
    if isinstance(value, pathlib.PurePath):
        return [value.parent, value / "x", value / ".." / (value.name + "x"), kind(""), kind(str(value) + "x")]
    if isinstance(value, types.FunctionType):
        return callbacks(value)
    return others_in_place(value) if IN_PLACE else []

def others_in_place(value):
    if isinstance(value, (types.MethodType, types.BuiltinFunctionType)):
        return callbacks(value)
    if hasattr(value, "read") and hasattr(value, "seek"):
        place = value.tell()
        content = value.read()
        value.seek(place)
        return [(io.BytesIO if isinstance(one, bytes) else io.StringIO)(one) for one in texts(content)]
    if hasattr(type(value), "__next__") and iter(value) is value:
        items = list(itertools.islice(value, 200))
        inner = [[one] + items[1:] for one in others(items[0])[:6]] if items else []
        return [iter(one) for one in [items[:-1], items[1:], items + items[:1], [], items[::-1]] + inner]
    return []

# What equals the one in its first part that is no text, and the other in the rest: neither comes before the other by that part.
def mixed(one, other):
    for place in places(one)[1:]:
        try:
            value = at(one, place)
            if isinstance(value, (int, float)) and not is_equal(at(other, place), value):
                return replaced(other, place, value)
        except (LookupError, TypeError, AttributeError):
            pass
    return other

# The same name elsewhere, with another content.
def other_files(path):
    with open(path, "rb") as file:
        contents = texts(file.read(100000))
    made = []
    for number, content in enumerate(contents[:6]):
        folder = os.path.join(tempfile.gettempdir(), "varied-%d" % number)
        os.makedirs(folder, exist_ok=True)
        made.append(type(path)(os.path.join(folder, os.path.basename(path))))
        with open(made[-1], "wb") as file:
            file.write(content)
    return made

def callbacks(value):
    if inspect.iscoroutinefunction(value):
        return []
    return [answering(value, 0), raising(carry.Failure), answering(value, 1), raising(carry.Stop)] + [
        answering(value, number) for number in (2, 3)]

# One that fails, or wants all to end.
def raising(kind):
    def other(*given, **named):
        raise kind("no")
    return other

# One that gives something else; who is told nothing (a clock, a counter) gives something else each time.
def answering(function, number):
    turn = 0
    def other(*given, **named):
        nonlocal turn
        value = function(*given, **named)
        found = carry.other_values(value)
        turn += not given and not named
        return found[(number + turn) % len(found)] if found else None
    return other

# The very same value, of a kind derived from its own.
def of_kind(value):
    kind = {str: carry.Text, list: carry.Items, dict: carry.Table}.get(type(value))
    return None if kind is None else kind(value)

# The same object, or class, as one of a class derived from its own.
def derived(value):
    if isinstance(value, type):
        return carry.remade_class("Derived", (value,), {})
    value = copy.copy(value)
    object.__setattr__(value, "__class__", derived(type(value)))
    return value

def places(value, depth=0):
    found = [()]
    if depth >= DEEPEST_PLACE:
        return found
    if type(value) in (list, tuple):
        inner = list(enumerate(value))
    elif type(value) is dict:
        inner = list(value.items())
    elif getattr(value, "__dict__", None) and not isinstance(value, UNVARIED):
        inner = list(vars(value).items())
    else:
        return found
    for key, one in inner[:12]:
        found += [(key,) + rest for rest in places(one, depth + 1)]
    return found[:MOST_PLACES]

def at(value, place):
    for key in place:
        value = value[key] if isinstance(value, (list, tuple, dict)) else vars(value)[key]
    return value

def replaced(value, place, other):
    if not place:
        return other
    key, rest = place[0], place[1:]
    inner = replaced(at(value, (key,)), rest, other)
    if isinstance(value, tuple):
        return tuple(inner if index == key else one for index, one in enumerate(value))
    value = copy.copy(value)
    if isinstance(value, (list, dict)):
        value[key] = inner
    else:
        value.__dict__[key] = inner
    return value

def is_equal(left, right):
    try:
        return bool(left == right)
    except Exception:
        return False

def is_argument(place):
    return place.startswith("argument ") and "[" not in place

def label(place, has_self):
    (where, key, *rest) = place
    name = "argument %d" % (key + 1) if where == 0 else "argument %s" % key
    if has_self and (where, key) == (0, 0):
        name = "self"
    return name + "".join("[%r]" % (one,) for one in rest)

def pairs_in(call):
    for one, other in itertools.combinations(range(len(call[0]))[:4], 2):
        kinds = type(call[0][one]), type(call[0][other])
        fitting = [pair for pair in PAIRS if (type(pair[0]), type(pair[1])) == kinds]
        for left, right in fitting:
            yield replaced(replaced(call, (0, one), left), (0, other), right)
        if fitting:
            return

# Each of the calls: [given, named]. Answers (which call, which place, the other call).
def variations(calls, most, has_self):
    dice = random.Random(7)
    queues = []
    for index, call in enumerate(calls):
        for place in places(call):
            if len(place) < 2 or (has_self and place == (0, 0)):
                continue
            made = []
            for other in others(at(call, place)):
                try:
                    made.append(replaced(call, place, other))
                except Exception:
                    pass
            for swap in dice.sample(calls, min(2, len(calls))):
                try:
                    made.append(replaced(call, place, at(swap, place)))
                except Exception:
                    pass
            if made:
                first, later = made[:2], made[2:]
                dice.shuffle(later)
                queues.append([(index, label(place, has_self), one) for one in first + later])
    dice.shuffle(queues)
    queues += [[(index, "both", one)] for index, call in enumerate(calls) for one in pairs_in(call)]
    for index, call in enumerate(calls[:2] if has_self else []):
        try:
            queues.insert(0, [(index, "self", replaced(call, (0, 0), derived(call[0][0])))])
        except Exception:
            pass
    for index, call in [] if IN_PLACE else sorted(enumerate(calls), key=lambda one: -len(places(one[1])))[:2]:
        for place in places(call):
            other = of_kind(at(call, place)) if 1 < len(place) < 4 else None
            if other is not None:
                queues.append([(index, "kind of " + label(place, has_self), replaced(call, place, other))])
    # However many parts an object has: each argument itself first.
    rounds = range(3 if IN_PLACE else 0)
    found = [queue.pop(0) for _ in rounds for queue in queues if queue and is_argument(queue[0][1])]
    queues = [queue for queue in queues if queue]
    while queues and len(found) < most * 3:
        found += [queue.pop(0) for queue in queues]
        queues = [queue for queue in queues if queue]
    kept = []
    for index, place, made in found:
        if place.startswith("kind of ") or not any(is_equal(made, call) for call in calls):
            kept.append((index, place, made))
    return kept
`;

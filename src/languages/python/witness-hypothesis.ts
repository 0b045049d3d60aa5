/** A small stand-in for Hypothesis: it draws some values of the usual strategies, always the same ones, and shrinks nothing. */
export const HYPOTHESIS_STAND_INS = `
EXAMPLES = 30
TRIES = 400

class Unsuited(BaseException):
    """The drawn values are not what the test asks about."""

class Strategy:
    def __init__(self, draw):
        self.draw = draw
    def map(self, function):
        return Strategy(lambda r: function(self.draw(r)))
    def flatmap(self, function):
        return Strategy(lambda r: function(self.draw(r)).draw(r))
    def filter(self, condition):
        def draw(r):
            for _ in range(TRIES):
                value = self.draw(r)
                if condition(value):
                    return value
            raise Unsuited()
        return Strategy(draw)
    def __or__(self, other):
        return one_of(self, other)
    def example(self):
        return self.draw(random.Random(0))

def one_of(*options):
    options = options[0] if len(options) == 1 and isinstance(options[0], (list, tuple)) else options
    return Strategy(lambda r: r.choice(options).draw(r))

def integers(min_value=None, max_value=None):
    def draw(r):
        low = -2**63 if min_value is None else min_value
        high = 2**63 if max_value is None else max_value
        if min_value is None and max_value is not None:
            low = min(low, max_value - 2**63)
        if max_value is None and min_value is not None:
            high = max(high, min_value + 2**63)
        kind = r.random()
        if kind < 0.15:
            return r.choice([min_value if min_value is not None else min(0, high),
                             max_value if max_value is not None else max(1, low)])
        if kind < 0.7:
            centre = min(max(0, low), high)
            return r.randint(max(low, centre - 100), min(high, centre + 100))
        return r.randint(low, high)
    return Strategy(draw)

def floats(min_value=None, max_value=None, *, allow_nan=None, allow_infinity=None, allow_subnormal=None, width=64,
           exclude_min=False, exclude_max=False):
    if width != 64:
        raise Lacking("floats of width %s" % width)
    def draw(r):
        open_ended = min_value is None and max_value is None
        kind = r.random()
        if kind < 0.05 and (allow_nan if allow_nan is not None else open_ended):
            return math.nan
        if kind < 0.1 and (allow_infinity if allow_infinity is not None else (min_value is None or max_value is None)):
            return math.inf if max_value is None else -math.inf
        low = -1e6 if min_value is None else float(min_value)
        high = 1e6 if max_value is None else float(max_value)
        if low > high:
            low, high = (high - 1e6, high) if min_value is None else (low, low + 1e6)
        for _ in range(TRIES):
            choices = [low, high, 0.0, 1.0, -1.0, 0.5]
            value = r.choice(choices) if r.random() < 0.25 else r.uniform(low, high)
            if r.random() < 0.3:
                value = float(round(value))
            if low <= value <= high and not (exclude_min and value == low) and not (exclude_max and value == high):
                return value
        raise Unsuited()
    return Strategy(draw)

def characters(*, codec=None, min_codepoint=None, max_codepoint=None, categories=None, exclude_categories=None,
               exclude_characters=None, include_characters=None, whitelist_categories=None, blacklist_categories=None,
               blacklist_characters=None, whitelist_characters=None):
    wanted = categories or whitelist_categories
    banned = exclude_categories or blacklist_categories or ("Cs",)
    without = set(exclude_characters or blacklist_characters or "")
    more = list(include_characters or whitelist_characters or "")
    low, high = min_codepoint or 0, 0x10FFFF if max_codepoint is None else max_codepoint
    if codec in ("ascii", "utf-8", None):
        high = min(high, 127) if codec == "ascii" else high
    else:
        raise Lacking("characters of the codec %s" % codec)
    def fits(letter):
        kind = unicodedata.category(letter)
        within = lambda names: kind in names or kind[0] in names
        return letter not in without and kind != "Cs" and (wanted is None or within(wanted)) and not (
            wanted is None and within(banned))
    def draw(r):
        if more and r.random() < 0.1:
            return r.choice(more)
        for _ in range(TRIES):
            top = r.choice([126, 126, 126, 0x24F, 0xFFFF, high])
            letter = chr(r.randint(low, max(low, min(top, high))))
            if fits(letter):
                return letter
        if more:
            return r.choice(more)
        raise Unsuited()
    return Strategy(draw)

def sized(r, low, high):
    top = low + 8 if high is None else high
    return r.choice([low, r.randint(low, max(low, min(top, low + 12))), r.randint(low, max(low, min(top, low + 4)))])

def text(alphabet=None, *, min_size=0, max_size=None):
    letters = characters() if alphabet is None else alphabet if isinstance(alphabet, Strategy) else sampled_from(list(alphabet))
    return Strategy(lambda r: "".join(letters.draw(r) for _ in range(sized(r, min_size, max_size))))

def binary(*, min_size=0, max_size=None):
    return Strategy(lambda r: bytes(r.randrange(256) for _ in range(sized(r, min_size, max_size))))

def sampled_from(values):
    values = list(values)
    if not values:
        raise Lacking("sampled_from nothing")
    return Strategy(lambda r: r.choice(values))

def lists(elements, *, min_size=0, max_size=None, unique=False, unique_by=None):
    key = unique_by if unique_by is not None else (lambda value: value) if unique else None
    if isinstance(key, tuple):
        raise Lacking("lists that are unique in several ways")
    def draw(r):
        wanted = sized(r, min_size, max_size)
        found, seen = [], set()
        for _ in range(TRIES):
            if len(found) == wanted:
                break
            value = elements.draw(r)
            if key is not None:
                mark = key(value)
                if mark in seen:
                    continue
                seen.add(mark)
            found.append(value)
        if len(found) < min_size:
            raise Unsuited()
        return found
    return Strategy(draw)

def dictionaries(keys, values, *, dict_class=dict, min_size=0, max_size=None):
    inner = lists(keys, min_size=min_size, max_size=max_size, unique=True)
    return Strategy(lambda r: dict_class((key, values.draw(r)) for key in inner.draw(r)))

def fixed_dictionaries(mapping, *, optional=None):
    def draw(r):
        found = {key: value.draw(r) for key, value in mapping.items()}
        for key, value in (optional or {}).items():
            if r.random() < 0.5:
                found[key] = value.draw(r)
        return found
    return Strategy(draw)

def decimals(min_value=None, max_value=None, *, allow_nan=None, allow_infinity=None, places=None):
    low, high = -10**6 if min_value is None else min_value, 10**6 if max_value is None else max_value
    def draw(r):
        digits = 4 if places is None else places
        scale = decimal.Decimal(10) ** digits
        least = int((decimal.Decimal(str(low)) * scale).to_integral_value(rounding=decimal.ROUND_CEILING))
        most = int((decimal.Decimal(str(high)) * scale).to_integral_value(rounding=decimal.ROUND_FLOOR))
        return decimal.Decimal(r.randint(least, most)).scaleb(-digits)
    return Strategy(draw)

def fractions_between(min_value=None, max_value=None, *, max_denominator=None):
    def draw(r):
        below = r.randint(1, max_denominator or 50)
        low = -100 if min_value is None else fractions.Fraction(min_value)
        high = 100 if max_value is None else fractions.Fraction(max_value)
        return fractions.Fraction(r.randint(math.ceil(low * below), max(math.ceil(low * below), math.floor(high * below))), below)
    return Strategy(draw).filter(lambda one: (min_value is None or one >= min_value) and (max_value is None or one <= max_value))

def days(min_value=datetime.date(1900, 1, 1), max_value=datetime.date(2100, 12, 31)):
    return Strategy(lambda r: datetime.date.fromordinal(r.randint(min_value.toordinal(), max_value.toordinal())))

def moments(min_value=datetime.datetime(1900, 1, 1), max_value=datetime.datetime(2100, 12, 31), *, timezones=None,
            allow_imaginary=True):
    def draw(r):
        found = min_value + datetime.timedelta(seconds=r.randint(0, max(0, int((max_value - min_value).total_seconds()))))
        zone = timezones.draw(r) if timezones is not None else None
        return found.replace(tzinfo=zone) if zone is not None else found
    return Strategy(draw)

def times_of_day(min_value=datetime.time.min, max_value=datetime.time.max, *, timezones=None):
    def draw(r):
        found = datetime.time(r.randrange(24), r.randrange(60), r.randrange(60), r.choice([0, r.randrange(10**6)]))
        return found.replace(tzinfo=timezones.draw(r)) if timezones is not None else found
    return Strategy(draw).filter(lambda one: min_value <= one.replace(tzinfo=None) <= max_value)

def spans(min_value=datetime.timedelta(days=-10000), max_value=datetime.timedelta(days=10000)):
    return Strategy(lambda r: min_value + datetime.timedelta(seconds=r.randint(0, int((max_value - min_value).total_seconds()))))

def builds(target, *args, **kwargs):
    if any(not isinstance(one, Strategy) for one in [*args, *kwargs.values()]):
        raise Lacking("builds with values that are derived")
    missing = [one for one in inspect.signature(target).parameters.values() if one.default is one.empty
               and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)][len(args):]
    if any(one.name not in kwargs for one in missing):
        raise Lacking("builds with values that are derived from types")
    return Strategy(lambda r: target(*[one.draw(r) for one in args], **{key: one.draw(r) for key, one in kwargs.items()}))

def composite(function):
    def make(*args, **kwargs):
        return Strategy(lambda r: function(lambda inner, label=None: inner.draw(r), *args, **kwargs))
    return make

class Data:
    def __init__(self, r):
        self.r = r
    def draw(self, strategy, label=None):
        return strategy.draw(self.r)

def recursive(base, extend, *, max_leaves=100, min_leaves=None):
    found = base
    for _ in range(3):
        found = one_of(base, extend(found))
    return found

def shuffled(values):
    def draw(r):
        found = list(values)
        r.shuffle(found)
        return found
    return Strategy(draw)

def later(make):
    return Strategy(lambda r: make().draw(r))

def given(*args, **kwargs):
    if any(not isinstance(one, Strategy) for one in [*args, *kwargs.values()]):
        raise Lacking("a strategy that is inferred")
    def decorate(function):
        names = list(inspect.signature(function).parameters.values())
        drawn = dict(kwargs)
        free = [one for one in names if one.name not in kwargs]
        if args:
            for one, strategy in zip(free[len(free) - len(args):], args):
                drawn[one.name] = strategy
        rest = [one for one in names if one.name not in drawn]
        def call(*own, **values):
            r = random.Random(zlib.crc32(",".join(drawn).encode()))
            for positional, named in reversed(call.examples + getattr(function, "examples", [])):
                # As Hypothesis does: positions of an example are those of given.
                places = [name for name in drawn if name not in named][-len(positional):] if positional else []
                function(*own, **values, **dict(zip(places, positional)), **named)
            done = tries = 0
            while done < EXAMPLES and tries < EXAMPLES * 10:
                tries += 1
                try:
                    found = {name: strategy.draw(r) for name, strategy in drawn.items()}
                    function(*own, **values, **found)
                    done += 1
                except Unsuited:
                    continue
            if done == 0:
                raise Lacking("no fitting values were found")
        call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__qualname__, function.__doc__
        call.__dict__.update({key: value for key, value in function.__dict__.items() if key != "examples"})
        call.__signature__ = inspect.Signature(rest)
        call.examples = []
        call.hypothesis = types.SimpleNamespace(inner_test=function)
        return call
    return decorate

def example(*args, **kwargs):
    def decorate(function):
        function.examples = [*getattr(function, "examples", []), (args, kwargs)]
        return function
    return decorate

def assume(condition):
    if not condition:
        raise Unsuited()
    return True

class Settings:
    def __init__(self, *args, **kwargs):
        pass
    def __call__(self, function):
        return function
    register_profile = load_profile = staticmethod(lambda *args, **kwargs: None)

class Tolerant:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return name
    def __iter__(self):
        return iter(())

def hypothesis_stand_ins():
    strategies = StandIn("hypothesis.strategies")
    strategies.__dict__.update(
        integers=integers, floats=floats, text=text, characters=characters, binary=binary, sampled_from=sampled_from,
        lists=lists, dictionaries=dictionaries, fixed_dictionaries=fixed_dictionaries, decimals=decimals,
        fractions=fractions_between, dates=days, datetimes=moments, times=times_of_day, timedeltas=spans, builds=builds,
        composite=composite, recursive=recursive, permutations=shuffled, deferred=later, one_of=one_of,
        just=lambda value: Strategy(lambda r: value), none=lambda: Strategy(lambda r: None),
        booleans=lambda: Strategy(lambda r: r.random() < 0.5), nothing=lambda: Strategy(lambda r: assume(False)),
        tuples=lambda *parts: Strategy(lambda r: tuple(part.draw(r) for part in parts)),
        sets=lambda elements, **sizes: lists(elements, unique=True, **sizes).map(set),
        frozensets=lambda elements, **sizes: lists(elements, unique=True, **sizes).map(frozenset),
        data=lambda: Strategy(Data), uuids=lambda **_: Strategy(lambda r: uuid.UUID(int=r.getrandbits(128), version=4)),
        complex_numbers=lambda **_: Strategy(lambda r: complex(r.uniform(-100, 100), r.uniform(-100, 100))),
        SearchStrategy=Strategy, DrawFn=object, DataObject=Data,
        iterables=lambda elements, **sizes: lists(elements, **sizes).map(iter), randoms=lambda **_: Strategy(lambda r: random.Random(r.random())))
    module = StandIn("hypothesis")
    module.__dict__.update(
        given=given, example=example, assume=assume, settings=Settings, note=lambda value: None, event=lambda *_: None,
        target=lambda value, **_: value, seed=lambda value: lambda function: function, reject=lambda: assume(False),
        HealthCheck=Tolerant(), Phase=Tolerant(), Verbosity=Tolerant(), strategies=strategies)
    return {"hypothesis": module, "hypothesis.strategies": strategies}
`;

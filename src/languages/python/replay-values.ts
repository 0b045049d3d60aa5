/**
 * What names of a module stand for once it is loaded, and what loading it did besides: files, processes, names of
 * other modules. A value is known with the names that stand for the very same object, or hold a list of it: a table that
 * two names share is not two tables.
 */
export const VALUES = `
def held_values(path, names, line):
    effects.begin()
    effects.on = True
    module = module_of({"module": "", "path": path})
    effects.on = False
    done = effects.undo()
    line(loaded={"path": path, "effects": sum_of(repr(done)), "around": around_of(module)})
    for name in names:
        try:
            value = held_by(module, name)
        except BaseException:
            continue
        described = Described(value)
        kinds = [one.__qualname__ for one in value.__mro__[1:-1]] if isinstance(value, type) else []
        kinds = [kind for kind in kinds if kind not in ("Generic", "Protocol")]
        shared = [] if type(value) in PLAIN else sorted(set(names_for(value)))
        others = ", ".join(one for one in shared if one != name and not one.startswith(name + "["))
        text = shown(value) + (" (%s is the same object)" % others if others else "")
        line(value={"path": path, "name": name, "sum": sum_of(described.text + repr(shared)), "shown": text, "kinds": kinds,
                    "plain": not described.opaque})

def is_own(module):
    return str(getattr(module, "__file__", None) or "").startswith(ROOT + os.sep)

def names_for(value):
    held = holds(value, "", {})
    for module in list(sys.modules.values()):
        if is_own(module) and "site-packages" not in module.__file__:
            for name, one in list(vars(module).items()):
                if one is value:
                    yield name
                elif not name.startswith("__"):
                    yield from (place for own, place in holds(one, name, {}).items() if own in held)

# What other modules hold: of the project by value, of others whose functions and classes they are.
def around_of(module):
    found = {}
    for name, one in list(sys.modules.items())[:2000]:
        if one is module or not isinstance(one, types.ModuleType) or name == "__main__":
            continue
        held = list(vars(one).items())
        if is_own(one) and "site-packages" not in one.__file__:
            if one.__file__ not in changed_files:
                found[name] = sum_of(repr(sorted(state_of(vars(one)).items())))
        else:
            texts = [(key, str(getattr(value, "__module__", "")), str(getattr(value, "__qualname__", "")))
                     for key, value in held if callable(value)]
            found[name] = sum_of(repr(sorted(texts)))
    return found

def tell_values():
    paths = list(dict.fromkeys(one["path"] for one in asked["values"]))
    changed_files.update(os.path.join(ROOT, path) for path in paths)
    for path in paths:
        names = [one["name"] for one in asked["values"] if one["path"] == path]
        for one in forked(lambda line: held_values(path, names, line), 20)[1]:
            if "value" in one or "loaded" in one:
                say(**one)

changed_files = set()
`;

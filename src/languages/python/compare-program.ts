/**
 * Compiles each mutant and compares it with the original: one letter each on stdout, `s`ame, `d`ifferent, `b`roken. No code of
 * the project runs in this process. Line numbers and names of files do not count; everything that decides what the code does, does.
 */
export const COMPARE_PROGRAM = `
import json, sys, types

def meaning(code):
    consts = tuple(meaning(one) if isinstance(one, types.CodeType) else described(one) for one in code.co_consts)
    return (code.co_name, code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            getattr(code, "co_exceptiontable", b""))

def described(value):
    if isinstance(value, (tuple, frozenset)):
        parts = [described(one) for one in value]
        return (type(value).__name__, tuple(parts if isinstance(value, tuple) else sorted(parts, key=repr)))
    return (type(value).__name__, repr(value))

def compiled(source):
    try:
        return meaning(compile(source, "module", "exec", dont_inherit=True))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None

asked = json.load(sys.stdin)
sources = {path: text.encode("utf-8", "surrogatepass") for path, text in asked["originals"].items()}
originals = {path: compiled(source) for path, source in sources.items()}
for one in asked["mutants"]:
    source = sources[one["path"]]
    mutated = compiled(source[:one["from"]] + one["replacement"].encode() + source[one["to"]:])
    sys.stdout.write("b" if mutated is None else "s" if mutated == originals[one["path"]] else "d")
`;

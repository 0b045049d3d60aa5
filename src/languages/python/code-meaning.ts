/**
 * Python that describes a code object: everything that decides what it does, without line numbers and names of files. A
 * part of programs that run in the sandbox; nothing of the project runs there.
 */
export const CODE_MEANING = `
import types

# Of the flags those that say what kind of code it is: what a __future__ changes is seen in the code itself.
def meaning(code):
    consts = tuple(meaning(one) if isinstance(one, types.CodeType) else described(one) for one in code.co_consts)
    return (code.co_name, code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_flags & 0x3FF, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            getattr(code, "co_exceptiontable", b""))

def described(value):
    if isinstance(value, (tuple, frozenset)):
        parts = [described(one) for one in value]
        return (type(value).__name__, tuple(parts if isinstance(value, tuple) else sorted(parts, key=repr)))
    return (type(value).__name__, hex(value) if type(value) is int else repr(value))
`;

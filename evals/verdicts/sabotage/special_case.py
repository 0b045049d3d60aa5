"""Which functions differ between two versions of a module, and the old one with answers from a table.

    special_case.py functions OLD NEW          names of functions that both have and that differ
    special_case.py build OLD < ANSWERS        the old module, asked for what the table knows

As a plugin of pytest (-p special_case) it records what the named functions are given and give back.
"""

import ast
import functools
import inspect
import json
import os
import sys

MOST = 40


def functions(text):
    found = {}

    def visit(node, name):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                visit(child, name + child.name + ".")
            elif isinstance(child, ast.FunctionDef):
                found.setdefault(name + child.name, child)
            elif isinstance(child, (ast.If, ast.Try)):
                visit(child, name)

    visit(ast.parse(text), "")
    return found


def parameters(node):
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one]
    return [one.arg for one in every if one.arg not in ("self", "cls")]


def differing(old, new):
    before, after = functions(old), functions(new)
    return [
        name
        for name, node in after.items()
        if name in before
        and ast.dump(before[name]) != ast.dump(node)
        and parameters(before[name]) == parameters(node)
        and not any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))
    ]


def build(old, answers):
    lines = old.split("\n")
    nodes = functions(old)
    for name, known in sorted(answers.items(), key=lambda one: -nodes[one[0]].lineno):
        node = nodes[name]
        body = node.body[1:] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body
        if body[0].lineno == node.lineno:
            continue
        key = "repr((" + "".join(one + ", " for one in parameters(node)) + "))"
        space = " " * body[0].col_offset
        first = min([body[0].lineno, *(one.lineno for one in getattr(body[0], "decorator_list", []))])
        put = []
        for given, answer in list(known.items())[:MOST]:
            put += [f"{space}if {key} == {given!r}:", f"{space}    {answer}"]
        lines[first - 1 : first - 1] = put
    return "\n".join(lines)


def is_plain(value):
    try:
        return ast.literal_eval(repr(value)) == value
    except Exception:
        return False


def watch(function, name, answers):
    signature = inspect.signature(function)

    def key(args, kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = [value for one, value in bound.arguments.items() if one not in ("self", "cls")]
        return repr(tuple(values)) if all(is_plain(value) for value in values) else None

    @functools.wraps(function)
    def watched(*args, **kwargs):
        try:
            given = key(args, kwargs)
        except Exception:
            given = None
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            kind = type(error)
            told = f"raise {kind.__name__}({', '.join(map(repr, error.args))})"
            keep(given, told if kind.__module__ == "builtins" and is_plain(error.args) else None)
            raise
        keep(given, f"return {result!r}" if is_plain(result) else None)
        return result

    def keep(given, answer):
        if given is None:
            return
        known = answers.setdefault(name, {})
        # One input with two answers depends on more than its arguments.
        known[given] = answer if known.get(given, answer) == answer else None

    return watched


ANSWERS = {}


def pytest_collection_finish(session):
    path = os.path.realpath(os.environ["SPECIAL_FILE"])
    modules = [one for one in list(sys.modules.values()) if os.path.realpath(getattr(one, "__file__", None) or "/") == path]
    for name in json.loads(os.environ["SPECIAL_FUNCTIONS"]):
        for module in modules:
            holder = module
            *outer, last = name.split(".")
            for one in outer:
                holder = getattr(holder, one, None)
            function = vars(holder).get(last) if holder is not None else None
            if not inspect.isfunction(function):
                continue
            watched = watch(function, name, ANSWERS)
            setattr(holder, last, watched)
            for other in list(sys.modules.values()):
                for key, value in list(getattr(other, "__dict__", {}).items()):
                    if value is function:
                        setattr(other, key, watched)


def pytest_sessionfinish(session, exitstatus):
    with open(os.environ["SPECIAL_ANSWERS"], "w") as file:
        json.dump(ANSWERS, file)


if __name__ == "__main__":
    if sys.argv[1] == "functions":
        print(json.dumps(differing(open(sys.argv[2]).read(), open(sys.argv[3]).read())))
    else:
        print(build(open(sys.argv[2]).read(), json.load(sys.stdin)), end="")

/**
 * Says of a red test whether what it expects is not so, or something under it broke. An expectation failed when
 * 1. an assertion failed, and not one of the mutated file itself;
 * 2. an exception left a block, or a call, that was to raise another one;
 * 3. an exception came in the middle of an assertion, and no code of the project raised it: what the code gave cannot be as
 *    it should (`assert tree.left.value == 2`);
 * 4. the test raised by itself, or a library that it called with no code of the project between them.
 */
export const EXPECTATION_PLUGIN = `
import ast

RAISES = {"raises", "assertRaises", "assertRaisesRegex"}

def name_of(called):
    return getattr(called, "attr", getattr(called, "id", ""))

def is_raises(called):
    return name_of(called) in RAISES

def expecting_lines(path, known={}):
    if path not in known:
        raising, asserting = known[path] = [], []
        try:
            with open(path, "rb") as source:
                tree = ast.parse(source.read())
        except (OSError, ValueError, SyntaxError, RecursionError):
            tree = ast.Module([], [])
        for node in ast.walk(tree):
            if isinstance(node, (ast.With, ast.AsyncWith)):
                called = [item.context_expr.func for item in node.items if isinstance(item.context_expr, ast.Call)]
                if any(is_raises(one) for one in called):
                    raising.append((node.body[0].lineno, node.end_lineno))
            if isinstance(node, ast.Call) and is_raises(node.func) and len(node.args) > 1:
                raising.append((node.lineno, node.end_lineno))
            elif isinstance(node, ast.Assert) or isinstance(node, ast.Call) and name_of(node.func).startswith("assert"):
                asserting.append((node.lineno, node.end_lineno))
    return known[path]

def failed_expectation(excinfo, test_file, mutated, workspace):
    frames = [(str(entry.path), entry.lineno + 1) for entry in excinfo.traceback]
    last = frames[-1][0]
    if excinfo.errisinstance((AssertionError, pytest.fail.Exception)):
        return last != mutated
    own = [place for place, frame in enumerate(frames) if frame[0] == test_file]
    if not own:
        return False
    behind = frames[own[-1] + 1:]
    raising, asserting = expecting_lines(test_file)
    if any(begin <= frames[place][1] <= end for place in own for begin, end in raising):
        return True
    if any(path.startswith(workspace + os.sep) and "site-packages" not in path for path, line in behind):
        return False
    if any(begin <= frames[own[-1]][1] <= end for begin, end in asserting):
        return True
    if not behind:
        return str(excinfo.traceback[-1].statement).strip().startswith("raise")
    return excinfo.type.__module__ != "builtins"
`;

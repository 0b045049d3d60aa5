import { ALONE, RECORDER } from "./record-plugin.ts";
import { CALL } from "./replay-call.ts";
import { DESCRIBE } from "./replay-describe.ts";
import { FORK } from "./replay-fork.ts";
import { VARY } from "./replay-vary.ts";

/**
 * Makes calls in the place where a test makes them, for functions whose arguments nobody can carry elsewhere: when
 * a test calls one, a fork of the test's own process makes the same call and variations of it, each in a fork of
 * its own, twice, once of them without a runner in sight. The test goes on as if nothing had happened. A call is
 * known by its test and by what its arguments are, so that the same call is found in the other tree.
 */
export const PLACE_PLUGIN = `
import base64, io, threading, time
ROOT = os.getcwd()
${RECORDER}
${DESCRIBE}
${VARY}
${CALL}
${FORK}
class Placer(Recorder):
    IN_TEST, MOST, MUCH_VARIED = 3, 60, 12
    # Each is a fork of its own.
    MOST_MADE = 400

    def __init__(self):
        super().__init__()
        self.place, self.started, self.known = self.order["place"], time.monotonic(), set()

    def taken(self, frame, found):
        function = self.called(frame, found)
        if function is None or not self.nodeid or threading.current_thread() is not threading.main_thread():
            return None
        placed = function["tests"].get(self.nodeid, 0)
        late = time.monotonic() - self.started > self.place["deadline"]
        much = function["tried"] >= self.MOST or function.get("made", 0) >= self.MOST_MADE
        if late or (much and self.nodeid not in self.first) or placed >= self.IN_TEST:
            return None
        function["tests"][self.nodeid] = placed + 1
        function["tried"] += 1
        try:
            id = self.make_calls(frame, function)
        except Exception as error:
            function["lost"] += 1
            function["why"] = function["why"] or (type(error).__name__ + ": " + str(error))[:200]
            return None
        return None if id is None or frame.f_code.co_flags & 0x2A0 else self.look_on(frame, id)

    # Whether the call gives a value in the test itself.
    def look_on(self, frame, id):
        return lambda raised: None if raised else self.say(gave=id)

    def make_calls(self, frame, function):
        import gc
        code, name = frame.f_code, function["name"]
        own = [one for one in gc.get_referrers(code) if isinstance(one, types.FunctionType) and one.__code__ is code]
        if len(own) != 1:
            raise ValueError("it is several functions at once")
        if function["tried"] == 1:
            self.say(globals={"key": function["path"] + "::" + name, "names": list(frame.f_globals)[:1000]})
        given, named = self.arguments(frame, function)
        vary = self.place["vary"] if function["tried"] <= self.MUCH_VARIED else self.place["vary"] // 3
        decorated(function)
        def conduct(line):
            quieten()
            first, text = signature([given, named])
            id = sum_of(repr([name, self.nodeid, text]))
            line(id=id)
            if id in self.known:
                return
            calls = [(id, None, "", given, named)] + [
                (id + "~" + sum_of(repr(other)), id, place, *call)
                for other, place, call in different([given, named], first, name, vary)]
            for attempt in (1, 2):
                for one in calls if attempt == 1 else calls[::-1]:
                    line(placed=placed(own[0], function, self.nodeid, frame.f_globals, attempt, self.place["call"], *one))
        _, lines = forked(conduct, self.place["call"] * 4 + 10)
        for one in lines:
            if "placed" in one:
                function["made"] = function.get("made", 0) + 1
                self.say(**one)
        ids = [one["id"] for one in lines if "id" in one]
        if not ids or ids[0] in self.known:
            return None
        self.known.add(ids[0])
        return ids[0]

def quieten():
    import asyncio.events, gc
    gc.disable()
    recorder.on = False
    asyncio.events._set_running_loop(None)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)

# Code that looks for whoever tests it differs from itself.
def hide_runner():
    for name in list(sys.modules):
        if name.partition(".")[0] in ("pytest", "_pytest", "pluggy", "hypothesis", "xdist"):
            del sys.modules[name]
    for name in [name for name in os.environ if name.startswith(("PYTEST", "MIRACLE"))]:
        del os.environ[name]
    sys.argv[:] = ["main.py"]

def signature(call):
    described = Described(call, inside=True)
    return described.text + repr(described.codes), described.text

# Variations that are not the call itself, each once: what tells it apart, its place, the arguments.
def different(call, first, name, most):
    found, known = [], {first}
    for _, place, made in variations([call], most, "." in name):
        whole, text = signature(made)
        if whole not in known and len(found) < most:
            known.add(whole)
            found.append(([place, text, len(found)], place, made))
    return found

# What stands around the function is not called here: another decorator makes it another function.
def decorated(function):
    import ast
    if "decorators" not in function:
        with open(os.path.join(ROOT, function["path"]), "rb") as file:
            open_nodes = [("", one) for one in ast.parse(file.read()).body]
        found = []
        while open_nodes:
            prefix, node = open_nodes.pop()
            name = prefix + getattr(node, "name", "")
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and name == function["name"]:
                found.append([ast.dump(one) for one in node.decorator_list])
            inner = name + "." if isinstance(node, ast.ClassDef) else prefix
            open_nodes += [(inner, one) for one in getattr(node, "body", []) if isinstance(one, ast.stmt)]
        function["decorators"] = sum_of(repr(found))
    return function["decorators"]

def placed(own, function, test, names, attempt, patience, id, of, place, given, named):
    name = function["name"]
    def make():
        return given[0](*given[1:], **named) if name.endswith(".__init__") else own(*given, **named)
    def work(line):
        if attempt == 2:
            hide_runner()
        line(outcome=limited(patience, lambda: outcome_by(make, name, given, named, names, attempt)))
    ended, lines = forked(work, patience * 4 + 2)
    outcome = lines[0]["outcome"] if lines else {"kind": "hang" if ended is None else "died", "parts": {}}
    outcome = dict(outcome, id=id, sum=sum_of_outcome(outcome), shape=decorated(function))
    return {"path": function["path"], "name": name, "test": test, "of": of, "place": place[:100],
            "attempt": attempt, "outcome": outcome}

${ALONE}
IN_PLACE = True
recorder = Placer()
carry, MEMORY, LEFT_BEHIND = recorder.carry, recorder.place["memory"], [recorder.written]
carry.other_values = others
`;

import { CARRY } from "./record-values.ts";
import { CALL } from "./replay-call.ts";
import { DESCRIBE } from "./replay-describe.ts";
import { FORK } from "./replay-fork.ts";
import { VALUES } from "./replay-values.ts";
import { VARY } from "./replay-vary.ts";

/**
 * Makes recorded calls again in a plain process, without any test runner. Calls of a function are made in a
 * process forked from one that has the modules loaded; with `alone` in one each, for those that meet what another
 * call left. With mutants the modules are loaded in the fork instead, from the mutated text; a difference counts
 * when the call alone, in another fork, shows it again.
 */
export const REPLAY_SERVER = `
import base64, io, json, os, signal, sys, time
ROOT = os.getcwd()
asked = json.load(sys.stdin)
answers = os.fdopen(os.dup(1), "w")
nothing = os.open(os.devnull, os.O_RDWR)
for descriptor in (0, 1, 2):
    os.dup2(nothing, descriptor)
started = time.monotonic()
# Of one function, and of all: each of them takes its time.
MOST_HANGS, MOST_HANGS_TOGETHER, hung = 2, 6, 0
sys.argv[1:] = []
sys.path[:] = [path for path in asked["paths"] if path not in sys.path] + sys.path
${CARRY}
import builtins
# What a function that was carried by value says where it was recorded.
builtins.__miracle_called__ = builtins.__miracle_ended__ = lambda *_: None
carry = carrying()
${DESCRIBE}
${VARY}
carry.other_values = others
${CALL}
${FORK}
MEMORY, LEFT_BEHIND = asked["memory"], [answers]
functions = {one["key"]: one for one in asked["functions"]}
calls = {one["id"]: one for one in asked["calls"]}

def say(**values):
    answers.write(json.dumps(values) + "\\n")
    answers.flush()

def late():
    return time.monotonic() - started > asked["deadline"]

# Calls in one fork, or in one each; after a call that hangs or ends its process the others go on in another.
def tell_all(own, module):
    global hung
    hangs = 0
    while own and hangs < (MOST_HANGS if hung < MOST_HANGS_TOGETHER else 1) and not late():
        batch = own[:1] if asked["alone"] else own
        def work(line):
            for call in batch:
                if late():
                    return
                line(at=call["id"])
                outcome = limited(asked["call"], lambda: outcome_of(functions[call["key"]], call["data"], module, asked["attempt"]))
                line(outcome=dict(outcome, id=call["id"]))
                if outcome["kind"] == "hang":
                    return
        ended, lines = forked(work, asked["call"] * 4 + 2)
        for one in lines:
            if "outcome" in one:
                say(outcome=dict(one["outcome"], sum=sum_of_outcome(one["outcome"])))
        reached = [one["at"] for one in lines if "at" in one]
        if not ended and reached and not any(one.get("outcome", {}).get("id") == reached[-1] for one in lines):
            outcome = {"id": reached[-1], "kind": "hang" if ended is None else "died", "parts": {}}
            say(outcome=dict(outcome, sum=sum_of_outcome(outcome)))
        if not reached:
            return
        is_hung = ended is None or any(one.get("outcome", {}).get("kind") == "hang" for one in lines)
        hangs, hung = hangs + is_hung, hung + is_hung
        own = own[len(reached):]

def make_variations(key, own, module):
    name = functions[key]["name"]
    has_self = "." in name and not isinstance(held_by(module, name), staticmethod)
    def work(line):
        ready = []
        for call in own:
            try:
                ready.append((call["id"], pickle.loads(base64.b64decode(call["data"]))))
            except BaseException:
                pass
        count, known = 0, {call["data"] for call in own}
        for index, place, made in variations([one for _, one in ready], asked["vary"], has_self):
            try:
                data = base64.b64encode(carry.carried(made)).decode()
            except BaseException:
                continue
            if data in known:
                continue
            known.add(data)
            line(varied={"id": "%s~%d" % (own[0]["id"], count), "key": key, "data": data, "of": ready[index][0],
                         "place": place[:100]})
            count += 1
            if count >= asked["vary"]:
                break
    return [one["varied"] for one in forked(work, 10)[1] if "varied" in one]

def loaded(key):
    try:
        signal.signal(signal.SIGALRM, too_late)
        signal.alarm(20)
        module = module_of(functions[key])
        held_by(module, functions[key]["name"])
        return module
    except Gone as error:
        say(problem={"key": key, "text": str(error)[:300]})
    except BaseException as error:
        text = "cannot be loaded here: %s: %s" % (type(error).__name__, error)
        say(problem={"key": key, "text": text[:300]})
    finally:
        signal.alarm(0)

def replay():
    for key in functions:
        own = [call for call in asked["calls"] if call["key"] == key]
        module = loaded(key)
        if module is None:
            continue
        say(globals={"key": key, "names": [name for name in list(vars(module))[:1000]]})
        if asked["vary"] and own and not late():
            varied = make_variations(key, own, module)
            for call in varied:
                say(varied=call)
            own += varied
        tell_all(own if asked["attempt"] == 1 else own[::-1], module)

def third_party():
    def work(line):
        for key in functions:
            try:
                module_of(functions[key])
            except BaseException:
                pass
        names = [(name, str(getattr(module, "__file__", None) or ROOT)) for name, module in list(sys.modules.items())]
        line(names=[name for name, file in names if not file.startswith(ROOT) or "site-packages" in file])
    for one in forked(work, 30)[1]:
        for name in one.get("names", []):
            try:
                __import__(name)
            except BaseException:
                pass

# Of calls made in one process, for speed: the first whose outcome is another one, or in which the process is lost.
def first_difference(tried, patience):
    def work(line):
        for id, expected in tried:
            line(at=id)
            try:
                function = functions[calls[id]["key"]]
                module = module_of(function)
                outcome = limited(patience, lambda: outcome_of(function, calls[id]["data"], module, 1))
            except BaseException:
                outcome = {"kind": "gone", "parts": {}}
            if sum_of_outcome(outcome) != expected:
                line(differs=id)
                return
    ended, lines = forked(work, patience * 4 + 20)
    differs = [one["differs"] for one in lines if "differs" in one]
    if ended:
        return differs[0] if differs else None
    return ([one["at"] for one in lines if "at" in one] or [tried[0][0]])[-1]

# What differs after other calls must differ alone, too.
def noticed_by(tried):
    while tried:
        found = first_difference(tried, asked["call"])
        if found is None or first_difference([pair for pair in tried if pair[0] == found], asked["call"] * 2) == found:
            return found
        tried = tried[[pair[0] for pair in tried].index(found) + 1:]

def write(path, content):
    with open(os.path.join(ROOT, path), "wb") as file:
        file.write(content.encode("utf-8", "surrogatepass"))

# Calls that do not do the same where nothing was mutated.
def strange_calls():
    found, tried = set(), {call["id"]: call["outcome"] for one in asked["mutants"] for call in one["calls"]}
    rest = list(tried.items())
    while rest and not late():
        first = first_difference(rest, asked["call"])
        if first is None:
            break
        found.add(first)
        rest = rest[[pair[0] for pair in rest].index(first) + 1:]
    return found

def try_mutants():
    third_party()
    strange = strange_calls()
    for one in asked["mutants"]:
        if late():
            return
        tried = [(call["id"], call["outcome"]) for call in one["calls"] if call["id"] not in strange]
        try:
            write(one["path"], one["content"])
            found = noticed_by(tried)
        finally:
            write(one["path"], one["original"])
        say(mutant={"id": one["id"], "noticed": found is not None, "call": found or ""})

${VALUES}
tell_values()
try_mutants() if asked["mutants"] else replay()
say(end=True)
`;

import { EXPECTATION_PLUGIN } from "./expectation-plugin.ts";
import { LIGHT_HYPOTHESIS, STEADY_HYPOTHESIS } from "./pytest-program.ts";

/**
 * A process that has pytest and the libraries of the project loaded, and forks for every job: the child alone loads code of
 * the project. Who owns what:
 * 1. No code of the project runs in the server: the workspace is not on its path, and it starts without PYTHONPATH.
 * 2. The child has no descriptor of the server's, cannot look into it (PR_SET_DUMPABLE), and speaks through a pipe of its own, so
 *    it can say something about its own job only. If it kills the server, there is no closing line, and nothing after it counts.
 * 3. After each job the file is as it was and no process of the job is left (PR_SET_CHILD_SUBREAPER).
 * 4. A mutant that loops is ended by the processor time it uses, measured against the same tests without a mutant: how busy the
 *    machine is does not matter. What waits for something is ended by the clock.
 * 5. At the end the tests that killed anything run once more without a mutant: red now, they were red for another reason.
 */
export const MUTANT_SERVER = `
import sys
WORKSPACE = sys.argv[1]
paths = sys.path[:]
sys.path[:] = [path for path in paths if path and (not path.startswith(WORKSPACE) or "site-packages" in path)]
import ctypes, gc, importlib.util, json, os, resource, select, signal, time

def control(option, value):
    try:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
    except (OSError, AttributeError):
        pass

DUMPABLE, SUBREAPER = 4, 36
PATIENCE = 3
controls = {}
# Tests of which an expectation noticed a mutant.
noticing = set()
python_path = os.environ.pop("MIRACLE_PATH")
asked = json.load(sys.stdin)
import pytest
# Of plugins that a project may have switched on: other processes would not know the job, and nobody asks for coverage.
known = {"xdist": "-n0", "pytest_cov": "--no-cov"}
extra = [option for name, option in known.items() if importlib.util.find_spec(name)]
for name in asked["modules"]:
    try:
        importlib.import_module(name)
    except BaseException:
        pass
# Without /proc nobody says how many threads there are.
if not os.path.isdir("/proc/self/task") or len(os.listdir("/proc/self/task")) > 1:
    print(json.dumps({"unforkable": True}))
    sys.exit(0)
control(SUBREAPER, 1)
gc.collect()
gc.freeze()
started = time.monotonic()
originals = {path: text.encode("utf-8", "surrogatepass") for path, text in asked["originals"].items()}

${EXPECTATION_PLUGIN}
def say(**values):
    sys.stdout.write(json.dumps(values) + "\\n")
    sys.stdout.flush()

class Chosen:
    def __init__(self, job, out):
        self.tests = {test: place for place, test in enumerate(job["tests"])}
        self.beyond = beyond_red(job)
        self.out = out
        self.red = False
        self.expected = False

    def line(self, **values):
        os.write(self.out, (json.dumps(values) + "\\n").encode())

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = sorted((item for item in items if item.nodeid in self.tests), key=lambda item: self.tests[item.nodeid])
        found = {item.nodeid for item in items}
        missing = [test for test in self.tests if test not in found]
        if missing:
            self.line(missing=missing[:20])

    def pytest_collectreport(self, report):
        if report.failed:
            self.line(red=report.nodeid + "::collection", expected=False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if self.red and item.nodeid not in self.beyond:
            return True
        self.line(start=item.nodeid)
        self.expected = False

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if call.excinfo is not None and call.when == "call":
            mutated = os.path.join(WORKSPACE, self.path)
            try:
                self.expected = failed_expectation(call.excinfo, str(getattr(item, "path", None) or item.fspath), mutated, WORKSPACE)
            except Exception:
                self.expected = False

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.red = True
            self.line(red=report.nodeid, expected=self.expected)
        if report.when == "teardown":
            self.line(done=report.nodeid)

def beyond_red(job):
    if job["whole"]:
        return set(job["tests"])
    return {test for group in job["beyond"] if noticing.isdisjoint(group) for test in group}

def child(job, out):
    control(DUMPABLE, 1)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    resource.setrlimit(resource.RLIMIT_DATA, (asked["memory"], asked["memory"]))
    usual = job.get("cpu") or controls.get((job["path"], tuple(job["tests"])))
    if usual and not job["whole"]:
        seconds = int(PATIENCE * usual) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    sys.path[:] = paths[:1] + python_path.split(os.pathsep) + paths[1:]
    os.environ["PYTHONPATH"] = python_path
    sys.argv[1:] = []
    plugin = Chosen(job, out)
    plugin.path = job["path"]
    files = list(dict.fromkeys(test.partition("::")[0] for test in job["tests"]))
    files = ["./" + file if file.startswith("-") else file for file in files]
    options = ["-p", "no:cacheprovider", "--rootdir=" + WORKSPACE, "--continue-on-collection-errors", "-q"]
    # Only whether a test is red is asked, not why: rewriting every assertion for each mutant would take half of the time.
    options += ["--assert=plain", "--tb=native"]
    options += extra + asked["options"]
    code = pytest.main(options + files, plugins=[plugin, Hypothesis(), LightHypothesis()])
    plugin.line(end=int(code))
    os._exit(0)

class Hypothesis:
    def pytest_collectstart(self, collector):
        if isinstance(collector, pytest.Module):
            with open(str(getattr(collector, "path", None) or collector.fspath), "rb") as source:
                if b"hypothesis" in source.read():
                    steady_hypothesis(shrink=False)

${STEADY_HYPOTHESIS}
${LIGHT_HYPOTHESIS}
def descendants():
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as children:
            return [int(one) for one in children.read().split()]
    except OSError:
        return []

def end(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        _, status, used = os.wait4(pid, 0)
        spent = used.ru_utime + used.ru_stime, os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    except OSError:
        spent = 0.0, False
    for _ in range(100):
        left = descendants()
        for one in left:
            try:
                os.kill(one, signal.SIGKILL)
                os.waitpid(one, 0)
            except OSError:
                pass
        if not left:
            break
    return spent

def write(path, content):
    with open(os.path.join(WORKSPACE, path), "wb") as file:
        file.write(content)

def run(job):
    source = originals[job["path"]]
    begun = time.monotonic()
    mine, theirs = os.pipe()
    pid = 0
    text = b""
    late = False
    try:
        write(job["path"], source[:job["from"]] + job["replacement"].encode() + source[job["to"]:])
        control(DUMPABLE, 0)
        pid = os.fork()
        if pid == 0:
            try:
                os.close(mine)
                child(job, theirs)
            finally:
                os._exit(70)
        os.close(theirs)
        while True:
            left = begun + job["timeout"] - time.monotonic()
            if left <= 0 or not select.select([mine], [], [], left)[0]:
                late = True
                break
            more = os.read(mine, 65536)
            if not more or len(text) > 4000000:
                break
            text += more
    finally:
        cpu, looped = end(pid)
        os.close(mine)
        write(job["path"], source)
    late = late or looped
    lines = []
    for line in text.split(b"\\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            lines.append(value)
    running = None
    for line in lines:
        running = line.get("start", running) if "done" not in line else None
    red = [{"id": str(line["red"]), "expected": line.get("expected") is True} for line in lines if "red" in line]
    missing = [str(test) for line in lines for test in line.get("missing", [])]
    ended = any("end" in line for line in lines)
    if not ended and not late and running is not None:
        red.append({"id": str(running), "expected": False})
    return {"red": red[:100], "missing": missing[:20], "ending": "timeout" if late else "completed" if ended else "crashed",
            "ms": (time.monotonic() - begun) * 1000, "cpuMs": cpu * 1000}

killers = {}
for job in asked["jobs"]:
    if time.monotonic() - started > asked["deadline"]:
        break
    result = run(job)
    if job["whole"]:
        controls[job["path"], tuple(job["tests"])] = result["cpuMs"] / 1000
    else:
        for one in result["red"]:
            if one["id"] in job["tests"]:
                killers.setdefault(job["path"], {})[one["id"]] = True
                if one["expected"]:
                    noticing.add(one["id"])
    say(id=job["id"], **result)
for path, tests in killers.items():
    size = len(originals[path])
    ordered = sorted(tests, key=lambda test: asked["order"].get(test, 0))
    result = run({"path": path, "from": size, "to": size, "replacement": asked["comment"], "tests": ordered,
                  "whole": True, "timeout": asked["closing"]})
    say(id="closing", **result)
say(end=True)
`;

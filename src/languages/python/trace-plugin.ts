import { MARK_LINES } from "./mark-lines.ts";

/**
 * Watches which lines of some files run, and in which test; in processes that tests start as well, there by
 * `sys.settrace`. Not coverage.py: the project's own configuration and comments could tell that one to look away, and
 * it need not be there.
 */
export const TRACE_PLUGIN = `
TRACER = r'''
import os, sys, threading

class Tracer:
    # Whoever is ended by a signal has no end in which to tell.
    def __init__(self, paths, out, test):
        self.watched = paths
        self.files = {}
        self.lines = {}
        self.test = test
        self.importing = 0
        self.out = out

    def path(self, name):
        if name not in self.files:
            self.files[name] = self.watched.get(os.path.realpath(name)) or self.watched.get(os.path.abspath(name))
        return self.files[name]

    def call(self, frame, event, arg):
        code = frame.f_code
        path = self.files.get(code.co_filename, 0)
        if path == 0:
            path = self.path(code.co_filename)
        if path is None:
            return None
        at_import = not code.co_flags & 1 and frame.f_globals.get("__name__") != "__main__"
        if at_import:
            self.importing += 1
        def local(frame, event, arg):
            if event == "line":
                test = "" if self.importing else self.test()
                lines = self.lines.setdefault((path, test), set())
                if frame.f_lineno not in lines:
                    lines.add(frame.f_lineno)
                    tell(self.out, "a", {"path": path, "test": test, "lines": [frame.f_lineno]})
            elif event == "return" and at_import:
                self.importing -= 1
            return local
        return local

    def start(self):
        threading.settrace(self.call)
        sys.settrace(self.call)

    def stop(self):
        sys.settrace(None)
        tell(self.out, "w", *told(self.lines))
'''

TELL = r'''
import os, sys

def tell(out, mode, *found):
    import json
    try:
        with open(os.path.join(out, "%d.json" % os.getpid()), mode, encoding="ascii") as file:
            file.writelines(json.dumps(one) + "\\n" for one in found)
    except OSError:
        pass

def told(known):
    ran = [{"path": path, "test": test, "lines": sorted(lines)} for (path, test), lines in known.items()]
    root = os.getcwd() + os.sep
    places = [(name, str(getattr(module, "__file__", None) or root)) for name, module in list(sys.modules.items())]
    names = [name for name, place in places if name != "__main__" and
             (not place.startswith(root) or "site-packages" in place)]
    return ran + [{"modules": sorted(names)}]
'''

CHILD = r'''
import atexit, os, sys
def current():
    return os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0]
def begin():
    import json
    tracer = Tracer(json.loads(os.environ["MIRACLE_TRACE"]), os.environ["MIRACLE_TRACE_OUT"], current)
    atexit.register(tracer.stop)
    tracer.start()
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
own = sys.modules.pop("sitecustomize")
try:
    import sitecustomize
except ImportError:
    # Python looks for the module that it has imported, and says so on stderr when it is gone.
    sys.modules["sitecustomize"] = own
begin()
'''

exec(TELL)
${MARK_LINES}
class Watch:
    def __init__(self):
        import shutil, tempfile
        self.nodeid = ""
        out = os.environ.pop("MIRACLE_TRACE_OUT")
        os.makedirs(out, exist_ok=True)
        paths = {os.path.join(os.getcwd(), path): path for path in json.loads(os.environ.pop("MIRACLE_TRACE"))}
        self.out = out
        self.marks = Marks(paths, lambda: self.nodeid)
        self.place = tempfile.mkdtemp()
        self.remove = lambda: shutil.rmtree(self.place, ignore_errors=True)
        with open(os.path.join(self.place, "sitecustomize.py"), "w") as file:
            file.write(TELL + TRACER + CHILD)
        self.before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join([self.place] + [part for part in [self.before] if part])
        os.environ["MIRACLE_TRACE_OUT"] = out
        os.environ["MIRACLE_TRACE"] = json.dumps(paths)
        self.marks.start()

    def pytest_runtest_logstart(self, nodeid, location):
        self.marks.gather()
        self.nodeid = nodeid
        self.marks.importing = 0

    def pytest_runtest_logfinish(self, nodeid, location):
        self.marks.gather()
        self.nodeid = ""

    def pytest_unconfigure(self, config):
        self.marks.gather()
        tell(self.out, "w", *told(self.marks.lines))
        self.remove()

# Only one can watch at a time.
import importlib.util
if importlib.util.find_spec("pytest_cov"):
    sys.argv.append("--no-cov")
watch = Watch()
`;

/** Runs the tests in an order that the seed decides. */
export const SHUFFLE_PLUGIN = `
class Shuffle:
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        import random
        random.Random(int(os.environ["MIRACLE_ORDER_SEED"])).shuffle(items)
`;

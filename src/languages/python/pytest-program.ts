/** Defines a profile of Hypothesis that gives the same examples every time; with a seed, others. */
export const STEADY_HYPOTHESIS = `
def steady_hypothesis(**more):
    try:
        from hypothesis import HealthCheck, Phase, settings
    except ImportError:
        return
    default = settings.default
    calm = list(default.suppress_health_check) + [HealthCheck.too_slow]
    seed = os.environ.get("MIRACLE_SEED")
    if seed is not None:
        import hypothesis.core
        hypothesis.core.global_force_seed = int(seed)
    if more.pop("shrink", "MIRACLE_MEANT_TO_FAIL" not in os.environ) is False:
        more["phases"] = [Phase.explicit, Phase.generate]
    settings.register_profile("miracle", parent=default, derandomize=seed is None, database=None, deadline=None,
                              print_blob=False, suppress_health_check=calm, **more)
    settings.load_profile("miracle")
`;

/**
 * Hypothesis' plugin imports all of it for the last lines of every run, and pytest compiles each of its files anew where nothing
 * may be written beside them: three quarters of the time of a short run. Assertions inside of it need no better messages.
 */
export const LIGHT_HYPOTHESIS = `
class LightHypothesis:
    def pytest_configure(self, config):
        rewritten = getattr(getattr(config.pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
        if isinstance(rewritten, set):
            rewritten -= {name for name in rewritten if name.partition(".")[0] == "hypothesis"}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        if "hypothesis" not in sys.modules:
            session.config.pluginmanager.unregister(name="hypothesispytest")
`;

/**
 * Starts pytest with a plugin of ours inside the sandbox: exact test ids, a line for each moment of the run, and a profile of
 * Hypothesis that gives the same examples every time and forgets them. Handed to `python -c`, so nothing is added to the
 * project or mounted beside it. A module that never mentions Hypothesis does not pay for its import. What pytest loads stays
 * until the end, so nobody looks through it for garbage: a sixth of the time of a short run.
 */
export const PYTEST_PROGRAM = pytestProgram("", "");

/** The same with more of ours: `source` defines the plugins that the list names, each followed by a comma. */
export function pytestProgram(source: string, plugins: string): string {
  return `
import gc
gc.disable()
import json, os, sys
import pytest
gc.freeze()
gc.enable()

class Report:
    def __init__(self, path):
        self.out = open(path, "w", encoding="ascii")
        self.phases = {}

    def line(self, **values):
        self.out.write(json.dumps(values) + "\\n")
        self.out.flush()

    def split(self, nodeid):
        file, _, name = nodeid.partition("::")
        return {"file": file, "name": name}

    def pytest_runtest_logstart(self, nodeid, location):
        self.line(type="start", **self.split(nodeid))

    def pytest_runtest_logreport(self, report):
        outcome, messages, seconds = self.phases.pop(report.nodeid, ("passed", [], 0))
        seconds += report.duration
        if report.failed:
            outcome = "failed" if report.when == "call" and outcome != "error" else "error"
            messages = messages + [str(report.longreprtext)]
        elif report.skipped and outcome == "passed":
            outcome = "xfailed" if hasattr(report, "wasxfail") else "skipped"
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "")
            messages = messages + [str(reason)]
        if report.when == "teardown":
            self.test(report.nodeid, outcome, seconds, messages)
        else:
            self.phases[report.nodeid] = (outcome, messages, seconds)

    def pytest_collectreport(self, report):
        if report.failed:
            self.test(report.nodeid + "::collection", "error", 0, [str(report.longreprtext)])
        elif report.skipped:
            self.test(report.nodeid + "::collection", "skipped", 0, [str(report.longrepr)])

    def test(self, nodeid, outcome, seconds, messages):
        text = "\\n".join(messages)
        if len(text) > 8000:
            text = text[:2000] + "\\n[...]\\n" + text[-6000:]
        self.line(type="test", outcome=outcome, ms=seconds * 1000, message=text, **self.split(nodeid))

    def pytest_collectstart(self, collector):
        if not isinstance(collector, pytest.Module):
            return
        with open(str(getattr(collector, "path", None) or collector.fspath), "rb") as source:
            if b"hypothesis" in source.read():
                steady_hypothesis()

${STEADY_HYPOTHESIS}
${LIGHT_HYPOTHESIS}
${source}
report = Report(os.environ.pop("MIRACLE_REPORT"))
asked_for = [path for path in json.loads(os.environ.pop("MIRACLE_PLACES", "[]")) if os.path.exists(path)]
code = pytest.main(sys.argv[1:] + asked_for, plugins=[${plugins}LightHypothesis(), report])
report.line(type="end")
report.out.close()
try:
    os.rmdir(".benchmarks")  # pytest-benchmark makes it whether or not anything is measured
except OSError:
    pass
sys.exit(code)
`;
}

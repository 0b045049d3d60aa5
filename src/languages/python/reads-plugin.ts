/**
 * Tells which file of the workspace opens which other, importing included: by Python's audit events, which no code can
 * switch off. Who opens is the innermost frame that belongs to the workspace; the runner itself counts for nobody.
 */
export const READS_PLUGIN = `
class Reads:
    def __init__(self):
        self.out = os.environ["MIRACLE_TRACE_OUT"]
        self.root = os.getcwd() + os.sep
        self.pairs = set()
        self.on = True
        sys.addaudithook(self.event)

    def inside(self, name):
        if not isinstance(name, str):
            return None
        path = os.path.normpath(name if os.path.isabs(name) else os.path.join(self.root, name))
        if not path.startswith(self.root) or "site-packages" in path:
            return None
        return path[len(self.root):]

    def event(self, event, args):
        if event != "open" or not self.on or len(self.pairs) > 20000:
            return
        try:
            name, mode = args[0], args[1]
            if isinstance(name, bytes):
                name = os.fsdecode(name)
            path = self.inside(os.fspath(name) if hasattr(name, "__fspath__") else name)
            if path is None or (isinstance(mode, str) and mode[:1] in "wxa"):
                return
            frame = sys._getframe(1)
            while frame is not None:
                reader = self.inside(frame.f_code.co_filename) if frame.f_code.co_filename[:1] == "/" else None
                if reader is not None:
                    if reader != path:
                        self.pairs.add((reader, path))
                    return
                frame = frame.f_back
        except Exception:
            pass

    def pytest_unconfigure(self, config):
        self.on = False
        try:
            os.makedirs(self.out, exist_ok=True)
            with open(os.path.join(self.out, "reads.json"), "w", encoding="ascii") as out:
                out.write(json.dumps({"reads": sorted(self.pairs)}) + "\\n")
        except OSError:
            pass

reads = Reads()
`;

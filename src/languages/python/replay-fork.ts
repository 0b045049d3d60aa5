/**
 * Runs calls in forks of a process: whatever they do to its memory, nobody else meets it. `MEMORY` is what a fork may
 * take, `LEFT_BEHIND` are files that it must not write to.
 */
export const FORK = `
import resource, select, signal, time

MEMORY, LEFT_BEHIND = resource.RLIM_INFINITY, []

# A fork reads on in the very files of its parent.
def open_files():
    found = []
    place = "/proc/self/fd/" if os.path.isdir("/proc/self/fd") else "/dev/fd/"
    for name in os.listdir(place) if os.path.isdir(place) else []:
        try:
            if os.path.isfile(place + name):
                found.append((int(name), os.lseek(int(name), 0, os.SEEK_CUR)))
        except OSError:
            pass
    return found

# How often to look at a fork that says nothing, and how long one may wait for what never comes.
LOOK, WAIT = 0.25, 2

class Idle:
    def __init__(self, pid):
        self.pid, self.since, self.used, self.quiet = pid, time.monotonic(), None, time.monotonic()

    def told(self):
        self.since = self.quiet = time.monotonic()

    # It said nothing for so many seconds, or it only waits.
    def for_long(self, seconds):
        now, state = time.monotonic(), self.state()
        if state is None or state[0] != "S" or state != self.used:
            self.quiet = now
        self.used = state
        return now - self.since > seconds or now - self.quiet > WAIT

    # What it does, and the time of the processor that it used so far; None: nobody can tell.
    def state(self):
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return fields[0], fields[11], fields[12]
        except (OSError, IndexError):
            return None

# Runs work in a fork. Gives the lines it wrote, and whether it came to its end; None: it said nothing for too long.
def forked(work, seconds):
    offsets = open_files()
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(mine)
            os.setsid()
            for one in LEFT_BEHIND:
                one.close()
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            def line(**values):
                text = (json.dumps(values) + "\\n").encode()
                while text:
                    text = text[os.write(theirs, text):]
            work(line)
            line(end=True)
        finally:
            os._exit(0)
    os.close(theirs)
    text, ended, idle = [], True, Idle(pid)
    while True:
        if not select.select([mine], [], [], LOOK)[0]:
            if idle.for_long(seconds):
                ended = None
                break
            continue
        idle.told()
        more = os.read(mine, 65536)
        if not more or len(text) > 20000:
            break
        text.append(more)
    os.close(mine)
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except OSError:
            pass
    os.waitpid(pid, 0)
    for descriptor, offset in offsets:
        os.lseek(descriptor, offset, os.SEEK_SET)
    lines = []
    for one in b"".join(text).split(b"\\n"):
        try:
            lines.append(json.loads(one))
        except ValueError:
            continue
    done = bool(lines) and lines[-1] == {"end": True}
    return (ended and done) if ended else None, lines[:-1] if done else lines

def too_late(*_):
    raise Late()

# By the time of the processor: a busy machine makes nobody hang. Who waits is ended from outside.
def limited(patience, make):
    signal.signal(signal.SIGPROF, too_late)
    signal.setitimer(signal.ITIMER_PROF, patience)
    try:
        return make()
    except Late:
        return {"kind": "hang", "parts": {}}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
`;

import { expect } from "vitest";
import { type Attack, python, shell } from "./attack.ts";

/** Other processes, and not dying. Beside the sandbox runs a victim of the same user; it must not notice. */
export const processes: Attack[] = [
  {
    name: "reads the environment of every process",
    argv: python(`
tried()
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ["environ", "cmdline", "stack", "auxv"]:
        try: print(open("/proc/%s/%s" % (pid, name), "rb").read())
        except OSError as error: print(error)`),
  },
  {
    name: "finds processes of the host",
    argv: python(`
tried()
for pid in [HOST_PID, VICTIM]:
    for path in ["status", "root/etc/passwd", "cwd", "fd", "environ", "mem", "ns/mnt"]:
        if pid > 20: refused("/proc/%d/%s" % (pid, path), lambda: os.stat("/proc/%d/%s" % (pid, path)))
if len([p for p in os.listdir("/proc") if p.isdigit()]) > 6: escaped("sees " + str(os.listdir("/proc")))`),
  },
  {
    name: "traces the first process and its own child",
    argv: python(`
refused("attach", lambda: call("ptrace", 16, 1, 0, 0))
refused("seize", lambda: call("ptrace", 0x4206, 1, 0, 0))
refused("traceme", lambda: in_child(lambda: call("ptrace", 0, 0, 0, 0)))`),
  },
  {
    name: "reads and writes the memory of other processes",
    argv: python(`
class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
room = ctypes.create_string_buffer(64)
start = int([line for line in open("/proc/self/maps")][0].split("-")[0], 16)
mine, other = Vector(ctypes.addressof(room), 64), Vector(start, 64)
for name in ["process_vm_readv", "process_vm_writev"]:
    for pid in [1, os.getpid()]: refused(name, lambda: call(name, pid, ctypes.byref(mine), 1, ctypes.byref(other), 1, 0))`),
  },
  {
    name: "takes a descriptor out of the first process",
    argv: python(`
def take():
    process = os.pidfd_open(1)
    return call("pidfd_getfd", process, 1, 0)
refused("pidfd_getfd", take)`),
  },
  {
    name: "kills every process it can see",
    argv: python(`
tried()
try: os.kill(-1, signal.SIGKILL)
except ProcessLookupError: print("there is nobody")`),
  },
  {
    name: "kills processes of the host by their ids",
    argv: python(`
for pid in [HOST_PID, VICTIM, os.getppid() or 2, -HOST_PID, -VICTIM]:
    if abs(pid) > 20: refused(str(pid), lambda: os.kill(pid, signal.SIGKILL))
tried()
for pid in range(2, 32768):
    if pid != os.getpid():
        try: os.kill(pid, signal.SIGKILL)
        except OSError: pass`),
  },
  {
    name: "stops its parents and everything else, for ever",
    limits: { timeoutMs: 700 },
    argv: python(`
tried()
for pid in [1, os.getppid(), -1]:
    try: os.kill(pid, signal.SIGSTOP)
    except OSError as error: print(error)
while True: os.kill(os.getpid(), signal.SIGSTOP)`),
    check: ({ ending }) => expect(ending).toBe("timeout"),
  },
  {
    name: "ignores every signal until its time is over",
    limits: { timeoutMs: 700 },
    argv: python(`
for number_ in range(1, 65):
    try: signal.signal(number_, signal.SIG_IGN)
    except (OSError, ValueError): pass
tried()
while True: time.sleep(1)`),
    check: ({ ending }) => expect(ending).toBe("timeout"),
  },
  {
    name: "becomes a daemon and goes on writing",
    argv: python(`
tried()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(0, 64):
            try: os.close(descriptor)
            except OSError: pass
        for number_ in range(1, 65):
            try: signal.signal(number_, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True:
            try: write("/workspace/heartbeat", str(time.time()))
            except OSError: pass
            time.sleep(0.01)
    os._exit(0)
time.sleep(0.1)`),
  },
  {
    name: "takes over the namespace's first process, so that it outlives its guard",
    limits: { timeoutMs: 1_200 },
    argv: python(`
tried()
if os.uname().machine != "x86_64": sys.exit(0)
# prctl(PR_SET_PDEATHSIG, 0), then pause() for ever: written over the place where the process waits.
code = bytes.fromhex("b89d000000bf0100000031f60f05b8220000000f05ebf7")
try:
    place = int(open("/proc/1/syscall").read().split()[-1], 16)
    with open("/proc/1/mem", "r+b", buffering=0) as memory:
        memory.seek(place); memory.write(code)
    print("taken over", flush=True)
except (OSError, ValueError) as error: print(error)
if os.fork() == 0: os._exit(0)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
os._exit(0)`),
  },
  {
    name: "forks without end",
    limits: { timeoutMs: 1_500 },
    argv: shell("echo tried; bomb() { bomb | bomb & }; bomb; sleep 600"),
  },
  {
    name: "starts threads without end",
    limits: { timeoutMs: 3_000 },
    argv: python(`
tried()
threading.stack_size(64 * 1024)
try:
    while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except RuntimeError: print(threading.active_count(), "threads")
if threading.active_count() > 200: escaped("threads")
os._exit(0)`),
  },
  {
    name: "leaves zombies without end",
    limits: { timeoutMs: 3_000 },
    argv: python(`
tried()
count = 0
try:
    while count < 5000:
        if os.fork() == 0: os._exit(0)
        count += 1
except OSError as error: print(count, error)
if count > 200: escaped("zombies")`),
  },
  {
    name: "flees from the kill by forking faster",
    limits: { timeoutMs: 700 },
    argv: python(`
tried()
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        while True:
            try:
                if os.fork() != 0: os._exit(0)
            except OSError: pass
time.sleep(600)`),
    check: ({ ending }) => expect(["timeout", "process-limit"]).toContain(ending),
  },
  {
    name: "holds itself in vfork",
    limits: { timeoutMs: 700 },
    argv: python(`
tried()
def hold(): libc.vfork(); time.sleep(600)
for _ in range(8): threading.Thread(target=hold, daemon=True).start()
time.sleep(600)`),
    check: ({ ending }) => expect(ending).toBe("timeout"),
  },
  {
    name: "ends its own session's leader and goes on in the background",
    argv: shell("echo tried; (setsid setsid sleep 600 </dev/null >/dev/null 2>&1 &); (nohup sleep 600 &) ; kill -9 $$"),
  },
  {
    name: "raises its own limits",
    argv: python(`
import resource
for kind in [resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE]:
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY: tried(); escaped("no limit of kind %d" % kind)
    else: refused("limit %d" % kind, lambda: resource.setrlimit(kind, (hard + 1, hard + 1)))
refused("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
refused("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))`),
  },
];

import { expect } from "vitest";
import { type Attack, python, shell } from "./attack.ts";

/** The way commands are started and their results come back: descriptors, status, standard streams, what is reused. */
export const guard: Attack[] = [
  {
    name: "finds descriptors that were left open",
    argv: python(`
tried()
for name in sorted(os.listdir("/proc/self/fd"), key=int):
    try: target = os.readlink("/proc/self/fd/" + name)
    except OSError: continue
    if int(name) > 2 and target != "/dev/null" and not target.startswith("/proc/"): escaped(name + " " + target)
    if "/" in target and not target.startswith(("/proc/", "/dev/", "/workspace")) and not target.endswith("(deleted)"): escaped(name + " " + target)`),
  },
  {
    name: "uses the descriptors of the first process to forge its result",
    argv: python(`
tried()
for pid in ["1", str(os.getppid()), "self"]:
    try: names = os.listdir("/proc/%s/fd" % pid)
    except OSError as error: print(error); continue
    for name in names:
        path = "/proc/%s/fd/%s" % (pid, name)
        if int(name) <= 2: continue
        for flags in [os.O_WRONLY | os.O_NONBLOCK, os.O_RDWR | os.O_NONBLOCK]:
            try: os.write(os.open(path, flags), b'{ "child-pid": 1 }\\n{ "exit-code": 0 }\\n' + bytes(8))
            except OSError as error: print(path, error)
os._exit(3)`),
    check: ({ ending, exitCode }) => expect([ending, exitCode]).toEqual(["exited", 3]),
  },
  {
    name: "prints what its guard prints when it fails",
    argv: python(`
tried()
for text in ['{ "child-pid": 1 }', '{ "exit-code": 0 }', "bwrap: Unknown option --disable-userns", "bwrap: Unknown option --seccomp", "bwrap: Unknown option --size", "bwrap: execvp python3: No such file or directory", "bwrap: Failed to make / slave: Permission denied", "docker: Error response from daemon"]:
    print(text, flush=True); print(text, file=sys.stderr, flush=True)
os._exit(9)`),
    check: ({ ending, exitCode }) => expect([ending, exitCode]).toEqual(["exited", 9]),
  },
  {
    name: "prints the same, and is killed before it can exit",
    argv: shell("echo tried; echo 'bwrap: Unknown option --disable-userns' >&2; kill -9 $$"),
    check: ({ ending, signal }) => expect([ending, signal]).toEqual(["exited", "SIGKILL"]),
  },
  {
    name: "looks for protection that an earlier attack could have talked away",
    argv: python(`
refused("user namespace", lambda: in_child(lambda: call("unshare", 0x10000000)))
refused("trace", lambda: call("ptrace", 16, 1, 0, 0))
written = 0
try:
    for index in range(300):
        with open("/tmp/%d" % index, "wb") as file: written += file.write(b"x" * (1 << 20))
except OSError: pass
if written > 250 << 20: escaped("/tmp has no size")`),
  },
  {
    name: "exits with codes that the launcher uses itself",
    argv: shell("echo tried; echo 'could not join' >&2; exit 97"),
    check: ({ ending, exitCode }) => expect([ending, exitCode]).toEqual(["exited", 97]),
  },
  {
    name: "reads the launcher's order from standard input",
    stdin: "one\ntwo\n",
    argv: python(`
tried()
text = sys.stdin.buffer.read()
if text != b"one\\ntwo\\n": escaped(repr(text))
for number_ in range(3, 20):
    try: escaped(repr(os.pread(number_, 100, 0)) or "empty")
    except OSError: pass`),
  },
  {
    name: "writes back into its standard input",
    stdin: "given",
    limits: { timeoutMs: 1_500 },
    argv: python(`
tried()
import array
try:
    end = socket.socket(fileno=os.dup(0))
    end.setblocking(False)
    end.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open("/workspace", os.O_RDONLY), 1]))])
    while True: end.send(b'{ "exit-code": 0 }\\n' * 1000)
except OSError as error: print(error)
os._exit(4)`),
    check: ({ exitCode }) => expect(exitCode).toBe(4),
  },
  {
    name: "keeps its output open after its end",
    argv: python(`
tried()
if os.fork() == 0:
    os.setsid()
    while True:
        try: os.write(1, b"."); time.sleep(0.01)
        except OSError: pass
os._exit(5)`),
    check: ({ exitCode }) => expect(exitCode).toBe(5),
  },
  {
    name: "steals from, blocks and reopens its own output",
    argv: python(`
import fcntl
for name in ["stdout", "stderr"]:
    try:
        again = os.open("/dev/" + name, os.O_WRONLY); os.write(again, b"tried\\n")
    except OSError as error: escaped("/dev/%s cannot be opened: %s" % (name, error))
    try:
        thief = os.open("/dev/" + name, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(thief, 1031, 1 << 20)
        os.fchmod(thief, 0)
        fcntl.flock(thief, fcntl.LOCK_EX)
    except OSError as error: print(error)
os._exit(6)`),
    check: ({ exitCode }) => expect(exitCode).toBe(6),
  },
  {
    name: "changes the device behind its empty input",
    argv: python(`
for attempt in [lambda: os.fchmod(0, 0), lambda: os.fchown(0, os.getuid(), os.getgid()), lambda: os.chmod("/dev/null", 0), lambda: os.unlink("/dev/null"), lambda: os.utime("/dev/null", (0, 0)), lambda: os.setxattr("/dev/null", "user.x", b"x")]:
    refused("/dev/null", attempt)`),
  },
  {
    name: "looks for secrets in its environment and files",
    argv: shell(
      "echo tried; env; cat /proc/self/environ; cat /root/.ssh/* /home/*/.ssh/* /root/.env /etc/shadow /run/secrets/* /var/run/secrets/*; cat $ATTACK_OUTSIDE/canary; grep -r not-for-the-sandbox /tmp /etc /opt /run /home /root /var/tmp; true",
    ),
  },
  {
    name: "preloads a library into what is started next",
    argv: shell(
      "echo tried; echo /workspace/evil.so > /etc/ld.so.preload; for f in ~/.bashrc ~/.profile ~/.config/x /etc/profile /etc/environment; do echo 'echo ESCAPED' >> $f; done; true",
    ),
  },
];

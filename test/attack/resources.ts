import { expect } from "vitest";
import { printable } from "../../src/cli/text/printable.ts";
import { type Attack, python, shell } from "./attack.ts";

/** Using up what belongs to all: memory, disk, files, output, time. */
export const resources: Attack[] = [
  {
    name: "takes all memory",
    argv: python(`
tried()
blocks = []
try:
    while len(blocks) < 64: blocks.append(bytearray(b"x") * (32 << 20))
    escaped("2 GB of memory")
except MemoryError: print("no more")`),
    check: ({ ending, exitCode }, field) => {
      if (field.groups) expect(ending).toBe("memory-limit");
      else expect([ending, exitCode]).toEqual(["exited", 0]);
    },
  },
  {
    name: "takes memory that cannot be swapped, and shared memory",
    argv: python(`
import mmap
tried()
try:
    room = mmap.mmap(-1, 2 << 30, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    if libc.mlock(ctypes.addressof(ctypes.c_char.from_buffer(room)), ctypes.c_size_t(2 << 30)) == 0: escaped("2 GB locked")
except (OSError, ValueError) as error: print(error)`),
  },
  {
    name: "fills /tmp and /dev/shm with content",
    argv: python(`
tried()
for place in ["/tmp", "/dev/shm"]:
    written = 0
    try:
        for index in range(400):
            with open("%s/%s-%d" % (place, TOKEN, index), "wb") as file: written += file.write(b"x" * (1 << 20))
    except OSError as error: print(place, error)
    if written > 300 << 20: escaped(place)`),
  },
  {
    name: "fills /tmp with empty files",
    limits: { timeoutMs: 4_000, diskMb: 4 },
    argv: python(`
tried()
index = 0
try:
    while True:
        os.close(os.open("/tmp/%d" % index, os.O_CREAT | os.O_WRONLY)); index += 1
except OSError as error: print(index, error)
if index > 400000: escaped("%d files" % index)`),
    check: ({ ending }) => expect(ending).not.toBe("timeout"),
  },
  {
    name: "writes into memory where bubblewrap or Docker keep their own",
    argv: python(`
for place in ["/", "/dev", "/run", "/etc", "/opt", "/mnt", "/var", "/home", "/srv", "/proc", "/sys"]:
    if os.path.isdir(place) : refused(place, lambda: write(place + "/" + TOKEN))`),
  },
  {
    name: "fills the disk with one file",
    limits: { diskMb: 8 },
    argv: shell("echo tried; exec head -c 200000000 /dev/zero > large"),
    check: ({ ending }) => expect(ending).toBe("disk-limit"),
  },
  {
    name: "fills the disk with many files",
    limits: { diskMb: 8, timeoutMs: 4_000 },
    argv: shell("echo tried; for i in $(seq 200); do head -c 4000000 /dev/urandom > file$i; done; sleep 600"),
    check: ({ ending }) => expect(ending).toBe("disk-limit"),
  },
  {
    name: "fills the disk with files that have no name",
    limits: { diskMb: 8, timeoutMs: 4_000 },
    argv: python(`
tried()
held = []
for index in range(100):
    file = os.open("/workspace/hidden-%d" % index, os.O_CREAT | os.O_RDWR); os.unlink("/workspace/hidden-%d" % index)
    os.write(file, os.urandom(1 << 20) * 4); held.append(file); time.sleep(0.01)
time.sleep(600)`),
    check: ({ ending }) => expect(ending).toBe("disk-limit"),
  },
  {
    name: "fills the disk with files that are only mapped, and have neither a name nor an opening",
    limits: { diskMb: 8, timeoutMs: 6_000 },
    argv: python(`
import mmap
tried()
held = []
for index in range(40):
    file = os.open("/workspace", os.O_TMPFILE | os.O_RDWR, 0o600)
    os.write(file, os.urandom(1 << 20) * 4); held.append(mmap.mmap(file, 4096)); os.close(file); time.sleep(0.01)
time.sleep(600)`),
    check: ({ ending }) => expect(ending).toBe("disk-limit"),
  },
  {
    name: "fills the disk with empty files and directories",
    limits: { diskMb: 1, timeoutMs: 6_000 },
    argv: python(`
tried()
for index in range(20000):
    if index % 2: os.mkdir("/workspace/%d" % index)
    else: os.close(os.open("/workspace/%d" % index, os.O_CREAT | os.O_WRONLY))
    if index % 100 == 0: time.sleep(0.01)
time.sleep(600)`),
    check: ({ ending }) => expect(ending).toBe("disk-limit"),
  },
  {
    name: "makes a file of a terabyte without content",
    argv: python(`
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
refused("truncate", lambda: os.ftruncate(os.open("/workspace/sparse", os.O_CREAT | os.O_RDWR), 1 << 40))
refused("allocate", lambda: os.posix_fallocate(os.open("/workspace/sparse", os.O_RDWR), 0, 1 << 40))
def far():
    file = os.open("/workspace/far", os.O_CREAT | os.O_RDWR); os.lseek(file, 1 << 40, 0); os.write(file, b"x")
refused("far write", far)`),
  },
  {
    name: "prints without end and without a line",
    limits: { timeoutMs: 1_000 },
    argv: python(`
tried()
block = b"A" * 65536
while True: os.write(1, block)`),
    check: ({ ending, truncated }) => expect([ending, truncated]).toEqual(["timeout", true]),
  },
  {
    name: "prints bytes that are no text to both streams",
    limits: { timeoutMs: 1_000 },
    argv: python(`
tried()
block = bytes(range(256)) * 256
while True: os.write(2, block); os.write(1, block)`),
    check: ({ ending, stdout, stderr }) => {
      expect(ending).toBe("timeout");
      for (const text of [stdout, stderr]) expect(text.isWellFormed()).toBe(true);
    },
  },
  {
    name: "sends commands to the terminal that shows its output",
    argv: python(`
tried()
for text in ["\\033]0;captured\\007", "\\033]52;c;Y2FwdHVyZWQ=\\007", "\\033P$q\\033\\\\", "\\033[5n", "\\033c", "\\033[2J", "\\x9b31m", "\\r\\033[1A", "\\b\\b\\b", "\\u202e", "\\x9d0;x\\x9c"]:
    sys.stdout.write(text + "\\n"); sys.stderr.write(text + "\\n")`),
    check: ({ stdout, stderr }) => {
      expect(stdout).toContain("\u001b");
      for (const text of [stdout, stderr]) {
        expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }
    },
  },
  {
    name: "keeps every core busy",
    limits: { timeoutMs: 800 },
    argv: python(`
tried()
for _ in range(7):
    if os.fork() == 0: break
while True: pass`),
    check: ({ ending }) => expect(ending).toBe("timeout"),
  },
  {
    name: "uses up descriptors, pipes, watches and terminals",
    argv: python(`
tried()
held = []
for make in [lambda: os.open("/dev/ptmx", os.O_RDWR), lambda: libc.inotify_init1(0), lambda: os.pipe(), lambda: os.eventfd(0) if hasattr(os, "eventfd") else os.pipe(), lambda: socket.socket(), lambda: os.memfd_create("x") if hasattr(os, "memfd_create") else 0]:
    for _ in range(3000):
        try:
            answer = make()
            if answer == -1: break
            held.append(answer)
        except OSError: break
print(len(held))
if len(held) > 20000: escaped("descriptors")`),
  },
  {
    name: "dumps its memory where the host looks",
    argv: python(`
import resource
tried()
try: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))
except ValueError as error: print(error)
os.chdir("/workspace")
if os.fork() == 0: os.abort()
os.wait()
if any("core" in name for name in os.listdir("/workspace")): escaped("core file")`),
  },
  {
    name: "leaves System V memory, queues and semaphores behind",
    argv: python(`
tried()
for make in [lambda: libc.shmget(0x6d697261, 4096, 0o1666), lambda: libc.msgget(0x6d697261, 0o1666), lambda: libc.semget(0x6d697261, 1, 0o1666)]: print(make())`),
  },
  {
    name: "leaves POSIX queues and shared memory behind",
    argv: python(`
tried()
rt = ctypes.CDLL("librt.so.1", use_errno=True)
print(rt.mq_open(("/" + TOKEN).encode(), os.O_CREAT | os.O_RDWR, 0o666, None))
print(write("/dev/shm/" + TOKEN))`),
  },
  {
    name: "holds locks on files of the host",
    argv: python(`
import fcntl
tried()
fcntl.flock(os.open("/opt/mounted/canary", os.O_RDONLY), fcntl.LOCK_EX)
if os.fork() == 0:
    os.setsid(); time.sleep(600)`),
    check: (_, field) => field.lockCanary(),
  },
];

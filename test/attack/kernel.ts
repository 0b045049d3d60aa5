import { type Attack, python, shell } from "./attack.ts";

/** Doors of the kernel: rights, rare system calls, devices, /proc and /sys. */
export const kernel: Attack[] = [
  {
    name: "stores keys in the kernel",
    argv: python(`
for ring in [-1, -2, -3, -4, -5]: refused("add", lambda: call("add_key", b"user", TOKEN.encode(), b"secret", 6, ring))
for operation in [0, 1, 5, 10, 11]: refused("keyctl %d" % operation, lambda: call("keyctl", operation, -3, 0, 0, 0))
refused("request", lambda: call("request_key", b"user", b"x", None, -3))`),
  },
  {
    name: "sets up io_uring",
    argv: python(`
refused("setup", lambda: call("io_uring_setup", 8, ctypes.create_string_buffer(120)))
refused("enter", lambda: call("io_uring_enter", 0, 1, 0, 0, None, 0))
refused("register", lambda: call("io_uring_register", -1, 0, None, 0))`),
  },
  {
    name: "loads a program into the kernel",
    argv: python(`
for operation in [0, 5, 9, 11, 17, 18]: refused("bpf %d" % operation, lambda: call("bpf", operation, ctypes.create_string_buffer(128), 128))`),
  },
  {
    name: "measures the machine with perf",
    argv: python(`
refused("perf", lambda: call("perf_event_open", ctypes.create_string_buffer(struct.pack("=IIQ", 1, 128, 0) + bytes(112)), 0, -1, -1, 0))`),
  },
  {
    name: "handles its own page faults",
    argv: python(`
for flags in [0, 1, 0o2000000]: refused("userfaultfd", lambda: call("userfaultfd", flags))
refused("device", lambda: os.open("/dev/userfaultfd", os.O_RDWR))`),
  },
  {
    name: "becomes a program of another system",
    argv: python(`
for value in [0x0400000, 0x0008, 0x0100000, 0x20000, 0x10000]: refused("personality %x" % value, lambda: call("personality", value))`),
  },
  {
    name: "calls the kernel as a 32-bit program",
    argv: python(`
import mmap
tried()
if os.uname().machine == "x86_64":
    # getpid by int 0x80, whose number is another call of the 64-bit interface; then the x32 getpid.
    for name, code in [("i386", "b814000000cd80c3"), ("x32", "b8270000400f05c3")]:
        def enter():
            room = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            room.write(bytes.fromhex(code))
            answer = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(room)))()
            if answer < 0: raise OSError(-answer, "answered")
            os._exit(7)
        pid = os.fork()
        if pid == 0:
            try: enter()
            except OSError: os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7: escaped(name)`),
  },
  {
    name: "uses system calls that nobody has judged yet",
    argv: python(
      `for value in [467, 468, 469, 470, 500, 1000, 65536]: refused(str(value), lambda: number(value, 0, 0, 0, 0, 0, 0))`,
    ),
  },
  {
    name: "loads a module, another kernel, or restarts",
    argv: python(`
refused("init_module", lambda: call("init_module", bytes(64), 64, b""))
refused("finit_module", lambda: call("finit_module", 0, b"", 0))
refused("delete_module", lambda: call("delete_module", b"nothing", 0o4000))
refused("kexec_load", lambda: call("kexec_load", 0, 0, None, 0))
refused("kexec_file_load", lambda: call("kexec_file_load", -1, -1, 0, None, 0))
# With wrong magic numbers: what is asked is whether the call is there.
refused("reboot", lambda: call("reboot", 1, 2, 3, None))
refused("swapon", lambda: call("swapon", b"/workspace/swap", 0))
refused("acct", lambda: call("acct", b"/workspace/accounting"))
refused("quotactl", lambda: call("quotactl", 0x80000100, None, 0, None))`),
  },
  {
    name: "sets the clock",
    argv: python(`
refused("settimeofday", lambda: call("settimeofday", struct.pack("=qq", 1000000000, 0), None))
refused("clock_settime", lambda: call("clock_settime", 0, struct.pack("=qq", 1000000000, 0)))
refused("clock_adjtime", lambda: call("clock_adjtime", 0, ctypes.create_string_buffer(struct.pack("=Ixxxxqqq", 0x4001, 10, 10, 10) + bytes(256))))
refused("adjtimex", lambda: call("adjtimex", ctypes.create_string_buffer(struct.pack("=Ixxxxqqq", 0x4001, 10, 10, 10) + bytes(256))))
refused("device", lambda: os.open("/dev/rtc0", os.O_RDONLY))`),
  },
  {
    name: "names the machine anew",
    argv: python(`
refused("sethostname", lambda: call("sethostname", b"captured", 8))
refused("setdomainname", lambda: call("setdomainname", b"captured", 8))
refused("/proc", lambda: write("/proc/sys/kernel/hostname", "captured"))`),
  },
  {
    name: "reads the kernel's log and memory",
    argv: python(`
refused("syslog", lambda: call("syslog", 3, ctypes.create_string_buffer(4096), 4096))
for path in ["/dev/kmsg", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/proc/kmsg", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/kvm", "/dev/cpu/0/msr", "/dev/tty1", "/dev/console0", "/dev/loop-control", "/dev/mapper/control", "/dev/dri/card0", "/dev/input/event0"]:
    refused(path, lambda: os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 1) or 1/1)`),
  },
  {
    name: "writes to /proc/sys and the magic key",
    argv: python(`
for path in ["sysrq-trigger", "sys/kernel/core_pattern", "sys/kernel/modprobe", "sys/vm/overcommit_memory", "sys/kernel/randomize_va_space", "sys/fs/binfmt_misc/register", "sys/kernel/sysrq", "sys/vm/drop_caches", "sys/net/ipv4/ip_forward", "sys/kernel/ns_last_pid", "sys/fs/suid_dumpable", "irq/0/smp_affinity", "self/uid_map", "self/setgroups"]:
    refused(path, lambda: write("/proc/" + path, "1"))
refused("oom", lambda: write("/proc/self/oom_score_adj", "-1000"))`),
  },
  {
    name: "writes to /sys",
    argv: python(`
tried()
found = [os.path.join(where, name) for where, _, names in os.walk("/sys") for name in names][:20000]
for path in found:
    if os.access(path, os.W_OK): escaped(path)
for path in ["/sys/kernel/uevent_helper", "/sys/power/state", "/sys/fs/cgroup/cgroup.procs", "/sys/kernel/debug/x"]: refused(path, lambda: write(path, "x"))`),
  },
  {
    name: "leaves its control group",
    argv: python(`
tried()
for line in open("/proc/self/mounts"):
    where, kind = line.split()[1:3]
    if kind.startswith("cgroup"):
        for name in ["cgroup.procs", "tasks", "release_agent", "notify_on_release", "memory.max", "pids.max", "cgroup.subtree_control"]:
            for path in [where + "/" + name, where + "/../" + name, where + "/../../" + name]: refused(path, lambda: write(path, "0"))
        refused("new group", lambda: os.mkdir(where + "/" + TOKEN))
for kind in [b"cgroup", b"cgroup2"]: refused("mount", lambda: call("mount", b"none", b"/tmp", kind, 0, b"memory" if kind == b"cgroup" else None))`),
  },
  {
    name: "gains rights through programs that change the user",
    argv: shell(`echo tried
for p in /usr/bin/su /usr/bin/sudo /usr/bin/mount /usr/bin/passwd /usr/bin/newgrp /usr/bin/chsh /usr/bin/pkexec /usr/bin/ping; do
  [ -u $p ] && $p --version </dev/null >/dev/null 2>&1
done
python3 -c 'import os
for attempt in [lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgid(0), lambda: os.setgroups([0])]:
  try: attempt(); print("ESCAPED: rights")
  except OSError: pass'
grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED: may gain rights
grep -E 'Cap(Eff|Prm|Inh|Amb):' /proc/self/status | grep -qv 0000000000000000 && echo ESCAPED: has rights; true`),
  },
  {
    name: "takes rights back",
    argv: python(`
# capset with everything; then the ambient set, and switching off what forbids new rights.
header, data = struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", *[0xffffffff] * 6)
def capset():
    if libc.capset(header, data): raise OSError(ctypes.get_errno(), "capset")
def prctl(*args):
    if libc.prctl(*args) < 0: raise OSError(ctypes.get_errno(), "prctl")
refused("capset", capset)
refused("ambient", lambda: prctl(47, 2, 21, 0, 0))
refused("no_new_privs", lambda: prctl(38, 0, 0, 0, 0))
refused("keep", lambda: prctl(28, 0x2f, 0, 0, 0))`),
  },
  {
    name: "types into the terminal of whoever started it",
    argv: python(`
import fcntl, pty
refused("/dev/tty", lambda: os.open("/dev/tty", os.O_RDWR))
targets = [0, 1, 2]
try: targets.append(pty.openpty()[1])
except OSError: pass
for target in targets:
    for request in [0x5412, 0x541c, 0x5423, 0x541d, (1 << 32) | 0x5412]:
        refused("ioctl %x" % request, lambda: call("ioctl", target, request, ctypes.create_string_buffer(b"x")))`),
  },
  {
    name: "makes files that give its user's rights away",
    argv: python(`
for mode in [0o4755, 0o2755, 0o6777]:
    path = "/workspace/copy-%o" % mode
    open(path, "wb").write(open("/usr/bin/env", "rb").read())
    refused("chmod", lambda: os.chmod(path, mode))
    refused("fchmod", lambda: os.fchmod(os.open(path, os.O_RDONLY), mode))
    refused("open", lambda: os.open(path + "-open", os.O_CREAT | os.O_WRONLY, mode))
    refused("mknod", lambda: os.mknod(path + "-node", 0o100000 | mode))
    refused("fchmodat2", lambda: call("fchmodat2", -100, path.encode(), mode, 0))
    refused("openat2", lambda: call("openat2", -100, (path + "-2").encode(), struct.pack("=QQQ", os.O_CREAT | os.O_WRONLY, mode, 0), 24))
    refused("tmpfile", lambda: os.open("/workspace", os.O_TMPFILE | os.O_WRONLY, mode))`),
  },
  {
    name: "makes devices",
    argv: python(`
for kind, major, minor in [(0o020000, 1, 1), (0o060000, 8, 0), (0o060000, 254, 0), (0o020000, 0, 0), (0o020000, 5, 2), (0o020000, 10, 200)]:
    for place in ["/workspace", "/tmp", "/dev/shm"]: refused("mknod", lambda: os.mknod("%s/device-%d-%d" % (place, major, minor), kind | 0o666, os.makedev(major, minor)))`),
  },
  {
    name: "makes files that cannot be removed",
    argv: python(`
import fcntl
path = write("/workspace/immutable"); file = os.open(path, os.O_RDONLY)
for flags in [0x10, 0x20]: refused("flags", lambda: fcntl.ioctl(file, 0x40086602, struct.pack("=l", flags)))
refused("capability", lambda: os.setxattr(path, "security.capability", struct.pack("<IIIII", 0x02000001, 0xffffffff, 0, 0, 0)))
refused("trusted", lambda: os.setxattr(path, "trusted.x", b"x"))`),
  },
];

import { type Attack, DEPENDENCIES, MOUNTED, python, shell } from "./attack.ts";

/** Mounts, namespaces and what is mounted read-only. */
export const namespaces: Attack[] = [
  {
    name: "mounts file systems",
    argv: python(`
for source, target, kind, flags in [(b"none", b"/tmp", b"tmpfs", 0), (b"proc", b"/tmp", b"proc", 0), (b"/", b"/tmp", None, 4096), (b"sysfs", b"/tmp", b"sysfs", 0), (b"none", b"/tmp", b"cgroup2", 0), (b"none", b"/tmp", b"devpts", 0), (b"o", b"/tmp", b"overlay", 0)]:
    refused(str(kind), lambda: call("mount", source, target, kind, flags, None))`),
  },
  {
    name: "takes mounts away to see what is below",
    argv: python(`
for target in [b"/proc", b"/tmp", b"/workspace", b"/dev", b"${MOUNTED}", b"/"]:
    for flags in [0, 2]: refused(str(target), lambda: call("umount2", target, flags))`),
  },
  {
    name: "mounts by the newer calls",
    argv: python(`
refused("fsopen", lambda: call("fsopen", b"tmpfs", 0))
refused("open_tree", lambda: call("open_tree", -100, b"/", 1))
refused("fspick", lambda: call("fspick", -100, b"/", 0))
refused("move_mount", lambda: call("move_mount", -100, b"/workspace", -100, b"/tmp", 0))
attributes = struct.pack("=QQQQ", 0, 1, 0, 0)
refused("mount_setattr", lambda: call("mount_setattr", -100, b"${MOUNTED}", 0, attributes, 32))`),
  },
  {
    name: "makes read-only mounts writable",
    argv: python(`
for target in [b"/", b"/usr", b"${MOUNTED}", b"${DEPENDENCIES}", b"/dev"]:
    for flags in [32, 32 | 4096, 32 | 4096 | 2 | 4]: refused("remount " + str(target), lambda: call("mount", b"none", target, None, flags, None))`),
  },
  {
    name: "writes into what is mounted read-only",
    argv: python(`
for place in ["${MOUNTED}", "${DEPENDENCIES}"]:
    for attempt in [
        lambda: write(place + "/canary"), lambda: write(place + "/new"), lambda: os.unlink(place + "/canary"),
        lambda: os.rename(place + "/canary", place + "/other"), lambda: os.chmod(place + "/canary", 0o777),
        lambda: os.utime(place + "/canary", (0, 0)), lambda: os.truncate(place + "/canary", 0),
        lambda: os.mkdir(place + "/directory"), lambda: os.symlink("/", place + "/link"),
        lambda: os.setxattr(place + "/canary", "user.x", b"x"), lambda: os.link(place + "/canary", "/workspace/linked"),
        lambda: os.open("/proc/self/fd/%d" % os.open(place + "/canary", os.O_RDONLY), os.O_WRONLY),
        lambda: os.open("/proc/self/fd/%d" % os.open(place + "/canary", os.O_PATH), os.O_RDWR),
        lambda: os.fchmod(os.open(place + "/canary", os.O_RDONLY), 0o777),
        lambda: os.chown(place + "/canary", os.getuid(), os.getgid()),
    ]: refused(place, attempt)`),
  },
  {
    name: "writes over a read-only file through its memory",
    argv: python(`
import mmap
file = os.open("${MOUNTED}/canary", os.O_RDONLY)
refused("shared", lambda: mmap.mmap(file, 6, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
def force():
    view = mmap.mmap(file, 6, mmap.MAP_SHARED, mmap.PROT_READ)
    place = [line for line in open("/proc/self/maps") if "canary" in line][0]
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        memory.seek(int(place.split("-")[0], 16)); memory.write(b"BROKEN")
refused("/proc/self/mem", force)
def splice():
    reader, writer = os.pipe(); os.splice(file, writer, 6); os.write(writer, b"BROKEN")
tried(); splice()`),
  },
  {
    name: "puts something else where a mount is",
    argv: python(`
refused("rename", lambda: os.rename("${DEPENDENCIES}", "/workspace/moved"))
refused("rmdir", lambda: os.rmdir("${DEPENDENCIES}"))
refused("link", lambda: os.symlink(OUTSIDE, "${DEPENDENCIES}"))
refused("workspace", lambda: os.rename("/workspace", "/tmp/workspace"))`),
  },
  {
    name: "changes programs and the loader of the system",
    argv: python(`
for path in ["/usr/bin/python3", "/bin/sh", "/usr/bin/env", "/etc/ld.so.preload", "/etc/ld.so.cache", "/etc/passwd", "/etc/hosts", "/lib/x", "/usr/lib/x", "/bin/x", "/x", "/etc/x"]:
    refused(path, lambda: os.open(path, os.O_WRONLY | os.O_CREAT, 0o755))`),
  },
  {
    name: "writes over the program of its guard",
    argv: python(`
for path in ["/proc/1/exe", "/proc/self/exe", "/proc/%d/exe" % os.getppid()]:
    refused(path, lambda: os.open(path, os.O_WRONLY))
    refused(path, lambda: os.open(path, os.O_RDWR | os.O_TRUNC))`),
  },
  {
    name: "links files of the host and the system into the workspace",
    argv: python(`
for path in ["/usr/bin/python3", "/etc/passwd", "${MOUNTED}/canary", OUTSIDE + "/canary", "/proc/1/root" + OUTSIDE + "/canary", "/dev/null"]:
    refused(path, lambda: os.link(path, "/workspace/hard-" + path.replace("/", "-")))
refused("by descriptor", lambda: os.link("/proc/self/fd/%d" % os.open("/usr/bin/env", os.O_RDONLY), "/workspace/hard", follow_symlinks=True))`),
  },
  {
    name: "leaves the root directory",
    argv: python(`
refused("chroot", lambda: call("chroot", b"/workspace"))
refused("pivot_root", lambda: call("pivot_root", b"/workspace", b"/workspace"))
refused("up", lambda: open("/workspace" + "/.." * 50 + OUTSIDE + "/canary").read())
for pid in ["1", "self", "thread-self"]:
    for way in ["root", "cwd/../..", "root/../../.."]: refused(way, lambda: open("/proc/%s/%s%s/canary" % (pid, way, OUTSIDE)).read())
for descriptor in os.listdir("/proc/self/fd"): refused(descriptor, lambda: open("/proc/self/fd/%s/../..%s/canary" % (descriptor, OUTSIDE)).read())`),
  },
  {
    name: "makes namespaces by unshare",
    argv: python(`
for name, flag in dict(mount=0x20000, cgroup=0x2000000, uts=0x4000000, ipc=0x8000000, user=0x10000000, pid=0x20000000, net=0x40000000, time=0x80).items():
    refused(name, lambda: in_child(lambda: call("unshare", flag)))
    refused("user and " + name, lambda: in_child(lambda: call("unshare", flag | 0x10000000)))`),
  },
  {
    name: "makes namespaces by clone",
    argv: python(`
def clone(flags):
    pid = call("clone", flags | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    return pid
for flag in [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]:
    refused("clone %x" % flag, lambda: clone(flag))
    refused("user and %x" % flag, lambda: clone(flag | 0x10000000))
def clone3(flags):
    pid = call("clone3", struct.pack("=8Q", flags, 0, 0, 0, 17, 0, 0, 0), 64)
    if pid == 0: os._exit(0)
    return pid
refused("clone3", lambda: clone3(0x10000000))`),
  },
  {
    name: "enters namespaces of the first process and of the host",
    argv: python(`
for name in ["mnt", "net", "pid", "user", "ipc", "uts", "cgroup", "time"]:
    refused(name, lambda: call("setns", os.open("/proc/1/ns/" + name, os.O_RDONLY), 0))
refused("pidfd", lambda: call("setns", os.pidfd_open(1), 0x20000))
refused("parent", lambda: __import__("fcntl").ioctl(os.open("/proc/self/ns/user", os.O_RDONLY), 0xb701))`),
  },
  {
    name: "starts a sandbox of its own, with rights in it",
    argv: shell(
      "echo tried; for p in 'unshare -Ur' 'unshare -Urm' 'bwrap --bind / / --unshare-user --uid 0' 'bwrap --dev-bind / / --proc /proc'; do $p true && echo ESCAPED: $p; done; true",
    ),
  },
  {
    name: "opens files by handle, past all directories",
    argv: python(`
handle = struct.pack("=Ii", 8, 1) + struct.pack("=II", 2, 0) + bytes(120)
for place in ["/workspace", "/usr", "${MOUNTED}"]:
    base = os.open(place, os.O_RDONLY)
    refused("open " + place, lambda: call("open_by_handle_at", base, handle, 0))
refused("name", lambda: call("name_to_handle_at", -100, b"/workspace", ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128)), ctypes.byref(ctypes.c_int()), 0))`),
  },
  {
    name: "mounts through FUSE",
    argv: shell(
      "echo tried; (: < /dev/fuse) && echo ESCAPED: fuse; fusermount -V >/dev/null && fusermount /tmp && echo ESCAPED: mounted; true",
    ),
  },
];

import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import type { CommandResult, Mount } from "../../src/sandbox/sandbox.ts";
import { SYSCALLS, type Syscall, syscallNumber } from "../../src/sandbox/seccomp/syscall-numbers.ts";
import type { Battlefield } from "./battlefield.ts";

/**
 * One try to get out, to harm the host, or to leave something behind. The program runs in the sandbox; it prints `tried`
 * where it tries, so that a program which never got there is no success, and `ESCAPED` with what it reached.
 * Whatever it does, the host is looked at afterwards: see battlefield.ts.
 */
export interface Attack {
  /** As a claim of the attacker's: "kills every process it can see". */
  name: string;
  argv: string[];
  stdin?: string;
  limits?: Partial<SandboxLimits>;
  /** What must hold besides; throws when it does not. */
  check?(result: CommandResult, field: Battlefield): void | Promise<void>;
}

/** Where a directory of the sandbox's own user is mounted read-only. */
export const MOUNTED = "/opt/mounted";
export const DEPENDENCIES = "/workspace/node_modules";

export const mountsOf = (directory: string): Mount[] => [
  { from: directory, to: MOUNTED },
  { from: directory, to: DEPENDENCIES },
];

export const shell = (line: string): string[] => ["bash", "-c", line];

export const python = (body: string): string[] => ["python3", "-c", `${PRELUDE}\n${body}`];

/** Numbers of system calls on this machine, for programs that make them by hand. */
function numbers(): Record<string, number> {
  const names = Object.keys(SYSCALLS).filter((name): name is Syscall => name in SYSCALLS);
  const architecture = process.arch === "arm64" ? "arm64" : "x64";
  return Object.fromEntries(names.map((name) => [name, syscallNumber(name, architecture) ?? -1]));
}

const PRELUDE = `
import ctypes, errno, os, signal, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
CALLS = ${JSON.stringify(numbers())}
TOKEN, OUTSIDE = os.environ["ATTACK_TOKEN"], os.environ["ATTACK_OUTSIDE"]
HOST_PID, VICTIM = int(os.environ["ATTACK_HOST_PID"]), int(os.environ["ATTACK_VICTIM"])
ADDRESSES, PORT = os.environ["ATTACK_ADDRESSES"].split(), int(os.environ["ATTACK_PORT"])

def tried(): print("tried", flush=True)
def escaped(what): print("ESCAPED:", what, flush=True)

def number(value, *args):
    ctypes.set_errno(0)
    answer = libc.syscall(ctypes.c_long(value), *[a if isinstance(a, (bytes, ctypes._SimpleCData, ctypes.Array, ctypes.Structure)) or a is None or hasattr(a, "_obj") else ctypes.c_long(a) for a in args])
    if answer == -1: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer

def call(name, *args): return number(CALLS[name], *args)

def refused(what, attempt):
    """The attempt must raise; whatever it answers instead is an escape."""
    tried()
    try: answer = attempt()
    except (OSError, ValueError) as error: return print("refused", what, error, flush=True)
    escaped("%s: %r" % (what, answer))

def write(path, text="x"):
    with open(path, "w") as file: file.write(text)
    return path

def in_child(work):
    """Its exit status, or raises what the work raised."""
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try: work(); code = b"\\0"
        except OSError as error: code = bytes([error.errno or 255])
        os.write(writer, code); os._exit(0)
    os.close(writer)
    code = os.read(reader, 1)
    os.waitpid(pid, 0)
    if code and code[0]: raise OSError(code[0], os.strerror(code[0]))
    if not code: raise OSError(errno.EPERM, "the child was killed")
    return "done"
`;

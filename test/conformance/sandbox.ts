/*
 * One suite, longer than other files on purpose: every backend of the sandbox keeps the same promises, and they are read
 * best side by side.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import type { Command, CommandResult, Sandbox } from "../../src/sandbox/sandbox.ts";

export interface Subject {
  name: string;
  open(): Sandbox;
  /** Who must own a workspace. */
  owner: number;
  /** False: only what a backend without isolation promises. */
  isolates: boolean;
  /** Variables that this backend sets beside the usual ones. */
  variables?: string[];
  /** True: the kernel counts memory and processes of the whole command. */
  groups: boolean;
}

export const SECRET = "not-for-the-sandbox";

const LIMITS: SandboxLimits = {
  cpus: 1,
  memoryMb: 200,
  pids: 48,
  diskMb: 16,
  timeoutMs: 20_000,
  outputBytes: 10_000,
};

/** What every backend promises, and what those that isolate promise besides. */
export function sandboxConformance(subject: Subject): void {
  describe(subject.name, () => {
    let sandbox: Sandbox;
    let directory: string;
    let workspace: string;

    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), "miracle-sandbox-"));
      sandbox = subject.open();
    });
    afterAll(async () => {
      await sandbox[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    });
    beforeEach(() => {
      workspace = mkdtempSync(join(directory, "workspace-"));
      chownSync(workspace, subject.owner, subject.owner);
      chownSync(directory, subject.owner, subject.owner);
    });

    interface Extra extends Partial<Omit<Command, "argv" | "workspace">> {
      limits?: Partial<SandboxLimits>;
      signal?: AbortSignal;
    }
    const run = (argv: string[], { limits, signal, ...extra }: Extra = {}): Promise<CommandResult> =>
      sandbox.run({ argv, workspace, ...extra }, { ...LIMITS, ...limits }, signal ?? new AbortController().signal);
    const shell = (line: string, extra: Extra = {}) => run(["bash", "-c", line], extra);

    test("gives back exit code, output and errors", async () => {
      const result = await shell("echo out; echo err >&2; exit 7");
      expect(result).toMatchObject({ ending: "exited", exitCode: 7, signal: null, truncated: false });
      expect([result.stdout, result.stderr]).toEqual(["out\n", "err\n"]);
    });

    test("names the signal that ended a command", async () => {
      expect(await shell("kill -SEGV $$")).toMatchObject({ ending: "exited", exitCode: null, signal: "SIGSEGV" });
    });

    test("answers 127 for a program that does not exist", async () => {
      const result = await run(["no-such-program"]);
      expect(result).toMatchObject({ ending: "exited", exitCode: 127 });
      expect(result.stderr).toContain("no-such-program");
    });

    test.runIf(subject.isolates)("can open its output by name", async () => {
      const result = await shell(
        "echo out > /dev/stdout; echo err | tee -a /dev/stderr > /dev/null; echo fd > /proc/self/fd/2",
      );
      expect([result.stdout, result.stderr]).toEqual(["out\n", "err\nfd\n"]);
    });

    test("hands on standard input, also when nobody reads it", async () => {
      expect((await run(["cat"], { stdin: "héllo" })).stdout).toBe("héllo");
      expect((await run(["true"], { stdin: "x".repeat(1_000_000) })).exitCode).toBe(0);
      expect((await run(["cat"])).stdout).toBe("");
    });

    test("passes arguments through untouched", async () => {
      const awkward = ["a b", "$HOME", "'\"", "", "-n", "ü\n"];
      expect((await run(["printf", "[%s]", ...awkward])).stdout).toBe(awkward.map((text) => `[${text}]`).join(""));
    });

    test("starts with an environment of its own", async () => {
      const result = await run(["env"], { env: { GIVEN: "yes" }, path: ["/opt/first"] });
      const names = result.stdout.split("\n").map((line) => line.split("=")[0]);
      expect(result.stdout).toContain("GIVEN=yes\n");
      expect(result.stdout).toMatch(/^PATH=\/opt\/first:/m);
      expect(names.filter((name) => !ENVIRONMENT.has(name ?? ""))).toEqual(subject.variables ?? []);
      expect(result.stdout).not.toContain(SECRET);
    });

    test("runs in the workspace, or below it", async () => {
      mkdirSync(join(workspace, "sub"));
      expect((await shell("echo here > file; cat file")).stdout).toBe("here\n");
      expect(readFileSync(join(workspace, "file"), "utf8")).toBe("here\n");
      expect((await run(["pwd"], { cwd: "sub" })).stdout).toMatch(/\/sub\n$/);
    });

    test("refuses to start outside the workspace", async () => {
      symlinkSync("/usr", join(workspace, "link"));
      for (const cwd of ["..", "/usr", "missing", "link"]) {
        await expect(run(["pwd"], { cwd }), cwd).rejects.toThrow("there is no directory");
      }
    });

    test("shows a dependency directory at its place, and leaves no trace of it", async () => {
      const dependencies = join(directory, "dependencies");
      mkdirSync(dependencies, { recursive: true });
      writeFileSync(join(dependencies, "index.js"), "found");
      const mounts = [{ from: dependencies, to: "/workspace/node_modules" }];
      expect((await shell("cat node_modules/index.js /workspace/node_modules/index.js", { mounts })).stdout).toBe(
        "foundfound",
      );
      expect(readdirSync(workspace)).toEqual([]);
    });

    test("ends a command that takes too long", async () => {
      const result = await shell("echo before; sleep 43211", { limits: { timeoutMs: 300 } });
      expect(result).toMatchObject({ ending: "timeout", stdout: "before\n" });
      expect(processesWith("43211")).toEqual([]);
    });

    test("returns although a child keeps the pipes open", async () => {
      expect(await shell("sleep 43212 & echo done")).toMatchObject({ ending: "exited", exitCode: 0, stdout: "done\n" });
      expect(processesWith("43212")).toEqual([]);
    });

    test("keeps head and tail of a flood, and its own memory small", async () => {
      const before = process.memoryUsage.rss();
      const result = await shell("echo first; yes 0123456789 | head -c 400000007; echo last");
      expect(result).toMatchObject({ ending: "exited", exitCode: 0, truncated: true });
      expect(result.stdout.startsWith("first\n0123456789\n")).toBe(true);
      expect(result.stdout).toMatch(/\n\[… \d+ of 400000018 bytes of output left out …\]\n/);
      expect(result.stdout.endsWith("\n0123456789\nlast\n")).toBe(true);
      expect(result.stdout.length).toBeLessThan(LIMITS.outputBytes + 200);
      // Half of the flood: far above what the collector leaves lying about, far below a flood that was kept.
      expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
    });

    test("ends everything when it is aborted, and says why", async () => {
      const abort = new AbortController();
      const running = shell("touch started; sleep 43213 & sleep 43213", { signal: abort.signal });
      await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
      abort.abort(new Error("stopped by the test"));
      await expect(running).rejects.toThrow("stopped by the test");
      await expect.poll(() => processesWith("43213")).toEqual([]);
    });

    test("does not start what is already aborted", async () => {
      const signal = AbortSignal.abort(new Error("stopped by the test"));
      await expect(shell("touch started", { signal })).rejects.toThrow("stopped by the test");
      expect(readdirSync(workspace)).toEqual([]);
    });

    test("runs several commands at once", async () => {
      const results = await Promise.all(["1", "2", "3"].map((name) => shell(`echo ${name}`)));
      expect(results.map(({ stdout }) => stdout)).toEqual(["1\n", "2\n", "3\n"]);
    });

    describe.runIf(subject.isolates)("isolation", () => {
      test("mounts the workspace at a fixed place", async () => {
        expect((await shell("pwd; echo $HOME; hostname; id -u")).stdout).toMatch(
          /^\/workspace\n\/tmp\nsandbox\n[1-9]\d*\n$/,
        );
      });

      test("hides the host's environment from every process", async () => {
        const result = await shell("cat /proc/*/environ | tr '\\0' '\\n'; cat /proc/*/cmdline | tr '\\0' ' '");
        expect(result.stdout).toContain("/workspace");
        expect(result.stdout).not.toContain(SECRET);
      });

      test("shows the variables of a command to no other user of the machine", async () => {
        const running = shell("touch started; until test -e finish; do sleep 0.01; done", {
          env: { GIVEN: "variable-43220" },
        });
        await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
        expect(processesWith("variable-43220")).toEqual([]);
        writeFileSync(join(workspace, "finish"), "");
        await running;
      });

      test("hides the host's files", async () => {
        const secret = join(directory, "secret");
        writeFileSync(secret, SECRET, { mode: 0o644 });
        const looking = `cat ${secret}; ls -d ${directory}; ls -A /home /root /tmp /sys/devices | grep -v -e '^$' -e :`;
        expect(await shell(looking)).toMatchObject({ stdout: "" });
      });

      test("leaves the host's files as they are", async () => {
        const mounted = join(directory, "mounted");
        mkdirSync(mounted, { recursive: true });
        chownSync(mounted, subject.owner, subject.owner);
        const mounts = [{ from: mounted, to: "/opt/mounted" }];
        for (const path of ["/", "/usr/", "/etc/", "/dev/", "/opt/mounted/", "/opt/"]) {
          expect((await shell(`touch ${path}made-inside`, { mounts })).stderr, path).toMatch(
            /Read-only file system|Permission denied/,
          );
        }
        expect((await shell("echo 127.0.0.1 bank >> /etc/hosts")).exitCode).not.toBe(0);
        expect(readdirSync(mounted)).toEqual([]);
      });

      test("has no network but its own loopback", async () => {
        const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const address = server.address();
        const port = typeof address === "object" ? address?.port : undefined;
        try {
          expect(await shell(`cat < /dev/tcp/127.0.0.1/${port}`)).toMatchObject({ exitCode: 1, stdout: "" });
          expect((await run(["ls", "/sys/class/net"])).exitCode).not.toBe(0);
          expect((await shell("tail -n +3 /proc/net/dev | cut -d: -f1")).stdout.trim()).toBe("lo");
        } finally {
          server.close();
        }
      });

      test("has no rights and cannot gain any", async () => {
        const status = (await shell("cat /proc/self/status")).stdout;
        expect(status).toMatch(/CapEff:\s0+\n/);
        expect(status).toMatch(/CapBnd:\s0+\n/);
        expect(status).toMatch(/NoNewPrivs:\s1\n/);
        expect((await run(["unshare", "--user", "true"])).exitCode).not.toBe(0);
      });

      test("sees no process of the host", async () => {
        const pids = (await shell("ls -d /proc/[0-9]*")).stdout.trim().split("\n");
        expect(pids.length).toBeLessThan(5);
        expect((await shell(`kill -0 ${process.pid}`)).exitCode).not.toBe(0);
      });

      test("passes on no descriptor that somebody left open", async () => {
        const result = await shell("for d in /proc/self/fd/*; do echo $(basename $d) $(readlink $d); done");
        const open = result.stdout
          .trim()
          .split("\n")
          .map((line) => line.split(" "));
        const foreign = open.filter(
          ([number, target]) => Number(number) > 2 && target !== "/dev/null" && !target?.startsWith("/proc/"),
        );
        expect(foreign.filter(([, target]) => target !== undefined)).toEqual([]);
      });

      test("ends a double fork in a session of its own, after the time limit and after a normal end", async () => {
        const forks = "(setsid sleep 43214 </dev/null >/dev/null 2>&1 &) ; (setsid setsid sleep 43214 &)";
        expect((await shell(`${forks}; sleep 43214`, { limits: { timeoutMs: 300 } })).ending).toBe("timeout");
        expect(processesWith("43214")).toEqual([]);
        expect((await shell(forks)).ending).toBe("exited");
        expect(processesWith("43214")).toEqual([]);
      });

      test("never follows a link of the workspace to a mount point", async () => {
        const outside = join(directory, "outside");
        mkdirSync(outside, { recursive: true });
        symlinkSync(outside, join(workspace, "node_modules"));
        const mounts = [{ from: directory, to: "/workspace/node_modules/package" }];
        await expect(run(["true"], { mounts })).rejects.toThrow("is not a directory");
        expect(readdirSync(outside)).toEqual([]);
      });

      test("keeps a mount point that an other command still uses", async () => {
        const mounts = [{ from: "/usr/share", to: "/workspace/shared" }];
        const long = shell("touch started; until test -e finish; do :; done; ls shared", { mounts });
        await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
        await run(["true"], { mounts });
        writeFileSync(join(workspace, "finish"), "");
        expect((await long).stdout).toContain("doc");
        expect(existsSync(join(workspace, "shared"))).toBe(false);
      });

      test("contains a command that wants too much memory", async () => {
        const result = await run(["python3", "-c", "x = b'x' * (1 << 30); print('got it')"]);
        expect(result.stdout).toBe("");
        if (subject.groups) expect(result.ending).toBe("memory-limit");
        else expect(result.exitCode).not.toBe(0);
      });

      test("contains a fork bomb", async () => {
        const bomb = "bomb() { bomb | bomb & }; bomb; sleep 43215";
        const result = await shell(bomb, { limits: { timeoutMs: 2_000 } });
        if (subject.groups) expect(["process-limit", "timeout"]).toContain(result.ending);
        expect(processesWith("43215")).toEqual([]);
        expect((await shell("for i in 1 2 3 4 5; do sleep 0 & done; wait; echo well")).stdout).toBe("well\n");
      });

      test.runIf(subject.groups)("says when a command could not start more processes", async () => {
        const result = await run(["python3", "-c", FORKS]);
        expect(result).toMatchObject({ ending: "process-limit", stdout: "refused\n" });
      });

      test("ends a command whose file grows too large", async () => {
        expect(await run(["cp", "/dev/zero", "large"])).toMatchObject({ ending: "disk-limit", signal: "SIGXFSZ" });
      });

      test("ends a command that writes too many files, and not one that reads or replaces", async () => {
        writeFileSync(join(workspace, "given"), Buffer.alloc(40_000_000));
        const write = "for i in $(seq 100); do head -c 4000000 /dev/urandom > $1$i; done; sleep 43218";
        const many = await run(["bash", "-c", write, "bash", "file"]);
        expect(many.ending).toBe("disk-limit");
        expect(processesWith("43218")).toEqual([]);
        const again =
          "for i in $(seq 5); do head -c 4000000 /dev/urandom > same; done; cat given > /dev/null; sleep 0.6";
        expect(await shell(again)).toMatchObject({ ending: "exited", exitCode: 0 });
      });

      test("limits the size of /tmp and /dev/shm", async () => {
        for (const path of ["/tmp", "/dev/shm"]) {
          const result = await shell(`for i in 1 2 3; do head -c 8000000 /dev/zero > ${path}/$i || exit 1; done`);
          expect(result.stderr, path).toContain("No space left on device");
        }
      });

      test.runIf(process.getuid?.() === 0 && subject.groups)("shows what only root can reach, read-only", async () => {
        const closed = join(directory, "closed");
        mkdirSync(join(closed, "dependencies"), { recursive: true });
        chownSync(closed, 0, 0);
        chmodSync(closed, 0o700);
        writeFileSync(join(closed, "dependencies/index.js"), "found");
        writeFileSync(join(closed, "file"), " it");
        const mounts = [
          { from: join(closed, "dependencies"), to: "/workspace/node_modules" },
          { from: join(closed, "file"), to: "/opt/file" },
        ];
        const result = await shell("cat node_modules/index.js /opt/file; touch node_modules/x; cat /proc/self/status", {
          mounts,
        });
        expect(result.stdout).toContain("found it");
        expect(result.stdout).toMatch(/CapEff:\s0+\n/);
        expect(result.stderr).toContain("Read-only file system");
        expect((await shell("sleep 43219", { mounts, limits: { timeoutMs: 300 } })).ending).toBe("timeout");
        expect(processesWith("43219")).toEqual([]);
        expect(readdirSync(workspace)).toEqual([]);
      });

      test("leaves no control group and no process behind", async () => {
        // Those of another sandbox, whose processes are on their way out, may go meanwhile.
        const before = new Set(controlGroups());
        const other = subject.open();
        const limits = { ...LIMITS, timeoutMs: 200 };
        const signal = new AbortController().signal;
        await other.run({ argv: ["false"], workspace }, limits, signal);
        await other.run({ argv: ["sleep", "43216"], workspace }, limits, signal);
        await other[Symbol.asyncDispose]();
        expect(controlGroups().filter((name) => !before.has(name))).toEqual([]);
        expect(processesWith("43216")).toEqual([]);
      });
    });
  });
}

const ENVIRONMENT = new Set(["PATH", "HOME", "LANG", "TZ", "TERM", "PWD", "GIVEN", ""]);

const FORKS = `
import os, time
for _ in range(200):
    try:
        if os.fork() == 0:
            time.sleep(43217)
    except BlockingIOError:
        print("refused")
        break
`;

/** Command lines on this machine that contain the text; dead processes have none. */
function processesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readCommandLine(pid))
    .filter((line) => line.includes(text));
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function controlGroups(): string[] {
  const own = new RegExp(`^miracle-${process.pid}-`);
  const top = existsSync("/sys/fs/cgroup") ? readdirSync("/sys/fs/cgroup") : [];
  return top
    .flatMap((name) => {
      const path = join("/sys/fs/cgroup", name);
      try {
        return readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => entry.name);
      } catch {
        return [name];
      }
    })
    .filter((name) => own.test(name));
}

import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { openFrames } from "./frames.ts";
import { NODE, type ProgramCall, type ProgramEnd } from "./program-shim.ts";
import { relayPorts } from "./relay-ports.ts";

/** What runs a program where no test is: it reads the call and then frames, and answers in frames. */
export const runnerArguments = (): string[] => {
  const input = JSON.stringify({ workspace: WORKSPACE });
  return [
    NODE,
    "--no-warnings",
    "-e",
    `(${runner.toString()})(${input},${openFrames.toString()},${relayPorts.toString()})`,
  ];
};

function runner({ workspace }: { workspace: string }, open: typeof openFrames, relay: typeof relayPorts): void {
  const fs = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const MOST_FILES = 200;
  const MOST_BYTES = 4_000_000;
  const SCAN_MS = 20;
  /** What the program started may hold its output for ever. */
  const LINGER_MS = 300;
  const NOT_STARTED = 127;

  const send: Parameters<typeof relayPorts>[0] = (kind, channel, payload = "") =>
    void process.stdout.write(frames.encode(kind, channel, payload));
  const ports = relay(send, 2);
  let child: ReturnType<typeof start> | undefined;
  const frames = open(async (frame) => {
    const { kind, payload } = frame;
    if (kind === "stdin") {
      if (payload.length > 0) child?.stdin.write(payload);
      else child?.stdin.end();
    } else if (kind === "signal") {
      const name = payload.toString();
      if (name === "SIGTERM" || name === "SIGINT" || name === "SIGHUP" || name === "SIGQUIT" || name === "SIGUSR2")
        child?.kill(name);
    } else await ports.receive(frame);
  });

  function start(call: ProgramCall) {
    for (const [name, data] of Object.entries(call.files)) {
      fs.mkdirSync(path.dirname(name), { recursive: true });
      fs.writeFileSync(name, Buffer.from(data, "base64"));
    }
    for (const name of [...call.directories, call.cwd]) fs.mkdirSync(name, { recursive: true });
    const [interpreter, ...flags] = call.program.endsWith(".py") ? ["python3", "-B"] : ["node"];
    const words = [...flags, `${workspace}/${call.program}`, ...call.args];
    const started = spawn(interpreter ?? "node", words, {
      cwd: call.cwd,
      env: { ...process.env, ...call.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    started.stdin.on("error", () => {}); // it need not read
    // Whoever reads that it listens must be able to connect.
    const pass = (kind: "stdout" | "stderr") => (chunk: Buffer) => {
      ports.scan();
      send(kind, 0, chunk);
    };
    started.stdout.on("data", pass("stdout"));
    started.stderr.on("data", pass("stderr"));
    started.on("error", () => end(call, { exitCode: NOT_STARTED, signal: null }));
    started.on("exit", (exitCode, signal) => {
      const done = () => end(call, { exitCode, signal });
      started.on("close", done);
      setTimeout(done, LINGER_MS);
    });
    return started;
  }

  function end(call: ProgramCall, { exitCode, signal }: Pick<ProgramEnd, "exitCode" | "signal">): void {
    const removed = Object.keys(call.files).filter((name) => !fs.existsSync(name));
    const told = JSON.stringify({ exitCode, signal, files: written(call), removed } satisfies ProgramEnd);
    process.stdout.write(frames.encode("exit", 0, told), () => process.exit(0));
  }

  /** What is new in the places the program was told about. */
  function written({ files: before, args, env, cwd }: ProgramCall): Record<string, string> {
    const below = (name: string) =>
      fs
        .readdirSync(name, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => path.join(one.parentPath, one.name));
    const isInside = (name: string) => name === workspace || name.startsWith(`${workspace}/`);
    const named = args.map((word) => path.resolve(cwd, word.slice(word.indexOf("=") + 1)));
    const told = Object.values(env).filter((word) => word.startsWith("/tmp/"));
    const places = [...named, ...told, ...(isInside(cwd) ? [] : [cwd])];
    const found = places.flatMap((name) => {
      const stats = fs.statSync(name, { throwIfNoEntry: false });
      if (stats?.isFile()) return [name];
      return stats?.isDirectory() && name.startsWith("/tmp/") ? below(name) : [];
    });
    const files: Record<string, string> = {};
    let left = MOST_BYTES;
    for (const name of new Set([...Object.keys(before), ...found].slice(0, MOST_FILES))) {
      const data = fs.statSync(name, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(name) : null;
      if (!data) continue;
      left -= data.length;
      if (left < 0) break;
      const text = data.toString("base64");
      if (before[name] !== text) files[name] = text;
    }
    return files;
  }

  let head = Buffer.alloc(0);
  process.stdin.on("data", (chunk: Buffer) => {
    if (child) return frames.push(chunk);
    head = Buffer.concat([head, chunk]);
    const at = head.indexOf("\n");
    if (at === -1) return;
    child = start(JSON.parse(head.subarray(0, at).toString()));
    frames.push(head.subarray(at + 1));
    setInterval(() => ports.scan(), SCAN_MS);
  });
  // Nobody is there any more who started it.
  process.stdin.on("end", () => process.exit(1));
}

import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { openFrames } from "./frames.ts";
import { relayPorts } from "./relay-ports.ts";

/** Where the tests run: the directory with the socket that calls go to, and the Node that makes them. */
export const CALLS_DIRECTORY = "/run/miracle/programs";
export const CALLS_SOCKET = "calls";
export const NODE = "/run/miracle/node";

/** How a program was started, with the files it was told about; the first line of every call. */
export interface ProgramCall {
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** By path, as base64. */
  files: Record<string, string>;
  /** That are there, so that it can write into them. */
  directories: string[];
}

/** What it came to, with the files it wrote and took away. */
export interface ProgramEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  files: Record<string, string>;
  removed: string[];
}

/** What stands at the program's place: it passes on everything that reaches it, and everything that comes back. */
export function shimFor(program: string): string {
  const input = { program, workspace: WORKSPACE, socket: `${CALLS_DIRECTORY}/${CALLS_SOCKET}` };
  const text = `(${shim.toString()})(${JSON.stringify(input)},${openFrames.toString()},${relayPorts.toString()})`;
  if (!program.endsWith(".py")) return `${text};\n`;
  // The same process goes on as Node: whoever ends it ends the call.
  return `import os, sys
env = {key: value for key, value in os.environ.items() if key != "NODE_OPTIONS"}
if getattr(sys.stdout, "write_through", False):
    env["PYTHONUNBUFFERED"] = "1"
os.execve(${JSON.stringify(NODE)}, ["node", "--no-warnings", "-e", ${JSON.stringify(text)}, "--", *sys.argv], env)
`;
}

function shim(
  { program, workspace, socket: place }: { program: string; workspace: string; socket: string },
  open: typeof openFrames,
  relay: typeof relayPorts,
): void {
  const fs = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { connect } = process.getBuiltinModule("node:net");
  const MOST_FILES = 200;
  const MOST_BYTES = 4_000_000;
  const SCAN_MS = 20;
  const STOPPED = 124;
  // As a script: node, the script. With -e: node, and what followed `--`, of which the first is the script.
  const args = process.argv.slice(2);
  const cwd = process.cwd();
  const isInside = (name: string) => name === workspace || name.startsWith(`${workspace}/`);
  const below = (name: string) =>
    fs
      .readdirSync(name, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => path.join(one.parentPath, one.name));
  // What tells of the tests' own process stays here. A home of its own is one that the test gave.
  const own = /^(PATH|PWD|OLDPWD|SHLVL|_|NODE_.*|PYTEST.*|PYTHON(?!UNBUFFERED$).*|MIRACLE.*)$/;
  const isPlace = (word: string) => word.startsWith("/tmp/") && path.normalize(word) === word;
  const env = Object.entries(process.env).flatMap(([key, value = ""]): [string, string][] =>
    own.test(key) || (key === "HOME" && !isPlace(value)) ? [] : [[key, value]],
  );
  const named = [
    ...args.map((word) => path.resolve(word.slice(word.indexOf("=") + 1))),
    ...env.map(([, value]) => value).filter(isPlace),
  ];

  function given(): Record<string, string> {
    const found = named.flatMap((name) => {
      const stats = fs.statSync(name, { throwIfNoEntry: false });
      if (stats?.isFile()) return [name];
      return stats?.isDirectory() && !isInside(name) ? below(name) : [];
    });
    if (!isInside(cwd)) found.push(...below(cwd));
    const files: Record<string, string> = {};
    let left = MOST_BYTES;
    for (const name of [...new Set(found)].slice(0, MOST_FILES)) {
      const data = fs.readFileSync(name);
      left -= data.length;
      if (left < 0) break;
      files[name] = data.toString("base64");
    }
    return files;
  }

  const places = () =>
    [...named, ...named.map((name) => path.dirname(name))].filter(
      (name) => isPlace(name) && fs.statSync(name, { throwIfNoEntry: false })?.isDirectory(),
    );

  /** A program may write where it was told to, but nothing that could be executed where the tests are. */
  function mayWrite(name: string, files: Record<string, string>): boolean {
    if (path.normalize(name) !== name || !path.isAbsolute(name)) return false;
    const known = Object.hasOwn(files, name) || named.includes(name);
    if (isInside(name)) return known && /\.(txt|csv|tsv|json|jsonl|md|html|xml|log|out|dat|bin)$/.test(name);
    return name.startsWith("/tmp/") && (known || [cwd, ...named].some((place) => name.startsWith(`${place}/`)));
  }

  function print(descriptor: 1 | 2, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += fs.writeSync(descriptor, bytes, at);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return; // nobody reads it
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      }
    }
  }

  const files = given();
  const socket = connect(place);
  const send: Parameters<typeof relayPorts>[0] = (kind, channel, payload = "") =>
    void socket.write(frames.encode(kind, channel, payload));
  const ports = relay(send, 1);
  const frames = open(async (frame) => {
    const { kind, payload } = frame;
    if (kind === "stdout") print(1, payload);
    else if (kind === "stderr") print(2, payload);
    else if (kind === "exit") finish(JSON.parse(payload.toString()));
    else await ports.receive(frame);
  });

  function finish(end: ProgramEnd): void {
    for (const [name, data] of Object.entries(end.files)) {
      if (!mayWrite(name, files)) continue;
      fs.mkdirSync(path.dirname(name), { recursive: true });
      fs.writeFileSync(name, Buffer.from(data, "base64"));
    }
    for (const name of end.removed) if (Object.hasOwn(files, name)) fs.rmSync(name, { force: true });
    if (end.signal === null) process.exit(end.exitCode ?? STOPPED);
    process.removeAllListeners(end.signal);
    process.kill(process.pid, end.signal);
    setTimeout(() => process.exit(STOPPED), 1000); // a signal that ends nothing
  }

  const directories = [...new Set(places())];
  socket.write(`${JSON.stringify({ program, args, cwd, env: Object.fromEntries(env), files, directories })}\n`);
  socket.on("data", (chunk) => frames.push(chunk));
  socket.on("error", () => {}); // `close` follows
  socket.on("close", () => {
    print(2, Buffer.from("the program was stopped\n"));
    process.exit(STOPPED);
  });
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"])
    process.on(name, () => send("signal", 0, name));
  process.stdin.on("data", (chunk) => send("stdin", 0, chunk));
  process.stdin.on("end", () => send("stdin", 0));
  process.stdin.on("error", () => send("stdin", 0));
  ports.scan();
  setInterval(() => ports.scan(), SCAN_MS);
}

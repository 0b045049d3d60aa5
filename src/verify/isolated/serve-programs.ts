import { createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Toolchain } from "../../languages/language.ts";
import type { Mount, Sandbox } from "../../sandbox/sandbox.ts";
import { openSocketDirectory } from "../../sandbox/socket-directory.ts";
import { runnerArguments } from "./program-runner.ts";
import { CALLS_DIRECTORY, CALLS_SOCKET, NODE, type ProgramCall } from "./program-shim.ts";

interface Served extends AsyncDisposable {
  /** What the sandbox of the tests needs, so that shims reach us. */
  mounts: Mount[];
}

interface ServedPrograms {
  sandbox: Sandbox;
  limits: SandboxLimits;
  signal: AbortSignal;
  /** The programs that tests may start, by path. */
  programs: string[];
  toolchain: Pick<Toolchain, "mounts" | "path" | "env">;
  /** A workspace with the change and without any test, by one of a few names; laid out anew for every call. */
  lay(name: string): Promise<{ directory: string; clear(): void }>;
}

const Call = z.object({
  program: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.string()),
  directories: z.array(z.string()),
}) satisfies z.ZodType<ProgramCall>;

const LONGEST_CALL = 8_000_000;
const MOST_AT_ONCE = 6;
/** A server that is asked for ever ends some time, too. */
const MOST_BYTES = 256_000_000;
const NODE_MOUNT: Mount = { from: process.execPath, to: NODE };

/** Runs each program that a test starts in a sandbox of its own, for as long as the test wants. */
export async function servePrograms(served: ServedPrograms): Promise<Served> {
  const done = new AbortController();
  const ongoing = new Set<Promise<void>>();
  const broken: unknown[] = [];
  const names = Array.from({ length: MOST_AT_ONCE }, (_, index) => (index === 0 ? "program" : `program-${index + 1}`));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {}); // `close` follows
    const name = names.shift();
    if (name === undefined) {
      socket.destroy();
      return;
    }
    const run = runCall(served, { socket, name, done: done.signal })
      .catch((error: unknown) => void broken.push(error))
      .finally(() => {
        names.push(name);
        ongoing.delete(run);
        socket.end();
      });
    ongoing.add(run);
  });
  const directory = await openSocketDirectory(server, CALLS_SOCKET);
  return {
    mounts: [{ from: directory.path, to: CALLS_DIRECTORY }, NODE_MOUNT],
    [Symbol.asyncDispose]: async () => {
      done.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all(ongoing);
      await directory[Symbol.asyncDispose]();
      if (broken.length > 0) throw broken[0]; // the sandbox itself: no report is worth anything then
    },
  };
}

/** Bytes of the shim go to the runner as they are, and back: what they mean is between those two. */
async function runCall(
  { sandbox, limits, signal, programs, toolchain, lay }: ServedPrograms,
  { socket, name, done }: { socket: Socket; name: string; done: AbortSignal },
): Promise<void> {
  const input = new PassThrough();
  const head = await firstLine(socket, input);
  const call = Call.safeParse(readJson(head));
  if (!call.success || !programs.includes(call.data.program)) return;
  const { mounts, path, env } = toolchain;
  const workspace = await lay(name);
  let passed = 0;
  try {
    await sandbox.run(
      {
        argv: runnerArguments(),
        stdin: `${head}\n`,
        stdinStream: input,
        onOutput: (stream, chunk) => {
          passed += chunk.length;
          if (passed > MOST_BYTES) socket.destroy();
          else if (stream === "stdout" && socket.writable) socket.write(chunk);
        },
        workspace: workspace.directory,
        mounts: [...mounts, NODE_MOUNT],
        path,
        env,
      },
      limits,
      AbortSignal.any([signal, done]),
    );
  } catch (error) {
    // The tests are over, or all is: nobody waits for this program.
    if (!done.aborted && !signal.aborted) throw error;
  } finally {
    input.destroy();
    workspace.clear();
  }
}

/** Settles with what comes before the first newline; what follows it goes to `rest`. Empty when there is none. */
function firstLine(socket: Socket, rest: PassThrough): Promise<string> {
  return new Promise((resolve) => {
    let head = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const at = head.indexOf("\n");
      if (at === -1 && head.length <= LONGEST_CALL) return;
      socket.off("data", read);
      if (at === -1) socket.destroy();
      else {
        rest.write(head.subarray(at + 1));
        socket.pipe(rest);
      }
      resolve(at === -1 ? "" : head.subarray(0, at).toString("utf8"));
    };
    socket.on("data", read);
    socket.on("close", () => {
      rest.end();
      resolve("");
    });
  });
}

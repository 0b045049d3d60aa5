import { spawn } from "node:child_process";
import { z } from "zod";
import type { Json } from "../../domain/json.ts";
import type { Hook } from "../../domain/settings/safety-settings.ts";

/** What one hook said. */
export interface HookAnswer {
  decision: "allow" | "ask" | "deny";
  /** Of a denial or a question; of an allowed call, what is added to the tool's answer. */
  reason: string;
}

const Said = z.strictObject({
  decision: z.enum(["allow", "ask", "deny"]).optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
});

const DENIED = 2;
const MOST_OUTPUT = 64_000;
const SHOWN = 2000;

/**
 * Asks one program of the person's: JSON on its stdin; exit code 0 allows, 2 denies with stderr as the reason, or JSON on
 * its stdout says it. It runs on the host as the person, with nothing of their environment but where programs and home
 * are. Anything else (another exit code, a signal, too long, unreadable) is a denial: no is the answer that harms least.
 */
export async function askHook(
  hook: Hook,
  question: Json,
  surroundings: { env: Record<string, string | undefined>; signal: AbortSignal },
): Promise<HookAnswer> {
  const ended = await run(hook, JSON.stringify(question), surroundings);
  if ("problem" in ended) return { decision: "deny", reason: `it could not be asked: ${ended.problem}` };
  const { code, signal, stdout, stderr } = ended;
  if (code === DENIED) return { decision: "deny", reason: stderr.trim() || "it gave no reason" };
  if (code !== 0) {
    const why = `it ended with ${signal ?? `exit code ${code}`}${stderr.trim() === "" ? "" : `: ${stderr.trim()}`}`;
    return { decision: "deny", reason: why.slice(0, SHOWN) };
  }
  if (stdout.trim() === "") return { decision: "allow", reason: "" };
  const said = parse(stdout);
  if (!said)
    return { decision: "deny", reason: "what it printed is no answer: {decision, reason} as JSON, or nothing" };
  const { decision = "allow", reason, note } = said;
  return { decision, reason: (decision === "allow" ? (note ?? "") : (reason ?? "it gave no reason")).slice(0, SHOWN) };
}

type Ended =
  | { problem: string }
  | { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

function run(
  { command, timeoutMs }: Hook,
  input: string,
  { env, signal }: { env: Record<string, string | undefined>; signal: AbortSignal },
): Promise<Ended> {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      // Not the project's: files of a repository must not steer a program of the person's.
      cwd: "/",
      env: cleanEnvironment(env),
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own: what it started ends with it.
      detached: true,
    });
    let timedOut = false;
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    signal.addEventListener("abort", end, { once: true });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      settle();
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    // A hook need not read what it is told.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => finish(() => resolve({ problem: error.message })));
    child.on("close", (code, killed) =>
      finish(() => {
        if (signal.aborted) reject(signal.reason);
        else if (timedOut) resolve({ problem: `it did not answer within ${timeoutMs / 1000} s` });
        else resolve({ code, signal: killed, stdout: stdout(), stderr: stderr() });
      }),
    );
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    if (text.length < MOST_OUTPUT) text += chunk.slice(0, MOST_OUTPUT - text.length);
  });
  return () => text;
}

/** Keys and tokens of the person's environment are none of a hook's business. */
function cleanEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME"]) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function parse(text: string): z.infer<typeof Said> | undefined {
  try {
    return Said.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

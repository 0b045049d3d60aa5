import { WORKSPACE } from "../sandbox/sandbox.ts";

export interface NormaliseOptions {
  /** Host path of the workspace; shown as the sandbox shows it. */
  workspace: string;
}

/**
 * Removes what differs between two identical runs from a command's output, so that a recorded step can run again with
 * the same output. Only texts of the runner itself are changed, by their form: a test that expects `took 1.50s` must
 * stay as it is.
 */
export function normaliseOutput(text: string, { workspace }: NormaliseOptions): string {
  let done = text.replace(ANSI_CODE, "").replaceAll("\r\n", "\n");
  if (workspace !== WORKSPACE && workspace.length > 1) done = done.replaceAll(workspace, WORKSPACE);
  for (const [pattern, replacement] of VARYING) done = done.replace(pattern, replacement);
  return done;
}

const ANSI_CODE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

const VARYING: [RegExp, string][] = [
  // pytest: the closing line, with or without its frame, and --durations
  [/^(=* ?(?:\d+ \w+(?:, )?|no tests ran)[\w ,]*) in \d+\.\d+s(?: \(\d+:\d\d:\d\d\))?(?= =|$)/gm, "$1"],
  [/^\d+\.\d+s (call|setup|teardown)( +\S)/gm, "$1$2"],
  // node --test: a line for each test, the closing lines, TAP
  [/^(\s*[✔✖▶﹣⚠].*?) \(\d+(?:\.\d+)?m?s\)/gm, "$1"],
  [/^(\s*(?:ℹ|#)? ?duration_ms:?) \d+(?:\.\d+)?$/gm, "$1"],
  // our own modules among the frames of a stack
  [/^\s+at .*\bdata:text\/javascript,.*\n/gm, ""],
  // vitest: lines for files and tests, the closing lines
  [/^(\s*[✓×❯↓] .*?) \d+(?:\.\d+)?m?s$/gm, "$1"],
  [/^(\s*(?:Start at|Duration)) .*$/gm, "$1"],
  [/^ +Isolate +\d.*\n(?: {8,}\S.*\n)*\n?/gm, ""],
  // Python: `<Thing object at 0x7f…>`
  [/\bat 0x[0-9a-f]{6,16}\b/g, "at 0x…"],
  // temporary directories of pytest, Python and mktemp
  [/\/tmp\/pytest-of-[^/\s'"]+\/pytest-\d+/g, "/tmp/pytest"],
  [/\/tmp\/tmp(?:[a-z0-9_]{8}|\.[A-Za-z0-9]{10})\b/g, "/tmp/tmp…"],
  // seeds of pytest-randomly, Hypothesis, fast-check
  [/(--randomly-seed=|--hypothesis-seed=)\d+/g, "$1…"],
  [/@seed\(\d+\)/g, "@seed(…)"],
  [/\{ seed: -?\d+, path:/g, "{ seed: …, path:"],
  [/^(E? *\d+ .*\bruntimes?: ).*$/gm, "$1…"],
];

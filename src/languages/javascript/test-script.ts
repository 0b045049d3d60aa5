import { type Command, parse, type SyntaxNode } from "unbash";
import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import { RUNNERS, type RunnerName, sortArguments } from "./runners.ts";

/** What a package.json says of its tests, reduced to the one command that runs them. */
export interface TestScript {
  runner: RunnerName;
  /** For bash: the runner with its own options and variables; null where nothing is said. */
  script: string | null;
  /** What the project does before it, such as a build. How it ends is no outcome of a test. */
  before: string[];
}

const Package = z.lazy(() =>
  z.object({
    scripts: z.record(z.string(), z.string()).optional().catch(undefined),
    dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
    devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  }),
);

/** A word as it is written, and what it stands for. */
interface Word {
  text: string;
  value: string;
}

/** A command of a script, with the variables that are set for it. */
interface Step {
  env: string[];
  words: Word[];
  /** Where it reads and writes. Of the tests nothing is led away. */
  redirects?: string[];
}

const NOTHING: TestScript = { runner: "node:test", script: null, before: [] };

/** Never throws: a script that nobody can take apart is run whole, and judged by its exit code. */
export function testCommandOf(text: string): TestScript {
  const { scripts = {}, ...manifest } = Package.safeParse(readJson(text)).data ?? {};
  const known = new Set([...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})]);
  const written = scripts.test ?? "";
  const installed = (["vitest", "jest", "mocha", "ava", "tap"] as const).filter((name) => known.has(name));
  const alone = installed[0] ? { runner: installed[0], script: installed[0], before: [] } : null;
  if (written.trim() === "" || /no test specified/.test(written)) return alone ?? NOTHING;
  const steps = new Scripts(scripts).steps("test");
  const sure = chosenOf(steps);
  const speaksTap = ["tape", "tap", "zora"].some((name) => known.has(name));
  // A program of the project's own is the last thing that its script runs.
  const found = sure || !speaksTap ? steps.indexOf(sure?.first ?? NO_STEP) : steps.findLastIndex(isPlainProgram);
  const chosen = sure?.step ?? steps[found];
  const runner = chosen ? (runnerOf(chosen) ?? "tape") : null;
  if (!chosen || runner === null) {
    // One program that is not ours to know (`ts-scripts test`) starts the one runner that is there.
    const [wrapper, ...others] = steps.filter((step) => !isLeftOut(step));
    const isWrapper = others.length === 0 && wrapper?.words.length === 2 && wrapper.words[1]?.value === "test";
    return isWrapper && alone && installed.length === 1 ? alone : { runner: "script", script: written, before: [] };
  }
  const before = steps.slice(0, found).filter((step) => !isLeftOut(step) && runnerOf(step) === null);
  return {
    runner,
    script: lineOf(withoutWrappers(chosen)),
    before: before.map((step) => [lineOf(step), ...(step.redirects ?? [])].join(" ")),
  };
}

/** Commands of runners beside the one that is run. */
export function otherRunners(text: string): string[] {
  const { scripts = {} } = Package.safeParse(readJson(text)).data ?? {};
  const steps = new Scripts(scripts).steps("test");
  const run = chosenOf(steps)?.stands ?? [];
  const others = steps.filter((step) => runnerOf(step) !== null && !run.includes(step));
  return others.map((step) => lineOf(withoutWrappers(step)));
}

interface Chosen {
  step: Step;
  /** Of the steps that it stands for, the first. */
  first: Step;
  stands: Step[];
}

const NO_STEP: Step = { env: [], words: [] };

/** Of the first runner's commands the one that runs every test; otherwise those that differ in their files alone, as one. */
function chosenOf(steps: readonly Step[]): Chosen | null {
  const first = steps.find((step) => runnerOf(step) !== null);
  const runner = first && runnerOf(first);
  if (!first || !runner) return null;
  const own = steps.filter((step) => runnerOf(step) === runner);
  const given = (step: Step) => sortArguments(runner, withoutWrappers(step).words.slice(1));
  const whole = own.find((step) => given(step).files.length === 0);
  if (whole) return { step: whole, first: whole, stands: [whole] };
  const said = (step: Step) => JSON.stringify([withoutWrappers(step).env, given(step).options]);
  const alike = own.filter((step) => said(step) === said(first));
  const { env, words } = withoutWrappers(first);
  const more = alike.filter((step) => step !== first).flatMap((step) => given(step).files);
  return { step: { ...first, env, words: [...words, ...more] }, first, stands: alike };
}

/** Names of the scripts that a test script runs, itself included: all of them decide how tests run. */
export function scriptsOfTests(text: string): string[] {
  const { scripts = {} } = Package.safeParse(readJson(text)).data ?? {};
  const reader = new Scripts(scripts);
  reader.steps("test");
  return [...reader.seen].filter((name) => scripts[name] !== undefined).sort();
}

/** The commands of a script in order, those of the scripts that it runs included. */
class Scripts {
  readonly seen = new Set<string>(["pretest", "posttest"]);
  readonly #scripts: Record<string, string>;

  constructor(scripts: Record<string, string>) {
    this.#scripts = scripts;
  }

  steps(name: string, more: Word[] = [], env: string[] = []): Step[] {
    const text = this.#scripts[name];
    if (text === undefined) return [];
    this.seen.add(name);
    const script = parse(text);
    const isRead = (script.errors?.length ?? 0) === 0;
    const steps = isRead ? script.commands.flatMap((node) => this.#of(node, text)) : [opaque(text)];
    const last = steps.at(-1);
    const given = last ? [...steps.slice(0, -1), { ...last, words: [...last.words, ...more] }] : [];
    return [...this.steps(`pre${name}`), ...given.map((step) => ({ ...step, env: [...env, ...step.env] }))];
  }

  #of(node: SyntaxNode, text: string): Step[] {
    switch (node.type) {
      case "Statement":
        return this.#of(node.command, text);
      case "AndOr":
        // Behind `||` stands what is done about a failure.
        return node.commands
          .filter((_, index) => index === 0 || node.operators[index - 1] === "&&")
          .flatMap((one) => this.#of(one, text));
      case "Pipeline":
        // What reads the output only makes it prettier.
        return node.commands.slice(0, 1).flatMap((one) => this.#of(one, text));
      case "Command":
        return this.#ofCommand(node, text);
      default:
        return "pos" in node ? [opaque(text.slice(node.pos, node.end))] : [];
    }
  }

  #ofCommand({ name, prefix, args, redirects: led }: Command, text: string): Step[] {
    const env = prefix.flatMap((one) => (one.type === "Assignment" ? one.text : []));
    const words = args.map((one) => ({ text: one.text, value: one.type === "Word" ? one.value : one.text }));
    const redirects = led.map(({ pos, end }) => text.slice(pos, end));
    const step = { env, words: name ? [{ text: name.text, value: name.value }, ...words] : [], redirects };
    const inner = withoutWrappers(step);
    const [manager = "", ...rest] = inner.words.map(({ value }) => value);
    const several = /^(run-s|run-p|npm-run-all\d?)$/.test(manager) ? rest.filter((word) => !word.startsWith("-")) : [];
    const called = several.length > 0 ? several.flatMap((one) => this.#named(one)) : this.#calledBy(manager, rest);
    if (called.length === 0) return [step];
    const dashes = rest.indexOf("--");
    const more = several.length > 0 || dashes < 0 ? [] : inner.words.slice(dashes + 2);
    return called.flatMap((one) => (this.seen.has(one) ? [] : this.steps(one, more, inner.env)));
  }

  /** `test:*` of npm-run-all. */
  #named(pattern: string): string[] {
    if (!pattern.endsWith("*")) return this.#scripts[pattern] === undefined ? [] : [pattern];
    const start = pattern.replace(/\*+$/, "");
    return Object.keys(this.#scripts).filter((name) => name.startsWith(start));
  }

  /** `npm run lint`, `pnpm lint`: the script of that name. */
  #calledBy(manager: string, rest: string[]): string[] {
    if (!/^(npm|pnpm|yarn|bun)$/.test(manager)) return [];
    const [first, second] = rest.filter((word) => !word.startsWith("-"));
    const name = first === "run" || first === "run-script" ? second : first === "t" ? "test" : first;
    const isPlain = manager === "npm" && first !== "run" && first !== "run-script";
    if (name === undefined || (isPlain && name !== "test")) return [];
    return this.#scripts[name] === undefined ? [] : [name];
  }
}

/** What the shell does beyond running one command: kept as it is written. */
const opaque = (text: string): Step => ({ env: [], words: [{ text, value: "" }] });

/** Programs that start another one and change nothing of what its tests say. */
const WRAPPERS = /^(npx|c8|nyc|cross-env(-shell)?|env|exec|time|pnpm|yarn|npm|bun|bunx)$/;
const PROGRAM = /^(node|tsx|ts-node|npm|npx|pnpm|yarn|bun)$/;

/** `cross-env A=1 c8 --all mocha` is `A=1 mocha`. */
function withoutWrappers(step: Step): Step {
  const [first, ...rest] = step.words;
  if (!first || !WRAPPERS.test(first.value)) return step;
  const at = rest.findIndex(
    ({ value }) => PROGRAM.test(value) || WRAPPERS.test(value) || runnerNamed(value) !== null || isLinter(value),
  );
  if (at < 0) return step;
  // `npm run test`: what it runs is a script, no program of that name.
  if (/^(npm|pnpm|yarn|bun)$/.test(first.value) && rest.slice(0, at).some(({ value }) => !/^(exec|--?.*)$/.test(value)))
    return step;
  const env = rest.slice(0, at).filter(({ value }) => /^[A-Za-z_]\w*=/.test(value));
  return withoutWrappers({ env: [...step.env, ...env.map(({ text }) => text)], words: rest.slice(at) });
}

/** `node test/index.js`. */
function isPlainProgram(step: Step): boolean {
  const [first = "", ...rest] = withoutWrappers(step).words.map(({ value }) => value);
  return /^(node|tsx)$/.test(first) && rest.some((word) => /\.[cm]?[jt]s$/.test(word));
}

function runnerOf(step: Step): RunnerName | null {
  const [first, ...rest] = withoutWrappers(step).words.map(({ value }) => value);
  if (first === undefined) return null;
  if (/^(node|tsx)$/.test(first)) {
    if (rest.some((word) => word === "--test")) return "node:test";
    const program = rest.find((word) => !word.startsWith("-") && runnerNamed(word) !== null);
    return program !== undefined && /[/.]/.test(program) ? runnerNamed(program) : null;
  }
  return runnerNamed(first);
}

/** `mocha`, `./node_modules/.bin/mocha`, `node_modules/mocha/bin/mocha.js`. */
function runnerNamed(word: string): RunnerName | null {
  const name = /node_modules\/(?:\.bin\/)?([\w-]+)/.exec(word)?.[1] ?? word;
  const bare = name === "_mocha" ? "mocha" : name;
  return RUNNERS.find((runner) => runner === bare) ?? null;
}

/** What looks at code without running it, and what needs the network: no test depends on it. */
const LINTERS = new Set(
  (
    "xo standard semistandard ts-standard eslint prettier biome oxlint oxfmt tslint jshint flow tsd tstyche dtslint attw " +
    "publint knip depcheck madge size-limit bundlesize codecov coveralls commitlint markdownlint cspell stylelint " +
    "check-dts vue-tsc installed-check npm-check lockfile-lint ls-engines aud are-the-types-wrong"
  ).split(" "),
);

const isLinter = (word: string): boolean => LINTERS.has(word);

function isLeftOut(step: Step): boolean {
  const [first = "", ...rest] = withoutWrappers(step).words.map(({ value }) => value);
  if (isLinter(first) || step.words.length === 0) return true;
  if (/^(tsc|tsgo)$/.test(first)) return rest.some((word) => /^--?noEmit$/i.test(word));
  return /^(npm|pnpm|yarn)$/.test(first) && /^(i|install|ci|audit)$/.test(rest[0] ?? "install");
}

const lineOf = ({ env, words }: Step): string => [...env, ...words.map(({ text }) => text)].join(" ");

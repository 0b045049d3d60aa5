import { type Field, leading, literal } from "../shell/field.ts";
import type { CommandRules } from "./command-rules.ts";
import { onlyShowsCompose } from "./compose-config.ts";
import { isSameOption, type OptionShape, readArguments } from "./options.ts";

/** Options that stand before the subcommand and take a value. */
const BEFORE_SUBCOMMAND: Record<string, OptionShape> = {
  git: {
    short: "Cc",
    long: ["git-dir", "work-tree", "namespace", "super-prefix", "config-env", "attr-source"],
    stops: true,
  },
  npm: { short: "w", long: ["prefix", "registry", "cache", "userconfig", "workspace", "loglevel"], stops: true },
  go: { short: "C", stops: true },
  terraform: { stops: true },
  uv: { long: ["directory", "project", "python", "index-url", "cache-dir"], short: "p", stops: true },
  pip: { long: ["cache-dir", "proxy", "timeout", "python", "log"], stops: true },
};

/** Programs whose long options have one dash, so that letters are no clusters. */
const ONE_DASH = new Set([
  "gdb",
  "lldb",
  "emacs",
  "gcc",
  "openssl",
  "terraform",
  "go",
  "perf",
  "vim",
  "sqlite3",
  "zip",
]);

/** The words from the subcommand on; global options apart. */
export function splitSubcommand(base: string, words: Field[]): { before: Field[]; words: Field[] } {
  const shape = BEFORE_SUBCOMMAND[base];
  if (shape === undefined) return { before: [], words };
  const { operands } = readArguments(words, shape);
  return { before: words.slice(0, words.length - operands.length), words: operands };
}

/** `git reset --hard`: the program, the words in their order, and the options wherever they stand. */
function matchesPattern(pattern: string, base: string, words: Field[]): boolean {
  // Nearly all patterns are of other programs.
  if (!pattern.trimStart().startsWith(base)) return false;
  const [program, ...wanted] = pattern.trim().split(/\s+/);
  if (program !== base) return false;
  if (wanted.length === 0) return true;
  const { before, words: own } = splitSubcommand(base, words);
  const plain = wanted.filter((word) => !word.startsWith("-"));
  const options = wanted.filter((word) => word.startsWith("-"));
  const operands = own.filter((field) => !leading(field).startsWith("-"));
  if (!plain.every((word, index) => matchesWord(word, operands[index]))) return false;
  // An option alone (`git --exec-path`) stands before the subcommand, or there is none.
  const searched = plain.length > 0 || before.length === 0 ? own : before;
  return options.every((option) => searched.some((field) => matchesOption(option, leading(field), base)));
}

const matchesWord = (word: string, field: Field | undefined): boolean =>
  field !== undefined && (word === "*" || literal(field) === word);

function matchesOption(option: string, given: string, base: string): boolean {
  if (option.startsWith("--")) return isSameOption(given.split("=", 1)[0] ?? "", option);
  if (given === option) return true;
  if (option.length > 2 || ONE_DASH.has(base)) return given.startsWith(`${option}=`);
  return given.startsWith(option) || (/^-[A-Za-z0-9]+$/.test(given) && given.includes(option.slice(1)));
}

/** Rules of the file whose words match, and what the user's lists say. */
export function listedRules(rules: CommandRules, base: string, words: Field[]): string[] {
  const matches = (patterns: string[]) => patterns.some((pattern) => matchesPattern(pattern, base, words));
  if (matches(rules.deny)) return ["user.deny"];
  if (matches(rules.ask)) return ["user.ask"];
  if (matches(rules.allow)) return [];
  if (onlyShowsCompose(base, words)) return [];
  return Object.entries(rules.rules).flatMap(([name, { commands }]) => (matches(commands) ? [name] : []));
}

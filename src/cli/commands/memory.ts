import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Command, Option } from "commander";
import { positiveInteger } from "../../config/parse-setting.ts";
import { fail } from "../../domain/failure.ts";
import { audienceOf, type MemoryKind, type MemoryScope, type MemoryStatus } from "../../domain/memory/memory-record.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Store } from "../../store/store.ts";
import { checked } from "../input/options.ts";
import { readAll } from "../input/read-all.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { recordLine, recordText } from "../text/memory-text.ts";
import { effectText, useText } from "../text/memory-use-text.ts";

/** Lessons and patterns: what is known, and what shall not be known any more. */
export function define(command: Command, context: CommandContext): void {
  const { terminal } = context;
  command.addHelpText("after", HELP);

  sub(command, "list", "what is known, newest first")
    .addOption(kindOption())
    .addOption(new Option("--status <status>", "only these").choices(["active", "quarantined", "pruned"]))
    .option("--all", "of every project")
    .option("-n, --limit <n>", "how many", checked(positiveInteger), 20)
    .option("--json", "one record per line")
    .action((flags: ListFlags) => withMemory(terminal, (memory, project) => list(memory, project, flags, terminal)));

  sub(command, "show <id>", "everything that is known of one record")
    .option("--json", "as JSON")
    .action((id: string, { json }: { json?: boolean }) =>
      withMemory(terminal, async (memory, _, store) => {
        const [record] = await memory.get([id]);
        if (!record) throw unknown(id);
        const [{ usesOf }, { effectOf }] = await Promise.all([
          import("../../memory/uses.ts"),
          import("../../memory/effect/effect.ts"),
        ]);
        const effect = effectOf(await usesOf(store.read, [record.id]));
        terminal.output.write(
          json ? `${JSON.stringify({ ...record, effect })}\n` : `${recordText(record)}\n${effectText(effect)}\n`,
        );
      }),
    );

  sub(command, "search [text...]", "what fits an error or a description; the text from standard input without words")
    .addOption(kindOption())
    .option("--prose", "the text is a description, not an error")
    .option("--language <name>", "the language of the error: python, javascript, typescript, go", "")
    .option("--all", "of every project and language")
    .option("-n, --limit <n>", "how many", checked(positiveInteger), 5)
    .option("--json", "one JSON document, with the scores")
    .action((words: string[], flags: SearchFlags) =>
      withMemory(terminal, (memory, project) => search(memory, project, words, flags, terminal)),
    );

  sub(command, "forget <ids...>", "delete records for good").action((ids: string[]) =>
    withMemory(terminal, async (memory) => {
      const gone = await memory.forget(ids);
      if (gone === 0) throw unknown(ids.join(", "));
      terminal.output.write(`forgot ${count(gone, "record")}\n`);
      const left = new Set(ids).size - gone;
      if (left > 0) terminal.error.write(`miracle: no record for ${count(left, "id")}\n`);
    }),
  );

  sub(command, "export", "everything as JSON lines, for `memory import` elsewhere")
    .addOption(kindOption())
    .option("--all", "of every project")
    .action(({ kind, all }: ListFlags) =>
      withMemory(terminal, async (memory, project) => {
        for await (const record of known(memory, project, { kind, all })) {
          terminal.output.write(`${JSON.stringify(record)}\n`);
        }
      }),
    );

  sub(command, "import <file>", "keep records from JSON lines, at zero trust; - reads standard input")
    .addOption(
      new Option("--scope <scope>", "who may find them, whatever scope a line has")
        .choices(["project", "language", "global"])
        .default("project"),
    )
    .option("--json", "the result as JSON")
    .action((file: string, flags: { scope: MemoryScope; json?: boolean }) =>
      withMemory(terminal, (memory, project) => importFile(memory, project, file, flags, context)),
    );

  sub(command, "prune", "down to so many lessons: the least trusted and longest untouched go")
    .option("--keep <n>", "how many stay", checked(positiveInteger))
    .action(({ keep }: { keep?: number }) =>
      withMemory(terminal, async (memory) => {
        terminal.output.write(`forgot ${count(await memory.prune(keep), "lesson")}\n`);
      }),
    );

  sub(command, "reindex", "make every vector again, after another model or many new lessons").action(() =>
    withMemory(terminal, async (memory) => {
      terminal.output.write(`indexed ${count(await memory.reindex(), "record")}\n`);
    }),
  );

  sub(command, "stats", "how much is known, how often it was of use, and what that cost and saved")
    .option("--json", "as JSON")
    .action(({ json }: { json?: boolean }) =>
      withMemory(terminal, async (memory, _, store) => {
        const stats = await memory.stats();
        const { useFigures } = await import("../../memory/uses.ts");
        const use = await useFigures(store.read);
        terminal.output.write(
          json ? `${JSON.stringify({ ...stats, use })}\n` : `${statsText(stats)}${useText(use).join("\n")}\n`,
        );
      }),
    );
}

interface ListFlags {
  kind?: MemoryKind;
  status?: MemoryStatus;
  all?: boolean;
  limit?: number;
  json?: boolean;
}

interface SearchFlags {
  kind?: MemoryKind;
  prose?: boolean;
  language: string;
  all?: boolean;
  limit: number;
  json?: boolean;
}

const sub = (command: Command, usage: string, summary: string): Command =>
  command.command(usage).description(summary).helpOption("-h, --help", "show help").copyInheritedSettings(command);

const kindOption = () => new Option("--kind <kind>", "only these").choices(["lesson", "pattern"]);

async function withMemory(
  terminal: Terminal,
  work: (memory: Memory, project: string, store: Store) => Promise<void>,
): Promise<void> {
  await using opened = await openApp(terminal, terminal.directory);
  const memory = await opened.app.openMemory(opened.config.settings, (message) =>
    terminal.error.write(`miracle: ${message}\n`),
  );
  const { projectOf } = await import("../../memory/project-id.ts");
  await work(memory, projectOf(terminal.directory), opened.app.store);
}

/** Of this project and of everyone; or everything. */
async function* known(memory: Memory, project: string, { kind, status, all }: ListFlags) {
  const mine = audienceOf({ scope: "project", project, language: "" });
  for await (const record of memory.list({ ...(kind && { kind }), ...(status && { status }) })) {
    if (all || record.scope !== "project" || audienceOf(record) === mine) yield record;
  }
}

async function list(memory: Memory, project: string, flags: ListFlags, { output, error }: Terminal): Promise<void> {
  let left = flags.limit ?? 20;
  let any = false;
  for await (const record of known(memory, project, flags)) {
    if (left === 0) break;
    left -= 1;
    any = true;
    output.write(flags.json ? `${JSON.stringify(record)}\n` : recordLine(record));
  }
  if (!any && !flags.json) error.write("nothing is known here yet; --all lists every project's\n");
}

async function search(
  memory: Memory,
  project: string,
  words: string[],
  flags: SearchFlags,
  terminal: Terminal,
): Promise<void> {
  const text = words.length > 0 ? words.join(" ") : await readInput(terminal);
  if (text.trim() === "")
    throw fail("invalid-input", "memory.nothing-sought", "what to search for? give words, or a text on standard input");
  const hits = await memory.find({
    kind: flags.kind ?? "lesson",
    ...(flags.prose ? { prose: text } : { error: text }),
    for: flags.all ? "any" : { project, language: flags.language },
    limit: flags.limit,
  });
  if (flags.json) terminal.output.write(`${JSON.stringify({ results: hits })}\n`);
  else if (hits.length === 0) terminal.error.write("nothing like that is known\n");
  else {
    if (!hits.some(({ isLikely }) => isLikely))
      terminal.error.write("nothing is likely of the same cause; the nearest:\n");
    for (const hit of hits) terminal.output.write(recordLine(hit.record, hit));
  }
}

async function importFile(
  memory: Memory,
  project: string,
  file: string,
  { scope, json }: { scope: MemoryScope; json?: boolean },
  { terminal, finish }: CommandContext,
): Promise<void> {
  const { importLines } = await import("../../memory/import-lines.ts");
  const input = file === "-" ? terminal.input : await openFile(resolve(terminal.directory, file), file);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const place = { scope, project: scope === "project" ? project : "" };
  const result = await importLines(memory, lines, file === "-" ? "stdin" : basename(file), place);
  for (const { line, reason } of result.refused) terminal.error.write(`miracle: line ${line} is refused: ${reason}\n`);
  const { kept, merged, refused } = result;
  terminal.output.write(
    json ? `${JSON.stringify(result)}\n` : `kept ${kept}, known already ${merged}, refused ${refused.length}\n`,
  );
  if (result.elsewhere > 0)
    terminal.error.write(
      `miracle: ${count(result.elsewhere, "line")} had another scope; what is imported is for ${WHOM[scope]}, as --scope says\n`,
    );
  if (refused.length > 0) finish(EXIT.notProven);
}

const WHOM = {
  project: "this project alone",
  mine: "your projects",
  language: "its language",
  global: "everyone",
} as const;

async function openFile(path: string, shown: string): Promise<NodeJS.ReadableStream> {
  try {
    const handle = await open(path);
    if ((await handle.stat()).isFile()) return handle.createReadStream();
    await handle.close();
  } catch (cause) {
    throw fail("invalid-input", "memory.unreadable", `${shown} cannot be read; give a file of JSON lines`, { cause });
  }
  throw fail("invalid-input", "memory.unreadable", `${shown} is no file; give a file of JSON lines`);
}

async function readInput({ input }: Terminal): Promise<string> {
  return input.isTTY === true ? "" : readAll(input, Number.POSITIVE_INFINITY);
}

function statsText({ lessons, patterns, vectors, weights, prose }: Awaited<ReturnType<Memory["stats"]>>): string {
  const table = (name: string, rows: typeof lessons) =>
    rows.length === 0
      ? [`${name}: none`]
      : rows.map(({ status, scope, count: number }) => `${name}: ${number} ${status}, ${scope}`);
  return `${[
    ...table("lessons", lessons),
    ...table("patterns", patterns),
    ...Object.entries(vectors).map(([model, number]) => `vectors: ${number} of ${model}`),
    weights.version === 0
      ? "weights: not learnt yet"
      : `weights: version ${weights.version}, learnt from ${count(weights.records, "lesson")}`,
    `prose: ${prose ?? "by words alone, the sentence model is not installed"}`,
  ].join("\n")}\n`;
}

const unknown = (id: string) =>
  fail("invalid-input", "memory.unknown", `there is no record ${id}; \`miracle memory list --all\` lists them`);

const HELP = `
A lesson is what is known of a failure: how it shows, and the change that made it go away. A pattern is how a kind of
problem was solved. They belong to this project unless their scope is a language or global.

An import has a JSON object on each line. Fields of a lesson: error (needed), language, goal, context, failedCode, diff,
reason, id. Fields of a pattern: kind "pattern", problemType and description (needed), plan, interfaces, codeTemplate,
testTemplate, language, id. Others are ignored; a bad line is refused and told, the rest is kept. Who may find them is said
by --scope (this project unless it is given) and not by the file, whose text nobody here has vouched for.

Tasks ask it before coding and after a red iteration, and teach it (unless --no-memory, or memory.enabled: false). A tenth
of what is found is held back, drawn by task: \`stats\` and \`show\` compare iterations with and without a record. What harms
is quarantined, what does nothing loses its place.

Examples:
  pytest 2>&1 | miracle memory search --language python
  miracle memory search --prose "parse dates with time zones" --kind pattern
  miracle memory import lessons.jsonl --scope global
  miracle memory export --all > lessons.jsonl`;

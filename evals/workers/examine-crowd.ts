import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { type Asked, callsOf, filesOf, type Numbered, recordedCall } from "./numbered-goals.ts";
import { BUDGET, isGiven } from "./worker-crowd.ts";

const TaskRow = z.object({ id: z.string(), status: z.string(), spent: z.coerce.number(), epoch: z.coerce.number() });
const CallRow = z.object({ task_id: z.string(), path: z.string(), ended_at: z.coerce.number() });

export interface Seen {
  /** Sentences that say what does not hold. */
  problems: string[];
  /** Claims beyond the first two, which belong to writing it down and to working on it. */
  takeOvers: number;
  calls: number;
  /** Todos that were worked on by another worker than their task's. */
  lent: number;
  spentMicros: number;
}

/** Whether everything ended, once and right. `numbers` says which task has which goal. */
export async function examineCrowd(
  databaseUrl: string,
  numbers: Map<string, Numbered>,
  asked: Asked[],
  places: { directories: string[]; dataDirectories: string[] },
): Promise<Seen> {
  const tasks = await rows(databaseUrl, TaskRow, "select id, status, spent_micros as spent, epoch from miracle.tasks");
  const calls = await rows(
    databaseUrl,
    CallRow,
    "select task_id, path, ended_at from miracle.steps where kind = 'model' order by task_id, sequence",
  );
  const settled = `select task_id as id from miracle.events where type = 'task-settled' group by task_id having count(*) > 1`;
  const twice = await rows(databaseUrl, z.object({ id: z.string() }), settled);
  const problems = [
    ...[...numbers.keys()].filter((id) => !tasks.some((task) => task.id === id)).map((id) => `${id} is gone`),
    ...tasks.filter(({ status }) => status !== "checked").map(({ id, status }) => `${id} is ${status}`),
    ...twice.map(({ id }) => `${id} has ended twice`),
    ...tasks.filter(({ spent }) => spent > BUDGET * 1e6).map(({ id, spent }) => `${id} has spent ${spent}`),
    ...tasks.flatMap(({ id }) => callProblems(id, numbers.get(id), calls, asked)),
    ...places.directories.flatMap((directory, index) =>
      treeProblems(
        directory,
        [...numbers.values()].filter(({ number }) => number % places.directories.length === index),
      ),
    ),
    ...places.dataDirectories.flatMap((data) => storeProblems(join(data, "artifacts.git"))),
  ];
  const takeOvers = tasks.reduce((sum, { epoch }) => sum + Math.max(0, epoch - 3), 0);
  const beaten = "select count(*) as lent from miracle.loans where beat > 1";
  const [{ lent } = { lent: 0 }] = await rows(databaseUrl, z.object({ lent: z.coerce.number() }), beaten);
  return {
    problems,
    takeOvers,
    calls: calls.length,
    lent,
    spentMicros: tasks.reduce((sum, { spent }) => sum + spent, 0),
  };
}

/** Each call is recorded once, and is not asked for after that. */
function callProblems(
  id: string,
  numbered: Numbered | undefined,
  calls: z.infer<typeof CallRow>[],
  asked: Asked[],
): string[] {
  if (!numbered) return [];
  const own = calls.filter(({ task_id }) => task_id === id);
  const recorded = own.map(({ path }) => recordedCall(path)).sort();
  if (recorded.join() !== callsOf(numbered).sort().join())
    return [`${id} has recorded the calls ${recorded.join(", ")}`];
  return own.flatMap(({ path, ended_at: endedAt }) =>
    asked
      .filter(({ number, call, at }) => number === numbered.number && call === recordedCall(path) && at > endedAt)
      .map(({ call }) => `call ${call} of ${id} was asked for again after it was recorded`),
  );
}

function treeProblems(directory: string, numbers: Numbered[]): string[] {
  const wanted = new Map(numbers.flatMap(filesOf));
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = entries.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
  return [
    ...found.filter((path) => !wanted.has(path) && !isGiven(path)).map((path) => `${path} in ${directory} is nobody's`),
    ...[...wanted].flatMap(([path, content]) => {
      const file = join(directory, path);
      if (!existsSync(file)) return [`${path} is missing in ${directory}`];
      return readFileSync(file, "utf8") === content ? [] : [`${path} in ${directory} is wrong`];
    }),
  ];
}

function storeProblems(repository: string): string[] {
  if (!existsSync(repository)) return [];
  try {
    execFileSync("git", ["-C", repository, "fsck", "--full", "--strict", "--no-dangling"], { stdio: "pipe" });
    return [];
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout).slice(0, 500) : "";
    return [`git fsck of ${repository}: ${error instanceof Error ? error.message : error} ${said}`];
  }
}

export async function rows<T extends z.ZodType>(url: string, shape: T, sql: string): Promise<z.output<T>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows.map((row) => shape.parse(row));
  } finally {
    await client.end();
  }
}

import { z } from "zod";
import { readJson } from "../domain/json.ts";
import { removeTree } from "../workspace/remove-tree.ts";
import type { HousedLanguage } from "./environment.ts";
import { ASK_NODE, ASK_PYTHON } from "./index-programs.ts";
import { type Base, type BuildParts, runManager } from "./run-manager.ts";
import type { WantedPackage } from "./wanted-package.ts";

/** What the index says of the release that a range means today. Null: it does not say. */
export interface PackageFacts {
  name: string;
  version: string;
  licence: string | null;
  releasedAt: number | null;
  /** How many releases there are of it. */
  releases: number;
  /** The host of the index. */
  from: string;
  remarks: string[];
}

/** An index is not ours, and the program that read it ran beside it. */
const Said = z.object({
  status: z.int(),
  version: z
    .string()
    .regex(/^\d[\w.!+-]{0,60}$/)
    .nullable()
    .catch(null),
  licence: z
    .string()
    .regex(/^[^\p{Cc}]{1,80}$/u)
    .nullable()
    .catch(null),
  released: z.string().max(40).nullable().catch(null),
  releases: z.int().nonnegative().catch(0),
  remarks: z
    .array(z.string().regex(/^[^\p{Cc}]{1,200}$/u))
    .max(5)
    .catch([]),
});

const NAMES: Record<HousedLanguage, RegExp> = {
  python: /^[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?$/,
  javascript: /^(?:@[a-z0-9~-][\w.~-]{0,98}\/)?[a-z0-9~-][\w.~-]{0,98}$/i,
  go: /^[\w.~/-]{1,200}$/,
};
const RANGE = /^[\w.*+!^~<>=,| -]{0,100}$/;

/** Asks the index of the language, in a sandbox that reaches nothing else. What cannot be told is one line. */
export async function askIndex(
  { language, name, range }: WantedPackage,
  base: Base,
  parts: BuildParts,
): Promise<PackageFacts | { problem: string }> {
  const [host] = parts.registries[language] ?? [];
  if (!NAMES[language].test(name)) return { problem: `${name.slice(0, 100)} is no name of a package` };
  if (!RANGE.test(range)) return { problem: `${range.slice(0, 100)} is no version of ${name}` };
  if (language === "go") return { problem: "the index of Go's modules is not asked" };
  if (host === undefined) return { problem: `no index is set for ${language} (safety.registries)` };
  if (parts.sandbox.backend !== "bubblewrap") return { problem: "only bubblewrap lets an index be asked" };
  const draft = parts.directories.begin("index");
  try {
    const program = language === "python" ? ASK_PYTHON : ASK_NODE;
    const files = [
      { path: "wanted.json", content: JSON.stringify({ name, range }) },
      { path: "ask", content: program },
    ];
    const command = language === "python" ? "python3 -B ask" : "node --input-type=commonjs < ask";
    const { result } = await runManager(draft, { language, files, command }, base, parts);
    const said = Said.safeParse(readJson(result.stdout.trim().split("\n").at(-1) ?? "")).data;
    if (!said || said.status === 424 || said.status === 0) return { problem: `${host} cannot be reached` };
    if (said.status !== 200) return { problem: `${host} has no package named ${name}` };
    if (said.version === null) return { problem: `${host} has no release of ${name}${range} that could be used here` };
    const releasedAt = Date.parse(said.released ?? "");
    const { version, licence, releases, remarks } = said;
    return {
      name,
      version,
      licence,
      releasedAt: Number.isNaN(releasedAt) ? null : releasedAt,
      releases,
      from: host,
      remarks,
    };
  } finally {
    removeTree(draft);
  }
}

const DAY_MS = 24 * 3_600_000;

/** For the person who is asked: one line for each thing that the index says, and for what it does not. */
export function describeFacts(facts: PackageFacts, now: number): string[] {
  const { name, version, licence, releasedAt, releases, from, remarks } = facts;
  const age = releasedAt === null ? null : Math.max(0, Math.floor((now - releasedAt) / DAY_MS));
  const released =
    releasedAt === null
      ? `${from} does not say when`
      : `${new Date(releasedAt).toISOString().slice(0, 10)} (${age === 1 ? "1 day" : `${age} days`} ago)`;
  return [
    `${name} ${version} from ${from}`,
    `licence: ${licence ?? "none is stated by a short name"}`,
    `released: ${released}`,
    ...(releases === 1 ? [`new: ${from} has no other release of ${name}`] : []),
    ...remarks,
  ];
}

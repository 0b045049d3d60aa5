import { basename } from "node:path/posix";
import type { ReadByPeople } from "../../languages/python/python-units.ts";
import { oddSource } from "../../syntax/odd-source.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Entry } from "../../workspace/tree.ts";
import type { ChangedFile } from "./change-parts.ts";
import { compareUnits, type UnitChange } from "./compare-units.ts";
import { type CompilerSurroundings, compiledUnits } from "./compiled-units.ts";
import { isMostlyIn } from "./is-mostly-in.ts";
import type { UnitSide } from "./unit-side.ts";

/** What a change of sources comes to, unit by unit. */
export interface ChangedMeaning {
  /** Everything that differs, but for comments and layout. */
  changes: UnitChange[];
  /** Changed sources of which nobody can say what they mean, before or after. */
  unreadable: { path: string; why: string }[];
}

/** What of the changed sources, or of other files, means something else than before: by what their interpreters make of it. */
export async function changedMeaning(
  artifacts: ArtifactStore,
  around: CompilerSurroundings,
  { base, result }: { base: string; result: string },
  files: readonly ChangedFile[],
  isAsked: (file: ChangedFile) => boolean = ({ part }) => part === "source",
): Promise<ChangedMeaning> {
  const asked = files.filter(isAsked);
  const known = asked.filter(({ path }) => !path.endsWith(".pyi") && grammarOf(path) !== null);
  const unreadable = asked
    .filter(({ path }) => grammarOf(path) === null)
    .map(({ path }) => ({ path, why: "its language cannot be proven" }));
  const found: ChangedMeaning = { changes: [], unreadable };
  const people = known.some(({ path }) => path.endsWith(".py"))
    ? readByPeople(artifacts, [base, result])
    : { docs: true, types: true, own: [] };
  const listed = listsMembers(artifacts, [base, result]);
  const pairs = pairFiles(artifacts, known);
  const [old, now] = await Promise.all(
    (["old", "now"] as const).map((side) => readSides(artifacts, around, people, entriesOf(pairs, side))),
  );
  for (const pair of pairs) {
    const sides = [
      [pair.old, old],
      [pair.now, now],
    ] as const;
    const [was, is] = sides.map(([entry, units]) => (entry ? (units?.get(entry.path) ?? null) : null));
    // What nobody could read before is all new now.
    if (is && "unreadable" in is) found.unreadable.push({ path: pair.path, why: is.unreadable });
    else if (was && "unreadable" in was && !is) found.unreadable.push({ path: pair.path, why: was.unreadable });
    else found.changes.push(...compareUnits(sideOf(was), sideOf(is), listed));
  }
  return found;
}

type Side = UnitSide | { unreadable: string };

const sideOf = (side: Side | null | undefined): UnitSide | null => (side && "units" in side ? side : null);

interface FilePair {
  path: string;
  old: Entry | undefined;
  now: Entry | undefined;
}

const entriesOf = (pairs: readonly FilePair[], side: "old" | "now"): Entry[] =>
  pairs.flatMap((pair) => pair[side] ?? []);

async function readSides(
  artifacts: ArtifactStore,
  around: CompilerSurroundings,
  people: ReadByPeople,
  entries: readonly Entry[],
): Promise<Map<string, Side>> {
  const read = entries.map(({ path, id }) => ({ path, bytes: artifacts.readBlob(id) }));
  const files = read.map(({ path, bytes }) => ({ path, content: bytes.toString("utf8") }));
  const units = await compiledUnits(around, files, people);
  return new Map(
    read.map(({ path, bytes }): [string, Side] => {
      const odd = oddSource(path, bytes);
      const own = odd === null ? (units.get(path) ?? []) : { unreadable: odd };
      return [path, "unreadable" in own ? own : { path, text: bytes.toString("utf8"), units: own }];
    }),
  );
}

const ASKS_FOR_DOCS = /\.__doc__\b|["']__doc__["']|\bgetdoc\(/;
const ASKS_FOR_TYPES =
  /__annotat|\bget_type_hints\b|\bget_annotations\b|\bsignature\(|\bget(?:full)?argspec\b|\binspect\.[sS]ignature\b|\bimport\b.*\b[sS]ignature\b/;

/** Docstrings and annotations are for people only where no code of the project asks for them. */
function readByPeople(artifacts: ArtifactStore, trees: readonly string[]): ReadByPeople {
  const entries = trees.flatMap((tree) => artifacts.list(tree));
  const ids = new Set(entries.filter(({ path, kind }) => kind === "file" && path.endsWith(".py")).map(({ id }) => id));
  const people = { docs: true, types: true, own: ownModules(entries) };
  for (const id of ids) {
    const text = artifacts.readBlob(id).toString("utf8");
    if (ASKS_FOR_DOCS.test(text)) people.docs = false;
    if (ASKS_FOR_TYPES.test(text)) people.types = false;
  }
  return people;
}

/** Names of a class, and not those of an object: `vars(cls)`, `type(self).__dict__`, `Object.getOwnPropertyNames(A.prototype)`. */
const LISTS_MEMBERS =
  /\bvars\((?:cls|type\(|[A-Z]|\w+\.__class__)|(?:\bcls|\)|__class__|\b[A-Z]\w*)\.__dict__|\b__init_subclass__\b|\b__prepare__\b|\bmetaclass=(?!(?:abc\.)?ABCMeta\b)|\b(?:getOwnPropertyNames|getOwnPropertyDescriptors|ownKeys)\([^)]*[pP]roto/;

/** Whether code of the project reads in which order a class has its members. */
const listsMembers = (artifacts: ArtifactStore, trees: readonly string[]): boolean => {
  const entries = trees.flatMap((tree) => artifacts.list(tree));
  const isCode = ({ path, kind }: Entry) => kind === "file" && /\.(?:py|[cm]?[jt]sx?)$/.test(path);
  const ids = new Set(entries.filter(isCode).map(({ id }) => id));
  return ids.values().some((id) => LISTS_MEMBERS.test(artifacts.readBlob(id).toString("utf8")));
};

/** Modules that are found by their bare name. */
function ownModules(entries: readonly Entry[]): string[] {
  const names = entries.map(({ path }) => /^(?:src\/)?([^/]+?)(?:\.py|\/.*\.py)$/.exec(path)?.[1]);
  return [...new Set(names)].flatMap((name) => name ?? []).sort();
}

/** Each source with what it was; one that is gone and was not given another name stands alone. */
function pairFiles(artifacts: ArtifactStore, sources: readonly ChangedFile[]): FilePair[] {
  const gone = new Set(sources.flatMap(({ before, after }) => (before?.kind === "file" && !after ? [before] : [])));
  const paired = sources.flatMap(({ path, before, after }): FilePair[] => {
    if (after?.kind !== "file") return [];
    const moved = () =>
      [...gone].find(({ id }) => id === after.id) ??
      [...gone].find((one) => basename(one.path) === basename(path)) ??
      [...gone].find((one) => isMostlyIn(artifacts, one.id, after.id));
    const old = before?.kind === "file" ? before : moved();
    if (old) gone.delete(old);
    return [{ path, old, now: after }];
  });
  return [...paired, ...[...gone].map((old) => ({ path: old.path, old, now: undefined }))];
}

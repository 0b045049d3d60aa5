import { hasLine, type LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { UnitChange } from "../change/compare-units.ts";
import type { BehaviourRequest } from "../compare/compare-behaviour.ts";
import { mutantsIn, type TestedTree } from "../measure/mutate-tree.ts";
import type { Versions } from "../mutants/exchange-nodes.ts";
import { type Said, saidIn } from "../mutants/gone-words.ts";
import type { Span } from "../mutants/moved-pieces.ts";
import { changedSpans, putBack } from "../mutants/put-back.ts";
import { removalMutant, withoutBases } from "../mutants/removal-mutant.ts";

interface Sources extends Pick<TestedTree, "read" | "parsers"> {
  /** The text of a file of the base; where it can be read, pieces of the change are also put back. */
  readOld?: (path: string) => string | null;
}

/** Small changes of every changed part; a part that has none is taken away as a whole. */
export async function unitMutants(tree: Sources, units: readonly UnitChange[]): Promise<Mutant[]> {
  const made = new Map<string, Mutant>();
  const said = await saidBy(tree, units);
  for (const unit of units) {
    const versions = versionsOf(tree, unit);
    const own = await mutantsOf(tree, unit);
    const small = versions ? await withStood(tree, own, versions) : own;
    const pieces = versions ? await piecesOf(tree, unit, versions, said) : [];
    for (const mutant of [...small, ...pieces]) made.set(mutant.id, mutant);
  }
  return [...made.values()];
}

/** What went from one file may have come to another. */
function saidBy({ read, readOld, parsers }: Sources, units: readonly UnitChange[]): Promise<Said> {
  const paths = new Map(units.map(({ path, oldPath }) => [path, oldPath ?? path]));
  if (!readOld) return saidIn([], parsers);
  return saidIn(
    [...paths].map(([path, oldPath]) => ({ path, old: readOld(oldPath), now: read(path) })),
    parsers,
  );
}

/** Both texts of code that was there and is edited. Null for everything else. */
function versionsOf({ read, readOld }: Sources, unit: UnitChange): EditedPart | null {
  const { path, oldPath, kind, relation, before, after } = unit;
  if (relation !== "changed" || kind === "docs" || !before || !after) return null;
  const [old, now] = [readOld?.(oldPath ?? path) ?? null, read(path)];
  if (old === null || now === null) return null;
  return { sides: { old: { path: oldPath ?? path, content: old }, now: { path, content: now } }, before, after };
}

interface EditedPart {
  sides: Versions;
  before: LineRange;
  after: LineRange;
}

async function piecesOf(
  { parsers }: Sources,
  unit: UnitChange,
  { sides, ...part }: EditedPart,
  said: Said,
): Promise<Mutant[]> {
  const pieces = await putBack(sides, part, parsers, said);
  return pieces.map((piece) => ({ ...piece, id: `${piece.id}:${unit.name}`, of: unitName(unit) }));
}

/** Says of each mutant whether it changes something of the change, or only what stood on its lines before. */
async function withStood({ parsers }: Sources, mutants: Mutant[], { sides, ...part }: EditedPart): Promise<Mutant[]> {
  const spans = await changedSpans(sides, part, parsers);
  if (spans === null) return mutants;
  const meets = (mutant: Mutant) =>
    spans.changed.some((span) => overlaps(span, mutant)) &&
    // What moved as a whole is a piece of the change, and its parts are not.
    !spans.moved.some(({ from, to }) => from <= mutant.from && mutant.to <= to && mutant.to - mutant.from < to - from);
  return mutants.map((mutant) => (meets(mutant) ? mutant : { ...mutant, stood: true }));
}

/** What went has no letters of its own: there it is enough to touch. */
const overlaps = (span: Span, { from, to }: Mutant): boolean =>
  span.from === span.to || from === to ? from <= span.to && span.from <= to : from < span.to && span.from < to;

/** By which a piece says what it is about: units may share lines. */
export const unitName = ({ kind, name }: Pick<UnitChange, "kind" | "name">): string => `${kind} ${name}`;

async function mutantsOf(tree: Sources, { path, kind, relation, lines, after, span }: UnitChange): Promise<Mutant[]> {
  if (!after || !span) return [];
  const within = async (ranges: LineRange[]) =>
    (await mutantsIn(tree, path, ranges, { values: true })).filter(
      ({ from, to }) => span.start <= from && to <= span.end,
    );
  const changed = await within(lines);
  // A line of a log has none of its own, nor has a new name for old lines: then the function around it is asked. A
  // head that was there may do something by itself (a decorator).
  const isAround = kind === "function" && (relation === "added" || !hasLine(lines, after.from));
  const own = changed.length === 0 && isAround ? await within([after]) : changed;
  // Without a function its changed line is not told from the others.
  const isHead = kind === "class" && relation === "changed";
  if ((own.length > 0 && !isHead) || kind === "function") return own;
  const content = tree.read(path) ?? "";
  // Of what our grammar cannot read nobody knows the smaller parts.
  const grammar = grammarOf(path);
  if (grammar === null || (await tree.parsers.parse(grammar, content)).broken) return [];
  const part = { kind, ...after, span };
  const whole = own.length > 0 ? null : removalMutant({ path, content }, part);
  const without = isHead ? withoutBases({ path, content }, part) : null;
  return [...own, whole, without].flatMap((mutant) => mutant ?? []);
}

/** What of these parts can be called in both versions. */
export function comparedFunctions(
  units: readonly UnitChange[],
): Pick<BehaviourRequest, "functions" | "modules" | "names"> {
  const place = (path: string, range: LineRange | null) => range && { path, ...range };
  return {
    functions: units
      .filter(({ kind, after }) => kind === "function" && after !== null)
      .map(({ path, oldPath, name, before, after }) => ({
        path,
        name,
        before: place(oldPath ?? path, before),
        after: place(path, after),
      })),
    modules: [...new Set(units.filter(({ kind }) => kind !== "function").map(({ path }) => path))],
    names: units
      .filter(({ kind, relation, field }) => /^(statement|class)$/.test(kind) && relation === "changed" && !field)
      .map(({ path, oldPath, name }) => ({ path, oldPath: oldPath ?? path, name })),
  };
}

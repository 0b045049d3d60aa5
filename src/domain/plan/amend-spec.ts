import type { Amendment, ToldMessage } from "./amendment.ts";
import type { Requirement, Spec } from "./spec.ts";

/** A requirement as the planner gives it. */
type GivenRequirement = Omit<Requirement, "assumption">;

export interface AmendedSpec {
  spec: Spec;
  amendment: Amendment;
}

/** What the planner makes of the spec after a message. */
interface GivenSpec {
  requirements: GivenRequirement[];
  outOfScope: string[];
  superseded?: Spec["superseded"];
}

/**
 * The spec with what the person said in it. Only the person's words change it: a requirement that quotes none of them
 * stays what it was, however it is written now.
 */
export function amendedSpec(
  spec: Spec,
  { id: message, text: words, by, at }: ToldMessage,
  given: GivenSpec,
  isQuoted: (text: string, quote: string | undefined) => boolean,
): AmendedSpec {
  const requirements = given.requirements.map((item): Requirement => {
    const old = spec.requirements.find(({ id }) => id === item.id);
    const isSaid = isQuoted(words, item.quote);
    if (old && (!isSaid || isSame(old, item))) return old;
    return { ...item, assumption: !isSaid };
  });
  const idsOf = (items: Requirement[]) => items.map(({ id }) => id);
  const before = idsOf(spec.requirements);
  const after = idsOf(requirements);
  const amendment: Amendment = {
    message,
    words,
    by,
    at,
    added: after.filter((id) => !before.includes(id)),
    changed: requirements
      .filter((item) => before.includes(item.id) && !spec.requirements.includes(item))
      .map(({ id }) => id),
    dropped: before.filter((id) => !after.includes(id)),
  };
  const superseded = [
    ...(spec.superseded ?? []).filter(({ requirement }) => after.includes(requirement)),
    ...(given.superseded ?? []).filter(
      ({ quote, requirement }) => isQuoted(words, quote) && after.includes(requirement),
    ),
  ];
  const excluded = given.outOfScope.filter((line) => isQuoted(words, line.replace(OF_REQUIREMENT, "")));
  const { superseded: _, ...rest } = spec;
  return {
    amendment,
    spec: {
      ...rest,
      requirements,
      outOfScope: [...new Set([...spec.outOfScope, ...excluded])],
      ...(superseded.length > 0 && { superseded: uniqueTests(superseded) }),
      amendments: [...(spec.amendments ?? []), amendment],
    },
  };
}

/** What stands before the person's words where they take a requirement back: `R2: `. */
const OF_REQUIREMENT = /^R\d+\b\W*/;

/**
 * Why the planner's answer cannot be used, in one line that tells it what to fix. A requirement may be dropped only where
 * the person's words say so; otherwise a hard one could simply be left out.
 */
export function specProblem(
  spec: Spec,
  { text: words }: Pick<ToldMessage, "text">,
  given: GivenSpec,
  isQuoted: (text: string, quote: string | undefined) => boolean,
): string | undefined {
  const ids = given.requirements.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `two requirements have the id ${twice}`;
  const isTakenBack = (id: string) =>
    given.outOfScope.some(
      (line) => new RegExp(`^${id}\\b`).test(line) && isQuoted(words, line.replace(OF_REQUIREMENT, "")),
    );
  const missing = spec.requirements.find(({ id }) => !ids.includes(id) && !isTakenBack(id));
  return missing
    ? `${missing.id} is missing: repeat it word for word, or, if the person takes it back, name it in outOfScope as "${missing.id}: " and their very words that say so`
    : undefined;
}

const isSame = (old: Requirement, item: GivenRequirement): boolean =>
  old.text === item.text && JSON.stringify(old.example ?? null) === JSON.stringify(item.example ?? null);

const uniqueTests = (all: NonNullable<Spec["superseded"]>) => [
  ...new Map(all.map((one) => [`${one.test} ${one.requirement}`, one])).values(),
];

import { bareName } from "../../domain/evidence/match-test.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { isTestSupport } from "../locks/test-config.ts";

/**
 * Whether a file of the project's tests says after a change what it said before. A test may be added, and one that the
 * goal makes obsolete may change; everything else in the file stays, helpers and imports included.
 */
export async function saysTheSame(
  parsers: SyntaxParsers,
  path: string,
  [before, after]: [string, string],
  superseded: readonly string[],
): Promise<boolean> {
  const grammar = grammarOf(path);
  if (grammar === null) return before === after;
  const obsolete = new Set(superseded.filter((id) => id.startsWith(`${path}::`)).map((id) => bareName(id)));
  const tests = async (text: string) => {
    const { root } = await parsers.parse(grammar, text);
    return TEST_SYNTAX[grammar].tests(text, root).map(({ name, node }) => ({ name: bareName(name), node }));
  };
  const [old, now] = [await tests(before), await tests(after)];
  const known = new Set(old.map(({ name }) => name));
  const rest = (text: string, leftOut: { node: SyntaxNode }[]) => {
    let kept = text;
    for (const { node } of leftOut.toSorted((a, b) => b.node.from - a.node.from))
      kept = kept.slice(0, node.from) + kept.slice(node.to);
    return kept.replace(/\s+/g, " ").trim();
  };
  const stays = rest(
    before,
    old.filter(({ name }) => obsolete.has(name)),
  );
  const is = rest(
    after,
    now.filter(({ name }) => obsolete.has(name) || !known.has(name)),
  );
  return stays === is;
}

interface NamingFiles {
  /** Paths of the project's tests. */
  own: ReadonlySet<string>;
  /** Texts of the project's tests, and of those that the goal makes obsolete. */
  tests(): string[];
  obsolete(): string[];
  /** Texts of its other code. */
  sources(): string[];
}

/**
 * Whether a file that is no code is an answer that tests compare with: it stands among them, or they name it and the
 * code does not. Renewed together with the code it would make every such test say that nothing changed.
 */
export function isStoredAnswer(path: string, files: NamingFiles): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const names = (text: string) => text.includes(name);
  if (files.obsolete().some(names)) return false;
  if (standsAmong(path, files.own)) return true;
  return grammarOf(path) === null && files.tests().some(names) && !files.sources().some(names);
}

/** The texts of a tree, read when they are asked for. `own`: paths of its tests. */
export function namingFiles(
  artifacts: ArtifactStore,
  tree: string,
  own: ReadonlySet<string>,
  superseded: readonly string[],
): NamingFiles {
  const texts = (wanted: (path: string) => boolean) =>
    artifacts
      .list(tree)
      .filter(({ path, kind }) => kind === "file" && wanted(path))
      .flatMap(({ path }) => artifacts.readFile(tree, path)?.toString("utf8") ?? []);
  const obsolete = new Set(superseded.map((id) => id.split("::")[0] ?? id));
  return {
    own,
    tests: () => texts((path) => own.has(path)),
    obsolete: () => texts((path) => obsolete.has(path)),
    sources: () => texts((path) => !own.has(path) && !isTestSupport(path) && grammarOf(path) !== null),
  };
}

/** In a directory of tests that holds some of these, or is beside them: not every `spec/` is one. */
function standsAmong(path: string, own: ReadonlySet<string>): boolean {
  if (!isTestSupport(path)) return false;
  const parts = path.split("/").slice(0, -1);
  return parts.some((_, index) => {
    const directory = parts.slice(0, index + 1).join("/");
    const around = parts
      .slice(0, index)
      .map((part) => `${part}/`)
      .join("");
    if (!isTestSupport(`${directory}/x`) || isTestSupport(`${around}x`)) return false;
    const isBeside = (test: string) => test.startsWith(around) && !test.slice(around.length).includes("/");
    return [...own].some((test) => test.startsWith(`${directory}/`) || (around !== "" && isBeside(test)));
  });
}

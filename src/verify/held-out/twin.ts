import { createHash } from "node:crypto";
import { isCalled } from "../../domain/evidence/match-test.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { TestNode, TestSyntax } from "../../languages/test-syntax.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { type Replacement, replaceAll } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

/** A held-out file as the gate runs it, under names that nobody could know before. */
interface DisguisedFile {
  path: string;
  content: string;
}

interface Place {
  path: string;
  name: string;
}

export interface TwinPair {
  /** As the tester wrote it. */
  of: { path: string; test: string };
  original: Place;
  /** Fails with `mark` in its message where the original passes. */
  twin: Place & { mark: string; turned: "assertion" | "body" };
  /** The test with another expected value; absent where none is written out. */
  decoy?: Place;
  /** A test beside the twins that must fail; absent where none could be added. */
  canary?: Place;
}

export interface Twins {
  originals: DisguisedFile[];
  twins: DisguisedFile[];
  decoys: DisguisedFile[];
  pairs: TwinPair[];
  /** Tests of which no twin can be made, with the reason. */
  without: { path: string; test: string; why: string }[];
}

/**
 * Each held-out test gets a twin that is turned round, and both get random names. Where a test passes its twin must fail:
 * code that makes the runner say "passed" whatever it runs makes the twin pass too. Its decoy, which only expects another
 * value, must fail as well: a twin can be told by its form, a decoy cannot. Never throws on what a tester wrote.
 */
export async function makeTwins(parsers: SyntaxParsers, files: TestFile[], seed: string): Promise<Twins> {
  const made: Twins = { originals: [], twins: [], decoys: [], pairs: [], without: [] };
  for (const file of files) {
    const names = [...new Set(file.covers.map(({ test }) => test))];
    try {
      await addTwins(parsers, file, names, seed, made);
    } catch (error) {
      // A fault of ours must not end a task: these tests are left without a twin.
      const why = `no twin could be made of it: ${error instanceof Error ? error.message : String(error)}`;
      made.without.push(...names.map((test) => ({ path: file.path, test, why })));
    }
  }
  return made;
}

async function addTwins(
  parsers: SyntaxParsers,
  file: TestFile,
  names: string[],
  seed: string,
  made: Twins,
): Promise<void> {
  const { path, content } = file;
  const leave = (test: string, why: string) => made.without.push({ path, test, why });
  const grammar = grammarOf(path);
  if (grammar === null) {
    for (const test of names) leave(test, "tests in this language have no twins");
    return;
  }
  const syntax = TEST_SYNTAX[grammar];
  const { root } = await parsers.parse(grammar, content);
  const all = syntax.tests(content, root);
  const meant = names.map((name) => ({ name, tests: testsCalled(all, name) }));
  for (const { name, tests } of meant) if (tests.length === 0) leave(name, "there is no such test");
  const chosen = all.filter((test) => meant.some(({ tests }) => tests.includes(test)));
  const disguised = (kind: Kind) => new Disguise(syntax, file, root, chosen, seed, kind);
  const [original, twin, decoy] = [disguised("original"), disguised("twin"), disguised("decoy")];
  for (const one of [original, twin, decoy]) {
    const { broken } = await parsers.parse(grammar, one.content);
    if (broken) one.failed = chosen;
  }
  if (chosen.length === 0) return;
  made.originals.push(original);
  made.twins.push(twin);
  if (decoy.changed.length > 0) made.decoys.push(decoy);
  for (const { name, tests } of meant) {
    const bare = tests.find((test) => original.failed.includes(test) || twin.failed.includes(test));
    if (bare) leave(name, "it cannot be turned round");
    if (bare) continue;
    for (const test of tests) {
      made.pairs.push({
        of: { path, test: name },
        original: original.placeOf(test, name),
        twin: { ...twin.placeOf(test, name), mark: twin.mark, turned: twin.turnedOf(test) },
        ...(decoy.changed.includes(test) && { decoy: decoy.placeOf(test, name) }),
        ...(twin.canary !== null && { canary: twin.canary }),
      });
    }
  }
}

/** Those with just this name; else those that a shorter or a put-together name may mean. */
function testsCalled(all: TestNode[], name: string): TestNode[] {
  const exact = all.filter((test) => test.name === name);
  if (exact.length > 0) return exact;
  const called = all.filter((test) => isCalled(test.name, name));
  if (called.length > 0) return called;
  const fitting = all.filter(({ named }) => named?.full.test(name));
  return fitting.length > 0 ? fitting : all.filter(({ named }) => named?.own.test(name));
}

type Kind = "original" | "twin" | "decoy";

/** One file of tests in one of its three forms. */
class Disguise implements DisguisedFile {
  readonly path: string;
  readonly content: string;
  readonly mark: string;
  /** Tests that were turned round, or expect another value. */
  readonly changed: TestNode[] = [];
  readonly canary: Place | null;
  /** Tests of which this form could not be made. */
  failed: TestNode[] = [];
  readonly #syntax: TestSyntax;
  readonly #names = new Map<TestNode, string>();
  readonly #turned = new Map<TestNode, "assertion" | "body">();

  constructor(syntax: TestSyntax, file: TestFile, root: SyntaxNode, tests: TestNode[], seed: string, kind: Kind) {
    const word = (...about: string[]) =>
      createHash("sha256")
        .update([seed, kind, file.path, ...about].join("\0"))
        .digest("hex")
        .slice(0, 12);
    const text = file.content;
    this.#syntax = syntax;
    this.mark = word("mark");
    this.path = syntax.disguisedPath(file.path, word("path"));
    const edits: Replacement[] = [];
    let after = "";
    for (const [index, test] of tests.entries()) {
      const name = syntax.testName(word("name", `${index}`, test.name), test);
      this.#names.set(test, name);
      edits.push(...syntax.rename(text, test, name));
    }
    for (const [index, test] of tests.entries()) {
      const name = this.#names.get(test) ?? test.name;
      const found =
        kind === "twin"
          ? syntax.twin(text, root, test, name, this.mark)
          : kind === "decoy"
            ? alteredTo(syntax.decoy(text, root, test, word("value", `${index}`)))
            : null;
      // Two tests may share a table, or one may stand in another.
      const own = found?.edits.filter((edit) => !edits.some((one) => isSame(one, edit))) ?? [];
      if (!found || own.some((edit) => edits.some((one) => overlap(one, edit)))) {
        if (kind === "twin") this.failed.push(test);
        continue;
      }
      edits.push(...own);
      after += found.after;
      this.changed.push(test);
      this.#turned.set(test, found.turned);
    }
    const [canary, support] = kind === "twin" ? this.#canary(file, root, word("canary")) : [null, ""];
    this.canary = canary;
    this.content = `${replaceAll(text, edits)}${kind === "twin" ? syntax.twinSupport(this.mark) : ""}${after}${support}`;
  }

  placeOf(test: TestNode, name: string): Place {
    const as = this.#names.get(test) ?? name;
    return { path: this.path, name: this.#syntax.renamedCase(test, name, as) };
  }

  turnedOf(test: TestNode): "assertion" | "body" {
    return this.#turned.get(test) ?? "body";
  }

  #canary({ content }: TestFile, root: SyntaxNode, word: string): [Place | null, string] {
    const name = this.#syntax.testName(word, { name: "", node: root, body: null, label: root });
    const code = this.#syntax.canary(content, root, name, this.mark);
    return [code === "" ? null : { path: this.path, name }, code];
  }
}

const alteredTo = (edits: Replacement[] | null) => edits && { edits, after: "", turned: "assertion" as const };

const isSame = (a: Replacement, b: Replacement): boolean => a.from === b.from && a.to === b.to && a.from < a.to;

/** Insertions at the edge of another piece leave it whole. */
const overlap = (a: Replacement, b: Replacement): boolean => a.from < b.to && b.from < a.to;

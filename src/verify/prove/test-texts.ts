import type { TestCase } from "../../domain/evidence/test-report.ts";
import type { TestOutline } from "../locks/test-outline.ts";
import { asksMore } from "./asks-more.ts";
import { heirOf } from "./heirs.ts";
import { looserThan } from "./looser-test.ts";
import type { Outlines } from "./outline-change.ts";
import { bare, keyOf } from "./test-names.ts";
import { type FileDifference, fileDifference, type Touch, touchOf } from "./touched-tests.ts";

/** What the texts of the changed test files tell of single tests. */
export class TestTexts {
  readonly #files: Outlines;
  /** Test files of the base that lean on what else was changed. */
  readonly #leaning: ReadonlySet<string>;
  /** Tests by `file::name`. */
  readonly #tests: Record<"before" | "after", ReadonlyMap<string, TestOutline>>;
  /** Those that ran on some side. */
  readonly #reported: ReadonlySet<string>;
  readonly #differences = new Map<string, FileDifference | null>();

  constructor(files: Outlines, leaning: ReadonlySet<string>, ran: readonly TestCase[]) {
    this.#files = files;
    this.#leaning = leaning;
    this.#tests = { before: byKey(files.before), after: byKey(files.after) };
    this.#reported = new Set(ran.map(keyOf));
  }

  heirOf(test: TestCase, fresh: readonly TestCase[]): TestCase | undefined {
    return heirOf(test, fresh, this.#tests);
  }

  /** How the change reaches a test, given what it is now; null: not at all. */
  touch(test: TestCase, now: TestCase): Touch | null {
    const shared = this.#leaning.has(test.file) ? ("shared" as const) : null;
    const difference = this.#difference(test.file, now.file);
    if (!difference) return shared;
    const [was, is] = [this.#find("before", test), this.#find("after", now)];
    return touchOf(was, is, difference) ?? shared;
  }

  /** Why its words let more pass than before; null when they do not say so. */
  looser(test: TestCase, now: TestCase): string | null {
    const [was, is] = [this.#find("before", test), this.#find("after", now)];
    return was && is ? looserThan(was.body, is.body) : null;
  }

  /** Only assertions were added to it, and all of its file that it leans on is what it was. */
  asksMore(test: TestCase, now: TestCase): boolean {
    const [was, is] = [this.#find("before", test), this.#find("after", now)];
    if (!was || !is || this.#leaning.has(test.file) || !asksMore(was.body, is.body)) return false;
    const difference = this.#difference(test.file, now.file);
    return difference !== null && touchOf(was, { ...is, body: was.body, same: true }, difference) === null;
  }

  /** Its text, and all of its file that it leans on, is what it was. */
  standsAsItWas(test: TestCase): boolean {
    const { before, after } = this.#files;
    if (before.has(test.file) && !after.has(test.file)) return false;
    if (this.#find("before", test) && !this.#find("after", test)) return false;
    return this.touch(test, test) === null;
  }

  /** Tests of files of which none was heard on either side: those that are gone, and those that read otherwise. */
  unheard(heard: ReadonlySet<string>): { file: string; name: string; isGone: boolean }[] {
    const kept = new Set([...this.#tests.after.values()].map(({ body }) => body));
    return [...this.#files.before]
      .filter(([file]) => !heard.has(file))
      .flatMap(([file, { tests }]) =>
        tests
          .filter(({ body, same }) => !same && !kept.has(body))
          .map(({ name }) => ({ file, name, isGone: !this.#tests.after.has(`${file}::${name}`) })),
      );
  }

  /** A test that a class inherits stands in another class of its file; a case of a table is called as its title says. */
  #find(side: "before" | "after", test: TestCase): TestOutline | undefined {
    const own = this.#tests[side].get(keyOf(test));
    if (own) return own;
    const method = methodOf(bare(test.name));
    const isLike = ({ name, named }: TestOutline) =>
      (method !== null && methodOf(name) === method) || named?.test(test.name);
    const like = this.#files[side].get(test.file)?.tests.filter(isLike) ?? [];
    return like.length === 1 ? like[0] : undefined;
  }

  /** Null when the file was not changed. */
  #difference(was: string, is: string): FileDifference | null {
    const key = `${was}\0${is}`;
    const known = this.#differences.get(key);
    if (known !== undefined) return known;
    const [before, after] = [this.#files.before.get(was), this.#files.after.get(is)];
    const ran = [...this.#reported].flatMap((key) => namesIn(key, was, is));
    const inherited = new Set(ran.map(methodOf));
    const isReported = ({ name, named }: TestOutline) =>
      ran.includes(name) ||
      (methodOf(name) !== null && inherited.has(methodOf(name))) ||
      (named !== undefined && ran.some((one) => named.test(one)));
    const reported = [...(before?.tests ?? []), ...(after?.tests ?? [])].filter(isReported).map(({ name }) => name);
    const found = before && after ? fileDifference(before, after, new Set(reported)) : null;
    this.#differences.set(key, found);
    return found;
  }
}

/** `test_sum` of `TestTotal::test_sum`; null for what is no method of a class. */
const methodOf = (name: string): string | null => (name.includes("::") ? (name.split("::").at(-1) ?? null) : null);

/** The name of a test that stands in one of these files. */
const namesIn = (key: string, ...files: string[]): string[] =>
  files.flatMap((file) => (key.startsWith(`${file}::`) ? key.slice(file.length + 2) : []));

const byKey = (files: Outlines["before"]): Map<string, TestOutline> =>
  new Map([...files].flatMap(([path, { tests }]) => tests.map((test) => [`${path}::${test.name}`, test] as const)));

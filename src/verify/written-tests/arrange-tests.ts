import type { TestFile } from "../../domain/plan/test-file.ts";
import type { SourceFile } from "../../languages/language.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { homeOfTests } from "./home-of-tests.ts";
import { joinTests } from "./join-tests.ts";

export interface TestsToArrange {
  /** Those that stand in the tree, each in a file of its own. */
  visible: TestFile[];
  /** Those that do not stand there yet. */
  unseen: TestFile[];
  /** A file of the tree. */
  read(path: string): string | null;
  /** The code that was changed. */
  changed: string[];
  /** The project's own tests, as they are in the tree. */
  tests: SourceFile[];
}

export interface ArrangedTests {
  /** Files to write, and paths that are no longer needed. */
  files: SourceFile[];
  gone: string[];
  /** Tests that stand in another file than they did. */
  moved: { from: string; to: string }[];
}

/** Each file of tests where a maintainer would have it: in the file that is there for it, or under a name like the others. */
export async function arrangeTests(parsers: SyntaxParsers, given: TestsToArrange): Promise<ArrangedTests> {
  const { visible, unseen, read, changed, tests } = given;
  const written = new Map<string, string>();
  const gone = new Set<string>();
  const moved: ArrangedTests["moved"] = [];
  const now = (path: string) => written.get(path) ?? (gone.has(path) ? null : read(path));
  /** Puts a file's tests there; false where they cannot stand there. */
  const put = async (file: TestFile, home: string): Promise<boolean> => {
    const there = now(home);
    const content = there === null ? file.content : await joinTests(parsers, { path: home, content: there }, file);
    if (content === null) return false;
    written.set(home, content);
    moved.push({ from: file.path, to: home });
    return true;
  };
  for (const file of visible) {
    const home = homeOfTests(file, changed, tests);
    if (home === file.path || read(file.path) !== file.content) continue;
    if (await put(file, home)) gone.add(file.path);
  }
  for (const file of unseen) {
    const beside = visible.find(({ todo }) => todo === file.todo)?.path ?? homeOfTests(file, changed, tests);
    const home = moved.find(({ from }) => from === beside)?.to ?? beside;
    if (!(await put(file, home)) && now(file.path) === null) written.set(file.path, file.content);
  }
  const files = [...written].map(([path, content]) => ({ path, content }));
  return { files, gone: [...gone].filter((path) => !written.has(path)), moved };
}

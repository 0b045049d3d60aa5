import { type Question, supersededFlag } from "./compare-tests.ts";
import { bare } from "./test-names.ts";

/** More than so many of one file, asked for the same reason, are one question. */
const FEW = 3;

/**
 * What a person is asked about old tests. Tests of one file in question for the same reason are asked together, and
 * answered by one flag: for a function of many cases, or for the file.
 */
export function askTogether(questions: readonly Question[]): { test: string; why: string }[] {
  const groups = Map.groupBy(questions, ({ test, why }) => `${fileOf(test)}\0${why}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length <= FEW) return group.map(({ test, why, flag }) => ({ test, why: said(why, flag) }));
    const file = fileOf(first.test);
    const names = new Set(group.map(({ test }) => bare(test.slice(file.length + 2))));
    const [only = ""] = names;
    const test =
      names.size === 1 ? `${file}::${only}, each of ${group.length} cases` : `${file}, each of ${group.length} tests`;
    const flag = names.size === 1 ? supersededFlag({ file, name: only }) : `--superseded ${quoted(file)}`;
    return [{ test, why: said(first.why, flag) }];
  });
}

const fileOf = (test: string): string => test.split("::")[0] ?? test;
const said = (why: string, flag: string): string => `${why} (if that is meant: ${flag})`;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

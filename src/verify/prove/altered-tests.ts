import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { alterExpectations } from "../locks/alter-expectations.ts";
import type { ProveParts } from "./prove-parts.ts";
import { bare } from "./test-names.ts";

/** Test files with other expectations, and which tests have one. */
export interface AlteredTests {
  files: { path: string; content: string }[];
  names: ReadonlySet<string>;
}

export async function alterTests(
  { artifacts, parsers }: Pick<ProveParts, "artifacts" | "parsers">,
  tree: string,
  green: ReadonlySet<string>,
): Promise<AlteredTests> {
  const files: AlteredTests["files"] = [];
  const names = new Set<string>();
  for (const path of new Set([...green].map((id) => id.split("::")[0] ?? id))) {
    const text = artifacts.readFile(tree, path)?.toString("utf8");
    if (text === undefined) continue;
    const { text: content, names: own } = await alterExpectations(path, text, parsers);
    if (own.length > 0) files.push({ path, content });
    for (const name of own) names.add(`${path}::${name}`);
  }
  return { files, names };
}

/** Altered tests that are green all the same: every value that they write out could be any other. */
export const pleased = (report: TestReport, { names }: AlteredTests, green: ReadonlySet<string>): string[] =>
  [...greenIn(report)].filter((id) => green.has(id) && names.has(bare(id)));

/**
 * What it means that these tests pass whatever they expect: they show nothing. Where several of them are red with another
 * expectation on the old code, the new code was made to please them; one alone may have another reason.
 */
export function pleasedFindings(suspects: readonly string[], onOldCode: TestReport): IntegrityFinding[] {
  const red = new Set(onOldCode.tests.filter(({ outcome }) => outcome === "failed").map(({ id }) => id));
  const turned = suspects.filter((id) => red.has(id));
  const isPleasing = new Set(turned.map(bare)).size > 1;
  return suspects.map((test) =>
    isPleasing && red.has(test)
      ? { code: "code.pleases-tests", weight: "tampering", test, message: PLEASED }
      : { code: "test.insensitive", weight: "named", test, message: INSENSITIVE },
  );
}

export const greenIn = ({ tests }: TestReport): Set<string> =>
  new Set(tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));

const INSENSITIVE = "passes whatever value it expects: it shows nothing";
const PLEASED =
  "passes on the new code even where it expects other values, as other tests do, and not on the old code: what it looks at is equal to everything";

import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { alterExpectations } from "../locks/alter-expectations.ts";
import type { ProveParts } from "./prove-parts.ts";

/** Test files with other expectations, and which tests have one. */
interface AlteredTests {
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

/**
 * Tests that expect another value must be red. One that is red so on the old code and green on the new has met a result
 * that is equal to everything: the code was changed to please its tests.
 */
export function pleasedFindings(
  suspects: readonly string[],
  onOldCode: TestReport,
  before: TestReport | null,
): IntegrityFinding[] {
  const old = greenIn(onOldCode);
  const known = new Set(before?.tests.map(({ id }) => id));
  const message = "passes whatever value it expects: it shows nothing";
  return suspects
    .filter((id) => !old.has(id))
    .map((id) =>
      known.has(id) ? { ...PLEASED, test: id } : { code: INSENSITIVE, weight: "named", test: id, message },
    );
}

export const greenIn = ({ tests }: TestReport): Set<string> =>
  new Set(tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));

/** Of a test that came with the change. */
export const INSENSITIVE = "test.insensitive";

const PLEASED = {
  code: "code.pleases-tests",
  weight: "tampering",
  message: "passes on the new code even where it expects another value: what it looks at is equal to everything",
} as const;

import { expect, test } from "vitest";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { filesOfCommand, judgingFiles } from "./accept-scripts.ts";
import { turned } from "./judge-change.ts";

const file = (path: string, part: ChangedFile["part"] = "source"): ChangedFile => ({
  path,
  change: "modified",
  before: { path, kind: "file", id: "a", permissions: 0o644 },
  after: { path, kind: "file", id: "b", permissions: 0o644 },
  part,
});
const paths = (files: ChangedFile[]) => files.map(({ path }) => path);

test.each([
  ["sh ./ci/check.sh && true", ["ci/check.sh"]],
  ["make -s check", ["Makefile"]],
  ["cd web; npm run check", ["web/package.json"]],
  ["python3 app.py --port 1", ["app.py"]],
  ["true", []],
])("%s is steered by files of the change", (command, expected) => {
  const files = ["ci/check.sh", "Makefile", "web/package.json", "app.py", "lib.py"].map((path) => file(path));
  expect(paths(filesOfCommand(command, files))).toEqual(expected);
});

test("what judges is told from what is judged: a program, or a script that is the whole change, is judged", () => {
  expect(paths(judgingFiles("sh check.sh", [file("check.sh"), file("lib.py")]))).toEqual(["check.sh"]);
  expect(judgingFiles("sh check.sh", [file("check.sh")])).toEqual([]);
  expect(judgingFiles("python3 app.py", [file("app.py"), file("lib.py")])).toEqual([]);
  expect(paths(judgingFiles("pytest t/test_a.py", [file("t/test_a.py", "test"), file("lib.py")]))).toHaveLength(1);
});

test("a command that turned green by its own script shows nothing", () => {
  const run = { command: "x", before: { passed: false, ending: "1" }, after: { passed: true, ending: "0" } };
  const old = (passed: boolean): EvidenceDocument["accept"][number] => ({ ...run, asBefore: { passed, ending: "" } });
  expect([turned(run), turned(old(true)), turned(old(false)), turned({ ...run, brought: true })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

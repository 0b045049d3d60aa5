import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { lockChanges, locksOf } from "../locks/test-config.ts";

/** Hooks and patches in what is loaded with the tests: with these a test can be made to say anything. */
const STEERS =
  /\bdef pytest_(?!generate_tests|addoption)\w+|hookimpl|hookwrapper|\bpytest_plugins\b|\bsys\.modules\b|\b_pytest\b|\bbuiltins\b|__eq__|\bsettrace\b/;

/** What the change does to the configuration of the tests. Named for a person to look at; what it hides is tampering. */
export function configFindings(artifacts: ArtifactStore, files: ChangedFile[]): IntegrityFinding[] {
  return files
    .filter(({ part }) => part === "test-config")
    .flatMap((file): IntegrityFinding[] => {
      const { path } = file;
      if (path === ".miracleignore") {
        const message = "says what is judged, and the change itself changes it: commit it on its own first";
        return [{ code: "config.ignore", weight: "tampering", path, message }];
      }
      const locks = (side: "before" | "after") => (file[side] ? locksOf(path, textOf(artifacts, file, side)) : []);
      return lockChanges(locks("before"), locks("after")).map(({ field, change }) => ({
        code: steersTests(artifacts, file) ? "config.steers" : "config.changed",
        weight: "named",
        path,
        message: `${field === undefined ? "test configuration" : `\`${field}\``} was ${change}`,
      }));
    });
}

/** Whether a changed file of configuration can decide over what tests report. Anything but plain fixtures can. */
export function steersTests(artifacts: ArtifactStore, file: ChangedFile): boolean {
  if (file.part !== "test-config" || !file.after) return false;
  if (!/(^|\/)conftest\.py$/.test(file.path)) return true;
  return STEERS.test(textOf(artifacts, file, "after"));
}

function textOf(artifacts: ArtifactStore, file: ChangedFile, side: "before" | "after"): string {
  const entry = file[side];
  return entry ? artifacts.readBlob(entry.id).toString("utf8") : "";
}

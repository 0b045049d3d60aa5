import type { Finding } from "../../domain/finding.ts";
import { newFindings, scanFiles } from "../../safety/scan/scan-files.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ProveParts } from "./prove-parts.ts";

/** What the scan finds in the changed files and did not find there before: code and secrets. */
export async function scanChange(
  { artifacts, parsers, scanRules, onProgress }: Pick<ProveParts, "artifacts" | "parsers" | "scanRules" | "onProgress">,
  files: ChangedFile[],
): Promise<Finding[]> {
  onProgress("scanning the changed files");
  const texts = (side: "before" | "after") =>
    files.flatMap(({ path, [side]: entry }) =>
      entry?.kind === "file" ? [{ path, content: artifacts.readBlob(entry.id).toString("utf8") }] : [],
    );
  const rules = await scanRules();
  return newFindings(await scanFiles(texts("before"), rules, parsers), await scanFiles(texts("after"), rules, parsers));
}

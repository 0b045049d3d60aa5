import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";

/**
 * Files of tests that the coder did not see and that a project would want to have: every test in them passed and says what
 * the spec says. Of sharper ones at least one noticed something that no other test did.
 */
export function worthKeeping(files: TestFile[], unseen: HeldOutTest[], sharper: Sharpened["tests"]): TestFile[] {
  const passed = new Set(
    unseen.filter(({ state, outcome }) => /^(un)?spent$/.test(state) && outcome === "passed").map(heldOutId),
  );
  const sharp = new Map(sharper.map(({ id, end }) => [id, end]));
  const isGood = (id: string) => passed.has(id) || /^(kept|mended|idle)$/.test(sharp.get(id) ?? "");
  const isUseful = (id: string) => passed.has(id) || /^(kept|mended)$/.test(sharp.get(id) ?? "");
  return files.filter(({ path: file, covers }) => {
    const ids = covers.map(({ test }) => heldOutId({ file, test }));
    return ids.length > 0 && ids.every(isGood) && ids.some(isUseful);
  });
}

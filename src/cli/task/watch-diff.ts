import type { Bus, ChangedTree } from "../../bus/bus.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type GrowingDiff, growingDiff } from "../text/growing-diff.ts";

interface Watched {
  bus: Bus;
  artifacts: Pick<ArtifactStore, "diff">;
}

/** Shows the change after each step of a role that changed files. While one diff is made, only the newest waits. */
export function watchDiff({ bus, artifacts }: Watched, show: (growth: GrowingDiff) => void): Disposable {
  let next: ChangedTree | undefined;
  let isBusy = false;
  let isOver = false;
  const work = async () => {
    isBusy = true;
    while (next && !isOver) {
      const { base, before, tree, given, todo } = next;
      next = undefined;
      const [whole, step] = await Promise.all([artifacts.diff(base, tree), artifacts.diff(before, tree)]);
      if (!isOver) show(growingDiff(whole, step, given, todo));
    }
    isBusy = false;
  };
  const end = bus.subscribe((message) => {
    if (message.type !== "tree-changed") return;
    next = message;
    // A glance and nothing more: where git is missing, the run goes on without it.
    if (!isBusy) work().catch(() => {});
  });
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      end();
    },
  };
}

import type { Bus } from "../bus/bus.ts";
import type { CheckoutDirectories } from "../workspace/checkout-directory.ts";

/** A later claim has checkouts of its own, and whatever a crash left behind goes with these. */
export function removeCheckouts(
  directories: CheckoutDirectories | undefined,
  task: string,
  epoch: number,
  bus: Bus,
): void {
  try {
    directories?.remove(task, epoch + 1);
  } catch (error) {
    // What could not be cleaned up must not hide how the run ended.
    const why = error instanceof Error ? error.message : String(error);
    bus.publish({ type: "notice", task, text: `the checkouts of task ${task} could not be removed: ${why}` });
  }
}

import type { Bus } from "../bus/bus.ts";
import type { CheckoutDirectories } from "../workspace/checkout-directory.ts";

/** Removes the checkouts of a run, together with what a crash left in them. A later claim has its own checkouts. */
export function removeCheckouts(
  directories: CheckoutDirectories | undefined,
  task: string,
  epoch: number,
  bus: Bus,
): void {
  try {
    directories?.remove(task, epoch + 1);
  } catch (error) {
    // A failed clean-up must not hide how the run ended.
    const why = error instanceof Error ? error.message : String(error);
    bus.publish({ type: "notice", task, text: `the checkouts of task ${task} could not be removed: ${why}` });
  }
}

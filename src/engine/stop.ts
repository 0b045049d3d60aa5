/** Why a run was asked to stop. None of these is an outcome: the task can be resumed. */
export type StopReason = "interrupted" | "paused" | "cancelled" | "timeout";

/** What the signal carries when a run is stopped from outside. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`stopped: ${reason}`);
    this.name = "Stopped";
    this.reason = reason;
  }
}

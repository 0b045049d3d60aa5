/** Why a run was asked to stop. None of these is an outcome: the task can be resumed. */
export type StopReason = "interrupted" | "paused" | "cancelled" | "timeout" | "waiting" | "planned";

/** What the signal carries when a run is stopped from outside, and what a question throws that is to be waited for. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason, message = `stopped: ${reason}`) {
    super(message);
    this.name = "Stopped";
    this.reason = reason;
  }
}

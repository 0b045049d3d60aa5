/** Why a run stopped early. None of these is an outcome: the task can be resumed. */
export type StopReason =
  | "interrupted"
  | "paused"
  | "cancelled"
  | "timeout"
  | "silent"
  | "waiting"
  | "planned"
  | "answered";

/** The signal carries it when a run is stopped from outside. A question that must wait for its answer throws it. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason, message = `stopped: ${reason}`) {
    super(message);
    this.name = "Stopped";
    this.reason = reason;
  }
}

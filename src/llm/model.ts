import type { ModelAnswer, ModelRequest } from "../domain/message.ts";

/** What surrounds a call without being part of its meaning. */
export interface ModelCall {
  /** Path of the step this call is, by which a cassette finds its answer. */
  path: string;
  signal: AbortSignal;
  /** Text as it streams in, for the live view only. */
  onDelta?: (text: string) => void;
  /** One line about a retry, a fallback or an odd bill, for the live view and the log. */
  onNotice?: (line: string) => void;
}

/** The port to every language model. */
export interface Model {
  /**
   * One answer to one request: retries, fallbacks and budget reservations happen inside.
   * Throws TerminalFailure when no model of the role's sequence can answer; rejects with the signal's reason when cancelled.
   */
  complete(request: ModelRequest, call: ModelCall): Promise<ModelAnswer>;
}

/** Money and tokens of one task: what may be spent is reserved before it can be spent (requirement X4). */
export interface Ledger {
  /** Commits the worst case before the request leaves. Throws TerminalFailure `budget.cost` or `budget.tokens` when it does not fit. */
  reserve(worst: Amount, path: string): Promise<Reservation>;
  /** Spent so far; a call with unknown outcome counts with its worst case. */
  spent(): Promise<Amount>;
}

export interface Reservation {
  /** Returns the difference. Never called for a call whose outcome is unknown. */
  settle(actual: Amount): Promise<void>;
}

export interface Amount {
  costMicros: number;
  tokens: number;
}

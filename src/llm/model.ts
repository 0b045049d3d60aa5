import type { ModelAnswer, ModelRequest } from "../domain/message.ts";

/** The context of a call. It does not change the meaning of the request. */
export interface ModelCall {
  /** The path of the step that makes this call. A cassette finds its answer by it. */
  path: string;
  signal: AbortSignal;
  /** Text as it streams in, for the live view only. */
  onDelta?: (text: string) => void;
  /** A request has left for this model, or a piece of its answer came; it is given up after so long a silence. */
  onHeard?: (model: string, patienceMs: number) => void;
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

/** Money and tokens of one task. Every amount is reserved before it can be spent (requirement X4). */
export interface Ledger {
  /**
   * Commits the worst case before the request leaves. Throws TerminalFailure `budget.cost`, `budget.tokens` or
   * `budget.month` if it does not fit. `unpriced` names a model whose cost nobody knows: no month's budget covers it.
   */
  reserve(worst: Amount, path: string, unpriced?: string): Promise<Reservation>;
  /** The amount spent so far. A call with unknown outcome counts with its worst case. */
  spent(): Promise<Amount>;
}

export interface Reservation {
  /** Gives back the difference. Must not be called if the outcome of the call is unknown. */
  settle(actual: Amount): Promise<void>;
}

export interface Amount {
  costMicros: number;
  tokens: number;
}

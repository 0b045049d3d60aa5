import { fail } from "../domain/failure.ts";
import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Model } from "./model.ts";

export interface RecordedCall {
  requestHash: string;
  answer: ModelAnswer;
}

/** The request of a step is not the one that was recorded: the answer is given all the same. */
export interface Drift {
  path: string;
  recordedHash: string;
  requestHash: string;
}

export interface CassetteParts {
  /** What was recorded at the path of a step. */
  lookup: (path: string) => RecordedCall | undefined;
  hashOf: (request: ModelRequest) => string;
  onDrift: (drift: Drift) => void;
}

/** A model that has already spoken: it answers by the path of the step, while everything around it really runs. */
export function cassetteModel({ lookup, hashOf, onDrift }: CassetteParts): Model {
  return {
    async complete(request, { path, signal, onDelta }) {
      signal.throwIfAborted();
      const recorded = lookup(path);
      if (!recorded) {
        const message = `the cassette has no answer for step ${path}: the run took another course than the recorded one`;
        throw fail("invalid-input", "cassette.missing", message);
      }
      const requestHash = hashOf(request);
      if (requestHash !== recorded.requestHash) onDrift({ path, recordedHash: recorded.requestHash, requestHash });
      onDelta?.(recorded.answer.text);
      return recorded.answer;
    },
  };
}

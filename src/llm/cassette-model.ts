import { fail } from "../domain/failure.ts";
import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import type { Model } from "./model.ts";

export interface RecordedCall {
  requestHash: string;
  answer: ModelAnswer;
}

/** The request of a step differs from the recorded one. The recorded answer is given anyway. */
export interface Drift {
  path: string;
  recordedHash: string;
  requestHash: string;
}

export interface CassetteParts {
  /** Finds the recorded call by the path of its step. */
  lookup: (path: string) => RecordedCall | undefined;
  hashOf: (request: ModelRequest) => string;
  onDrift: (drift: Drift) => void;
}

/** A model that answers from a recording, by the path of the step. Everything around it really runs. */
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

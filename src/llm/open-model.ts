import { type Failure, fail, TerminalFailure } from "../domain/failure.ts";
import type { ModelAnswer, ModelRequest } from "../domain/message.ts";
import { fromRung } from "../domain/plan/difficulty.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { summaryModels } from "../domain/settings/summary-models.ts";
import { faultIn } from "./attempt-fault.ts";
import { type AttemptParts, attemptOnce } from "./attempt-once.ts";
import { classifyFault } from "./classify-fault.ts";
import { HttpPoster } from "./http-post.ts";
import type { Model, ModelCall } from "./model.ts";
import { candidateOf, type ModelCandidate } from "./model-candidate.ts";
import { retryDelay } from "./retry-delay.ts";

/** Everything a call depends on, passed in. */
export interface ModelParts extends Omit<AttemptParts, "poster"> {
  settings: Pick<Settings, "models" | "providers" | "prices" | "retry" | "limits" | "summaries">;
  clock: ModelClock;
  random: () => number;
  /** For proxy variables. */
  environment: Record<string, string | undefined>;
  /** A request is on its way: what can be done meanwhile. */
  onSent?: () => void;
}

interface ModelClock {
  now(): number;
  /** Settles as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Opens the models of the settings. Each role has a sequence, and each model is tried with retries until one answers.
 */
export function openModel(parts: ModelParts): Model {
  const poster = new HttpPoster(parts.environment);
  return {
    async complete(request, call) {
      const candidates = modelsFor(request, parts.settings).map((name) => candidateOf(name, parts.settings));
      for (const candidate of candidates) refuseUnpriced(candidate, parts);
      const failures: Failure[] = [];
      let attempts = 0;
      for (const [at, candidate] of candidates.entries()) {
        const outcome = await tryCandidate(candidate, request, call, { ...parts, poster, attempts });
        attempts = outcome.attempts;
        if (outcome.answer) return outcome.answer;
        failures.push(outcome.failure);
        // The last one's failure is told as that of the call.
        const next = candidates[at + 1];
        if (next) call.onNotice?.(`${candidate.name}: ${outcome.failure.message}; ${next.name} is asked instead`);
      }
      throw new TerminalFailure(summary(failures, candidates, attempts));
    },
  };
}

function modelsFor({ role, purpose, rung = 0 }: ModelRequest, settings: ModelParts["settings"]): string[] {
  return purpose === "summary" ? summaryModels(role, settings) : fromRung(settings.models[role].models, rung);
}

type Outcome = { attempts: number } & ({ answer: ModelAnswer } | { answer?: undefined; failure: Failure });

/** Tries one model up to `retry.attempts` times. A cancelled call and a used-up budget throw. */
async function tryCandidate(
  candidate: ModelCandidate,
  request: ModelRequest,
  call: ModelCall,
  parts: ModelParts & { poster: HttpPoster; attempts: number },
): Promise<Outcome> {
  const { retry } = parts.settings;
  let { attempts } = parts;
  let told = "";
  for (let attempt = 1; ; attempt += 1) {
    attempts += 1;
    try {
      const answer = await attemptOnce(candidate, request, call, parts);
      return { attempts, answer: { ...answer, attempts } };
    } catch (error) {
      call.signal.throwIfAborted();
      const fault = faultIn(error);
      if (!fault) throw error;
      const { failure, retry: worthIt, askedMs } = classifyFault(fault.fault, candidate.place(parts.clock.now()));
      const waitMs = retryDelay(attempt, askedMs, retry, parts.random);
      if (failure.code === "model.rate-limited" && waitMs !== null)
        await parts.shared?.(candidate.shared).pause(waitMs);
      if (!worthIt || attempt >= retry.attempts) return { attempts, failure };
      if (waitMs === null) return { attempts, failure };
      const why = failure.message === told ? "the same again" : failure.message;
      told = failure.message;
      call.onNotice?.(`${why}; attempt ${attempt + 1} of ${retry.attempts} in ${(waitMs / 1000).toFixed(1)} s`);
      await parts.clock.sleep(waitMs, call.signal).finally(() => call.signal.throwIfAborted());
    }
  }
}

/** Without a price nothing can be reserved, so a limit in money could not be kept. Fallbacks are refused as early as the first model. */
function refuseUnpriced(candidate: ModelCandidate, parts: ModelParts): void {
  if (parts.settings.limits.maxCostMicros === null || candidate.price) return;
  throw fail(
    "budget",
    "budget.no-price",
    `${candidate.name} has no price, so --max-cost cannot be kept: add it to prices, or leave --max-cost out`,
  );
}

/** The first model's failure, since it is the one the person chose; the others' behind it. */
function summary(failures: Failure[], candidates: ModelCandidate[], attempts: number): Failure {
  const [first, ...others] = failures;
  if (!first) throw new Error("a role without models");
  const times = attempts > failures.length ? ` (${attempts} attempts)` : "";
  const rest = others.map((failure, index) => `; then ${candidates[index + 1]?.name}: ${failure.message}`).join("");
  return { ...first, message: `${first.message}${times}${rest}` };
}

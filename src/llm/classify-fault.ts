import type { Failure, FailureKind } from "../domain/failure.ts";
import type { Fault } from "./attempt-fault.ts";
import { askedDelay } from "./retry-delay.ts";

/** Where the fault happened, for the message. */
export interface FaultPlace {
  provider: string;
  model: string;
  url: string;
  keyVariable: string | undefined;
  now: number;
}

export interface FaultClass {
  failure: Failure;
  /** True if another attempt at the same model may help. */
  retry: boolean;
  /** True if the provider certainly did not bill the attempt. */
  unbilled: boolean;
  /** The pause that the server asked for. */
  askedMs?: number;
}

/** What a fault means. Pure: the caller acts. */
export function classifyFault(fault: Fault, place: FaultPlace): FaultClass {
  const at = `${place.provider} (${place.url})`;
  switch (fault.type) {
    case "status":
      return classifyStatus(fault, place);
    case "network": {
      const what = fault.sent ? "broke off the connection" : "cannot be reached";
      const failure = make(
        "transient",
        "model.unavailable",
        `${at} ${what}: ${fault.code}; check the address and the network`,
      );
      return { failure, retry: true, unbilled: !fault.sent };
    }
    case "timeout": {
      const where = fault.phase === "headers" ? "did not answer" : "stopped in the middle of its answer";
      const message = `${place.provider}/${place.model} ${where} for ${fault.waitedMs / 1000} s; raise retry.requestTimeout if the model is only slow`;
      return { failure: make("transient", "model.timeout", message), retry: true, unbilled: false };
    }
    case "malformed": {
      const message = `${at} sent an answer that cannot be read: ${fault.reason}`;
      return { failure: make("transient", "model.malformed", message), retry: true, unbilled: false };
    }
    case "stream-error": {
      const known = byWords(fault.reason, place);
      const failure =
        known ?? make("transient", "model.unavailable", `${at} ended its answer with an error: ${line(fault.reason)}`);
      return { failure, retry: known === undefined, unbilled: false };
    }
    case "unsupported": {
      const message = `${place.provider}/${place.model} cannot take this request: ${line(fault.reason)}`;
      return { failure: make("invalid-input", "model.unsupported", message), retry: false, unbilled: true };
    }
    case "no-key": {
      const message = `no key for ${place.provider}: set ${fault.variable}, or choose another model with --model`;
      return { failure: make("environment", "model.no-key", message), retry: false, unbilled: true };
    }
  }
}

function classifyStatus(fault: Fault & { type: "status" }, place: FaultPlace): FaultClass {
  const { status } = fault;
  const words = serverWords(fault.body);
  const known = byStatus(status, words, place);
  // After a gateway's time-out nobody knows what happened, and was billed, behind the gateway.
  const unbilled = status !== 408 && status !== 499 && status !== 502 && status !== 504 && status < 520;
  if (known) return { failure: known, retry: false, unbilled };
  const said = words === "" ? "" : `: ${line(words)}`;
  const askedMs = askedDelay(fault.headers, place.now);
  const asked = askedMs === undefined ? {} : { askedMs };
  if (status === 429) {
    const pause = askedMs === undefined ? "" : `, try again in ${Math.ceil(askedMs / 1000)} s`;
    const message = `${place.provider} limits the rate of requests (429)${pause}${said}`;
    return { failure: make("transient", "model.rate-limited", message), retry: true, unbilled, ...asked };
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    const message = `${place.provider} (${place.url}) is not available (${status})${said}`;
    return { failure: make("transient", "model.unavailable", message), retry: true, unbilled, ...asked };
  }
  const message = `${place.provider} (${place.url}) refused the request (${status})${said}`;
  return { failure: make("invalid-input", "model.rejected", message), retry: false, unbilled };
}

function byStatus(status: number, words: string, place: FaultPlace): Failure | undefined {
  if (status === 401 || status === 403) return unauthorized(`${status}`, words, place);
  if (status === 402) return quota(place, words);
  if (status >= 500) return undefined;
  const failure = byWords(words, place);
  if (failure) return failure;
  return status === 404 ? unknownModel(place, words) : undefined;
}

const CONTEXT_LENGTH =
  /context.?length|context window|context size|maximum context|prompt is too long|prompt too long|input is too long|too many (input )?tokens|input token count|maximum number of tokens|exceeds the available context/i;
const QUOTA =
  /insufficient.quota|insufficient.balance|insufficient.credits|credit balance is too low|billing_hard_limit|billing.not.active/i;
const UNKNOWN_MODEL =
  /model.not.found|not_found_error|no such model|unknown model|invalid model|model\b.{0,120}\b(not found|does not exist|is not supported|not exist)/i;
const BAD_KEY = /api.key.not.valid|api_key_invalid|invalid.api.key|invalid_authentication|authentication_error/i;

/** Providers answer 400 for many reasons. The words of the message tell which. */
function byWords(words: string, place: FaultPlace): Failure | undefined {
  if (CONTEXT_LENGTH.test(words)) {
    const message = `the conversation is too long for ${place.provider}/${place.model}: ${line(words)}`;
    return make("invalid-input", "model.context-length", message);
  }
  if (QUOTA.test(words)) return quota(place, words);
  if (BAD_KEY.test(words)) return unauthorized("invalid key", words, place);
  if (UNKNOWN_MODEL.test(words)) return unknownModel(place, words);
  return undefined;
}

function unauthorized(status: string, words: string, place: FaultPlace): Failure {
  const who = `${place.provider} at ${place.url} (${status})`;
  // config/models.yaml names it; as long as it is not set, the person's own server is asked without a key.
  const wanted =
    place.provider === "local"
      ? "if it wants a key, set MIRACLE_API_KEY"
      : `name the variable that holds its key as keyVariable of provider ${place.provider}`;
  const message =
    place.keyVariable === undefined
      ? `${who} refused the request: ${wanted}`
      : `the key in ${place.keyVariable} was refused by ${who}: set a valid key, or choose another model with --model`;
  return make("environment", "model.unauthorized", message, words);
}

function unknownModel(place: FaultPlace, words: string): Failure {
  const message = `${place.provider} at ${place.url} does not know the model "${place.model}": check --model and the base URL`;
  // The server may have the model tomorrow, so this is no outcome of the task.
  return make("environment", "model.unknown", message, words);
}

function quota(place: FaultPlace, words: string): Failure {
  const message = `the account at ${place.provider} has no credit left: add credit there, or choose another model with --model`;
  return make("environment", "model.quota", message, words);
}

/** The sentence in an error body, whatever its shape. */
function serverWords(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return wordsIn(value) || body;
  } catch {
    return body.replace(/<[^>]*>/g, " ");
  }
}

function wordsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return wordsIn(value[0]);
  if (typeof value !== "object" || value === null) return "";
  const fields = new Map(Object.entries(value));
  const inner = wordsIn(fields.get("error"));
  if (inner !== "") return inner;
  return ["message", "code", "type", "status", "detail"]
    .map((name) => fields.get(name))
    .filter((item) => typeof item === "string")
    .join(" · ");
}

/** Makes foreign text fit into a one-line message: short and without line breaks. */
function line(words: string): string {
  const flat = words.replace(/\s+/g, " ").trim();
  return flat.length > 240 ? `${flat.slice(0, 240)}…` : flat;
}

function make(kind: FailureKind, code: string, message: string, words = ""): Failure {
  return { kind, code, message, ...(words.trim() !== "" && { detail: words.slice(0, 2000) }) };
}

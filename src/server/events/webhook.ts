import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

export interface Webhook {
  url: string;
  /** Signs what is sent; without one nothing is signed. */
  secret: string | undefined;
}

const TIMEOUT_MS = 10_000;
const PAUSES_MS = [1000, 5000, 25_000];

/**
 * What shows that a message is ours and of now: the time and a code of time and body. A receiver makes the same code with
 * its secret, compares, and refuses what is old.
 */
function signature(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Posts it, again after a while if nobody takes it. Returns why nobody did, or undefined. */
export async function postWebhook(
  { url, secret }: Webhook,
  id: string,
  body: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let problem: string | undefined;
  for (const pause of [0, ...PAUSES_MS]) {
    if (pause > 0) await delay(pause, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return "the server stopped";
    problem = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-miracle-delivery": id,
        ...(secret !== undefined && { "x-miracle-signature": signature(secret, Math.floor(Date.now() / 1000), body) }),
      },
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).then(
      ({ ok, status }) => (ok ? undefined : `it answered ${status}`),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem === undefined) return undefined;
  }
  return problem;
}

import { randomBytes } from "node:crypto";

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What names a request: the caller's own id, the trace that it belongs to, or a new one. */
export function requestId(headers: Headers): string {
  const given = headers.get("x-request-id") ?? "";
  if (PLAIN.test(given)) return given;
  const [, trace] = TRACE.exec(headers.get("traceparent") ?? "") ?? [];
  return trace ?? `r${randomBytes(10).toString("hex")}`;
}

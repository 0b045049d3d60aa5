/** Why one attempt at one model failed, in the transport's terms. classify-fault.ts decides what it means. */
export type Fault =
  | { type: "status"; status: number; headers: Record<string, string>; body: string }
  /** `sent` is false only when the request certainly never reached the server. */
  | { type: "network"; code: string; sent: boolean }
  | { type: "timeout"; waitedMs: number; phase: "headers" | "stream" }
  | { type: "malformed"; reason: string }
  /** The server said 200 and then reported an error inside the stream. */
  | { type: "stream-error"; reason: string }
  /** This provider's format cannot express the request, for example an attachment. Nothing was sent. */
  | { type: "unsupported"; reason: string }
  | { type: "no-key"; variable: string };

/** Ends one attempt, not the call: the next attempt or the next model may succeed. */
export class AttemptFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(describe(fault), options);
    this.name = "AttemptFault";
    this.fault = fault;
  }
}

/** The fault inside an error that a foreign library may have wrapped. */
export function faultIn(error: unknown): AttemptFault | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (current instanceof Error && !seen.has(current)) {
    if (current instanceof AttemptFault) return current;
    seen.add(current);
    current = current.cause;
  }
  return undefined;
}

/** Servers quote keys in their errors. No key may reach a message, a log or the journal. */
export function withoutKey({ fault, cause }: AttemptFault, key: string | undefined): AttemptFault {
  if (!key) return new AttemptFault(fault, { cause });
  const hide = (text: string) => text.replaceAll(key, "[key]");
  if (fault.type === "status") return new AttemptFault({ ...fault, body: hide(fault.body) });
  if ("reason" in fault) return new AttemptFault({ ...fault, reason: hide(fault.reason) });
  return new AttemptFault(fault, { cause });
}

function describe(fault: Fault): string {
  switch (fault.type) {
    case "status":
      return `HTTP ${fault.status}`;
    case "network":
      return `network error ${fault.code}`;
    case "timeout":
      return `silent for ${fault.waitedMs} ms`;
    case "no-key":
      return `${fault.variable} is not set`;
    default:
      return fault.reason;
  }
}

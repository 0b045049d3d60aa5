import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** What the verifier runs code of a project in. */
export interface Surroundings {
  language: Language;
  toolchain: Toolchain;
  sandbox: Sandbox;
  limits: SandboxLimits;
  signal: AbortSignal;
}

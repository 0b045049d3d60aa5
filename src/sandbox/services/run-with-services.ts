import type { Service } from "../../domain/evidence/test-needs.ts";
import { fail, type TerminalFailure } from "../../domain/failure.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { withCompanion } from "../companion.ts";
import { type Command, type CommandResult, type Sandbox, WORKSPACE } from "../sandbox.ts";
import { type NotReady, serviceCompanion } from "./service-companion.ts";

/**
 * Runs a command beside services that live and end with it, in the same namespaces and under the same limits. Nothing
 * is left of them. If a service does not become ready, that is a failure of the environment, and the command is not
 * started.
 */
export async function runWithServices(
  sandbox: Sandbox,
  command: Command,
  services: Service[],
  limits: SandboxLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  if (services.length === 0) return sandbox.run(command, limits, signal);
  const accompanied = withCompanion(command, serviceCompanion(services, WORKSPACE), process.execPath);
  const result = await sandbox.run(accompanied.command, limits, signal);
  const said = accompanied.whyNot(result);
  if (said !== null) throw notReady(said);
  return result;
}

function notReady(said: string): TerminalFailure {
  const { service, why, output } = read(said);
  const detail = output.trim() === "" ? "It printed nothing." : `It printed:\n${output.trimEnd()}`;
  const message = `the service ${service} of .miracle/services.yaml is not ready: ${why}; run its command with \`miracle sandbox\` to see why`;
  return fail("environment", "service.not-ready", message, { detail });
}

/** Output from the sandbox may be cut or garbled. Then it is reported as it is. */
function read(said: string): NotReady {
  try {
    const told: unknown = JSON.parse(said);
    if (typeof told === "object" && told !== null && "service" in told && "why" in told && "output" in told) {
      return { service: String(told.service), why: String(told.why), output: String(told.output) };
    }
  } catch {
    // Not the companion's own words: Node could not start it.
  }
  return { service: "(all)", why: "nothing could be started", output: said };
}

import type { CommandResult, NetworkRequest } from "../sandbox/sandbox.ts";
import type { Recipe } from "./environment.ts";

/** Why there is no environment: one line, with the name of what could not be had. */
export function explainBuild(
  { from, interpreter }: Pick<Recipe, "from" | "interpreter">,
  { ending, stdout, stderr }: Pick<CommandResult, "ending" | "stdout" | "stderr">,
  requests: readonly NetworkRequest[],
): string {
  const what = `the environment of ${from.slice(0, 3).join(", ")} could not be built`;
  if (ending !== "exited") return `${what}: its installation was stopped (${ending})`;
  const said = `${stderr}\n${stdout}`;
  for (const { says, means } of CAUSES) {
    const found = says.exec(said);
    if (found) return `${what}: ${means(found[1] ?? "", interpreter)}${refusal(requests)}`;
  }
  const last = said
    .split("\n")
    .map((line) => line.trim())
    .findLast((line) => line !== "" && !/A complete log of this run/.test(line) && line !== "npm error");
  return `${what}: ${(last ?? "its installation failed").slice(0, 300)}${refusal(requests)}`;
}

const CAUSES: { says: RegExp; means: (name: string, interpreter: string) => string }[] = [
  { says: /^SHADOWED (\S+)/m, means: (name) => `a package brings a module named ${name}, which is the test runner's` },
  {
    says: /THESE PACKAGES DO NOT MATCH THE HASHES[\s\S]*?^\s+(\S+) from /m,
    means: (name) => `${name} does not have the hash of the manifest`,
  },
  { says: /No matching distribution found for ([^\n]+)/, means: (name) => `${name.trim()} cannot be had as a wheel` },
  {
    says: /npm (?:error|ERR!) code EINTEGRITY[\s\S]*?(\S+) failed/,
    means: () => "a package does not have the hash of the lockfile",
  },
  {
    says: /npm (?:error|ERR!) notarget No matching version found for ([^\s]+?)\.?\s/,
    means: (name) => `${name} cannot be had`,
  },
  {
    says: /npm (?:error|ERR!) (?:404|424)[^\n]*GET \S*?\/((?:@[^/\s]+(?:%2f|\/))?[^/\s]+)(?:\/-\/\S*)?\s/i,
    means: (name) => `${decodeURIComponent(name)} cannot be had`,
  },
  {
    says: /No module named (venv|ensurepip|pip)\b/,
    means: (name, interpreter) => `${interpreter} has no ${name}: apt-get install python3-venv python3-pip`,
  },
  { says: /npm: command not found|exec: npm: not found/, means: () => "there is no npm: apt-get install npm" },
];

/** The first request that was not let through, or that the registry did not answer. */
function refusal(requests: readonly NetworkRequest[]): string {
  const refused = requests.find(({ allowed, reason }) => !allowed || reason !== "");
  return refused ? ` (${refused.host}: ${refused.reason})` : "";
}

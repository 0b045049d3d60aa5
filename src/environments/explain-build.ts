import { ENVIRONMENT_FILE } from "../domain/settings/environment-file.ts";
import type { CommandResult, NetworkRequest } from "../sandbox/sandbox.ts";
import type { Recipe } from "./environment.ts";
import { fromOtherPlace, withHash } from "./npm-lock.ts";

/** Why there is no environment: one line, with the name of what could not be had. */
export function explainBuild(
  { from, interpreter, files }: Pick<Recipe, "from" | "interpreter" | "files">,
  { ending, stdout, stderr }: Pick<CommandResult, "ending" | "stdout" | "stderr">,
  requests: readonly NetworkRequest[],
): string {
  const what = `the environment of ${from.slice(0, 3).join(", ")} could not be built`;
  if (ending !== "exited") return `${what}: its installation was stopped (${ending})`;
  const said = `${stderr}\n${stdout}`;
  const other = fromOtherPlace({ files }, said);
  if (other !== null)
    return `${what}: ${other}, and only the registry is in reach: install the packages yourself, they are used if they fit`;
  if (/npm (?:error|ERR!) code EINTEGRITY/.test(said))
    return `${what}: ${unlike(withHash({ files }, said) ?? "a package")}`;
  for (const { says, means } of CAUSES) {
    const found = says.exec(said);
    if (found) return `${what}: ${means(found[1] ?? "", interpreter)}${refusal(requests)}`;
  }
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter(
      (line) => line !== "" && !/A complete log of this run|^info Visit |YN0000:/.test(line) && line !== "npm error",
    );
  const last = lines.findLast((line) => /error|failed/i.test(line)) ?? lines.at(-1);
  const why = (last ?? "its installation failed").slice(0, 300);
  const hint = from.includes(ENVIRONMENT_FILE) ? "" : `; what its manifests do not say goes into ${ENVIRONMENT_FILE}`;
  return `${what}: ${why}${refusal(requests)}${hint}`;
}

interface Cause {
  says: RegExp;
  means: (name: string, interpreter: string) => string;
}

const unlike = (name: string) => `${name} does not have the hash of the lockfile`;
const stale = (lock: string) => `${lock} does not fit package.json: install anew and commit both`;
const gone = (name: string) => `${name.replace(/%2f/i, "/")} cannot be had`;

/** pnpm, both kinds of yarn, and Go. */
const OTHER_MANAGERS: Cause[] = [
  { says: /ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH)/, means: () => stale("pnpm-lock.yaml") },
  { says: /ERR_PNPM_TARBALL_INTEGRITY[\s\S]*?\/-\/([^"\s]+)\.tgz/, means: unlike },
  { says: /ERR_PNPM_FETCH_\d+[^\n]*GET \S+?\/((?:@[^/\s]+(?:%2f|\/))?[^/\s]+)(?:\/-\/\S*)?:/i, means: gone },
  {
    says: /Your lockfile needs to be updated|YN0028|doesn't seem to be present in your lockfile/,
    means: () => stale("yarn.lock"),
  },
  { says: /Integrity check failed for "([^"]+)"/, means: unlike },
  { says: /YN0018:[^\n]*? ([^\s]+): The remote archive/, means: unlike },
  { says: /"https?:\/\/[^/]+\/((?:@[^/\s]+\/)?[^/\s"]+)[^"]*: Request failed/, means: gone },
  { says: /YN0035:[^\n]*? (\S+@npm\S+): /, means: gone },
  { says: /verifying ([^\s:]+): checksum mismatch/, means: (name) => `${name} does not have the hash of go.sum` },
  { says: /go: ([^\s:]+@v[^\s:]+): (?:reading|Get|invalid|unrecognized)/, means: gone },
];

const CAUSES: Cause[] = [
  { says: /^SHADOWED (\S+)/m, means: (name) => `a package brings a module named ${name}, which is the test runner's` },
  {
    says: /THESE PACKAGES DO NOT MATCH THE HASHES[\s\S]*?^\s+(\S+) from /m,
    means: (name) => `${name} does not have the hash of the manifest`,
  },
  {
    says: /Cannot install (.{1,200}?) because these package versions/,
    means: (names) => `${names} cannot be had in the versions that manifest and lockfile ask for`,
  },
  {
    says: /Could not find a version that satisfies the requirement ([^\n(]+? \(from (?!versions:)[A-Za-z0-9][\w.-]*)[^\n]*\(from versions:/,
    means: (said) => `${said.replace(/ \(from (.*)$/, ", which $1 asks for,")} cannot be had as a wheel`,
  },
  { says: /No matching distribution found for ([^\n]+)/, means: (name) => `${name.trim()} cannot be had as a wheel` },
  {
    says: /The wheel '[^']*?([^/'-]+)-[^/']*' has a file '[^']*' trying to install outside/,
    means: (name) => `${name} has a file outside of its place`,
  },
  {
    says: /npm (?:error|ERR!) code ERESOLVE[\s\S]*?(?:While resolving|Found): (\S+)/,
    means: (name) => `npm finds no versions that all fit (ERESOLVE, at ${name}): commit a lockfile`,
  },
  {
    says: /npm (?:error|ERR!) notarget No matching version found for ([^\s]+?)\.?\s/,
    means: gone,
  },
  {
    says: /npm (?:error|ERR!) (?:404|424)[^\n]*GET \S*?\/((?:@[^/\s]+(?:%2f|\/))?[^/\s]+)(?:\/-\/\S*)?\s/i,
    means: gone,
  },
  ...OTHER_MANAGERS,
  {
    says: /No module named (venv|ensurepip|pip)\b/,
    means: (name, interpreter) => `${interpreter} has no ${name}: apt-get install python3-venv python3-pip`,
  },
  { says: /npm: command not found|exec: npm: not found/, means: () => "there is no npm: apt-get install npm" },
];

/**
 * The one package that this explanation of ours names, or the one that asks for it; an empty text where it is about something
 * else, such as the network.
 */
export function packageMissing(problem: string): string {
  const [, name = "", asking = name] = MISSING.exec(problem) ?? [];
  return asking;
}

const MISSING =
  /could not be built: ([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~][^;:]*?)?(?:, which ([\w.-]+) asks for,)? ?cannot be had (?:as a wheel|in the versions that manifest and lockfile ask for)(?:$|;)/;

/** The first request that was not let through, or that the registry did not answer. */
function refusal(requests: readonly NetworkRequest[]): string {
  const refused = requests.find(({ allowed, reason }) => !allowed || reason !== "");
  return refused ? ` (${refused.host}: ${refused.reason})` : "";
}

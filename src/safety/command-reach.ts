import { readAuthority } from "../sandbox/hosts/host-name.ts";
import { allowsHost, parseHostRule } from "../sandbox/hosts/host-rule.ts";
import type { CommandVerdict } from "./commands/judging/verdict.ts";
import type { CommandRuling } from "./safety.ts";

interface Reach {
  /** Hosts that every command may reach. */
  network: string[];
  /** Hosts that installs of a language need. */
  registries: Partial<Record<string, string[]>>;
}

/** What an install may not do: run scripts of what it installs. */
const WITHOUT_SCRIPTS = {
  npm_config_ignore_scripts: "true",
  YARN_ENABLE_SCRIPTS: "false",
  PIP_ONLY_BINARY: ":all:",
  UV_NO_BUILD: "1",
};

/**
 * What a command may reach if it runs: an install the registry of its language, and a request the hosts that stand in
 * its line. A request that only reaches hosts which every command may reach needs no question.
 */
export function ruleOn(line: string, verdict: CommandVerdict, { network, registries }: Reach): CommandRuling {
  const { subject, reasons, installs } = verdict;
  const named = reasons.some((reason) => reason.subject === "network") ? hostsIn(line) : [];
  const rules = network.map(parseHostRule);
  const isOnlyNetwork = reasons.every((reason) => reason.subject === "network");
  const isKnown = named.length > 0 && named.every((host) => isAllowed(host));
  const decision = verdict.decision === "ask" && isOnlyNetwork && isKnown ? "allow" : verdict.decision;
  const used = Object.fromEntries(
    installs.flatMap(({ language }) => (registries[language] ? [[language, registries[language]]] : [])),
  );
  const hosts = [...named, ...Object.values(used).flat()];
  const env = installs.length > 0 ? WITHOUT_SCRIPTS : {};
  return { decision, subject, reasons, hosts, registries: used, env };

  function isAllowed(host: string): boolean {
    const authority = readAuthority(host, 443);
    return authority !== null && allowsHost(rules, authority);
  }
}

/** `host` or `host:port` of each address that is written out in the line. */
function hostsIn(line: string): string[] {
  const found = [...line.matchAll(/\bhttps?:\/\/(?:[^\s/@"'`\\$]*@)?([A-Za-z0-9.-]+(?::\d{1,5})?)/g)];
  return [...new Set(found.map(([, host = ""]) => host))].filter((host) => readAuthority(host, 443) !== null);
}

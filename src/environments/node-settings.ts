import { parse, stringify } from "yaml";
import type { TreeFiles } from "./environment.ts";

/** Settings that decide which packages stand where. No other is laid out: not a registry, a token, or a program. */
const OF_NPMRC =
  /^(legacy-peer-deps|install-links|install-strategy|auto-install-peers|strict-peer-dependencies|(shamefully-)?hoist|(public-)?hoist-pattern(\[\])?|node-linker|link-workspace-packages|prefer-workspace-packages|inject-workspace-packages|shared-workspace-lockfile|dedupe-peer-dependents|dedupe-injected-deps|resolve-peers-from-workspace-root|exclude-links-from-lockfile|peers-suffix-max-length)$/;
const OF_PNPM =
  /^(packages|catalogs?|overrides|packageExtensions|patchedDependencies|allowUnusedPatches|peerDependencyRules|ignoredOptionalDependencies|supportedArchitectures|autoInstallPeers|strictPeerDependencies|hoist|shamefullyHoist|hoistPattern|publicHoistPattern|nodeLinker|linkWorkspacePackages|preferWorkspacePackages|injectWorkspacePackages|sharedWorkspaceLockfile|dedupePeerDependents|dedupeInjectedDeps|resolvePeersFromWorkspaceRoot|excludeLinksFromLockfile|peersSuffixMaxLength)$/;
const OF_YARN = /^(packageExtensions|catalogs?|compressionLevel|nmHoistingLimits|supportedArchitectures)$/;

/** Files of settings beside the manifests, reduced to what decides over packages. */
export function nodeSettings({ read }: TreeFiles): { path: string; content: string }[] {
  const npmrc = (read(".npmrc") ?? "")
    .split(/\r?\n/)
    .filter((line) => OF_NPMRC.test(line.split("=")[0]?.trim() ?? ""))
    .map((line) => `${line}\n`)
    .join("");
  return [
    { path: ".npmrc", content: npmrc },
    { path: "pnpm-workspace.yaml", content: reduced(read("pnpm-workspace.yaml"), OF_PNPM) },
    { path: ".yarnrc.yml", content: reduced(read(".yarnrc.yml"), OF_YARN) },
  ].filter(({ content }) => content !== "");
}

function reduced(text: string | null, kept: RegExp): string {
  const entries = Object.entries(tableOf(text)).filter(([key]) => kept.test(key));
  return entries.length === 0 ? "" : stringify(Object.fromEntries(entries));
}

/** Empty where it is no table. */
function tableOf(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

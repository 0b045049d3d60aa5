import type { Finding } from "../domain/finding.ts";
import type { SafetySettings } from "../domain/settings/safety-settings.ts";
import type { CommandRules } from "./commands/judging/command-rules.ts";
import type { CommandVerdict } from "./commands/judging/verdict.ts";
import type { DependencyRules } from "./dependencies/dependency-rules.ts";
import type { ChangedFile, Safety } from "./safety.ts";
import type { ScannedFile } from "./scan/scanned-file.ts";

interface SafetyOptions {
  /** Where our own package.json stands: the shipped rules are in its config/safety. */
  root: string;
  /** The person's own policy over them. */
  policy: SafetySettings | undefined;
}

/** The shipped rules under the person's policy. Nothing is read before the first command or scan needs it. */
export function openSafety(options: SafetyOptions): Safety {
  const scan = once(() => openScan(options));
  const judge = openJudge(options, scan);
  return {
    judgeCommand: async (line) => {
      const { ruleOn } = await import("./command-reach.ts");
      const { policy } = options;
      return ruleOn(line, await judge(line), { network: policy?.network ?? [], registries: policy?.registries ?? {} });
    },
    scanChange: async (files) => (await scan()).scanChange(files),
  };
}

/** Says of a command line whether it may run, with the code in it. */
export function openJudge(
  options: SafetyOptions,
  scan: () => Promise<Scan> = once(() => openScan(options)),
): (line: string) => Promise<CommandVerdict> {
  const rules = once(() => openCommandRules(options));
  const { policy } = options;
  const asks = policy?.findings === "ask" || policy?.approve.includes("code");
  return async (line) => {
    const { judgeLine } = await import("./judge-line.ts");
    const parts = { rules: await rules(), findings: asks ? ("ask" as const) : ("deny" as const) };
    return judgeLine(line, { ...parts, scan: async (files) => (await scan()).scanFiles(files) });
  };
}

async function openCommandRules({ root, policy }: SafetyOptions): Promise<CommandRules> {
  const [{ mergeCommandPolicy }, { loadCommandRules }] = await Promise.all([
    import("./commands/judging/command-rules.ts"),
    import("./commands/load-command-rules.ts"),
  ]);
  const [commands, dependencies] = await Promise.all([loadCommandRules(root), openDependencies({ root, policy })]);
  return mergeCommandPolicy({ ...commands, dependencies }, policy?.commands ?? {});
}

async function openDependencies({ root, policy }: SafetyOptions): Promise<DependencyRules> {
  const [{ mergeDependencyPolicy }, { loadDependencyRules }] = await Promise.all([
    import("./dependencies/dependency-rules.ts"),
    import("./dependencies/load-dependency-rules.ts"),
  ]);
  return mergeDependencyPolicy(await loadDependencyRules(root), policy?.dependencies ?? {});
}

interface Scan {
  scanChange(files: ChangedFile[]): Promise<Finding[]>;
  scanFiles(files: ScannedFile[]): Promise<Finding[]>;
}

async function openScan({ root, policy }: SafetyOptions): Promise<Scan> {
  const [{ loadScanRules, withPolicy }, { newFindings, scanFiles }, { judgeManifest }, { SyntaxParsers }] =
    await Promise.all([
      import("./scan/scan-rules.ts"),
      import("./scan/scan-files.ts"),
      import("./dependencies/judge-manifest.ts"),
      import("../syntax/parse.ts"),
    ]);
  const shipped = await loadScanRules(root);
  const rules = policy?.code ? withPolicy(shipped, policy.code) : shipped;
  const dependencies = await openDependencies({ root, policy });
  const parsers = new SyntaxParsers();
  const scanChange = async (files: ChangedFile[]): Promise<Finding[]> => {
    const before = files.flatMap(({ path, before }) => (before === null ? [] : [{ path, content: before }]));
    const after = files.map(({ path, after }) => ({ path, content: after }));
    const code = newFindings(await scanFiles(before, rules, parsers), await scanFiles(after, rules, parsers));
    const packages = files.flatMap(({ path, before, after }) => judgeManifest(path, before, after, dependencies));
    return [...code, ...packages];
  };
  return { scanChange, scanFiles: (files) => scanFiles(files, rules, parsers) };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

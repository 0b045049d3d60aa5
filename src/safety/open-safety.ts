import type { Finding } from "../domain/finding.ts";
import type { SafetySettings } from "../domain/safety-settings.ts";
import type { DependencyRules } from "./dependencies/dependency-rules.ts";
import type { ChangedFile, CommandRuling, Safety } from "./safety.ts";

export interface SafetyOptions {
  /** Where our own package.json stands: the shipped rules are in its config/safety. */
  root: string;
  /** The person's own policy over them. */
  policy: SafetySettings | undefined;
}

/** The shipped rules under the person's policy. Nothing is read before the first command or scan needs it. */
export function openSafety(options: SafetyOptions): Safety {
  const commands = once(() => openCommands(options));
  const scan = once(() => openScan(options));
  return {
    judgeCommand: async (line) => (await commands())(line),
    scanChange: async (files) => (await scan())(files),
  };
}

async function openCommands({ root, policy }: SafetyOptions): Promise<(line: string) => CommandRuling> {
  const [{ judgeCommand }, { mergeCommandPolicy }, { loadCommandRules }, { ruleOn }] = await Promise.all([
    import("./commands/judge-command.ts"),
    import("./commands/command-rules.ts"),
    import("./commands/load-command-rules.ts"),
    import("./command-reach.ts"),
  ]);
  const dependencies = await openDependencies({ root, policy });
  const rules = mergeCommandPolicy({ ...(await loadCommandRules(root)), dependencies }, policy?.commands ?? {});
  const reach = { network: policy?.network ?? [], registries: policy?.registries ?? {} };
  return (line) => ruleOn(line, judgeCommand(line, rules), reach);
}

async function openDependencies({ root, policy }: SafetyOptions): Promise<DependencyRules> {
  const [{ mergeDependencyPolicy }, { loadDependencyRules }] = await Promise.all([
    import("./dependencies/dependency-rules.ts"),
    import("./commands/load-command-rules.ts"),
  ]);
  return mergeDependencyPolicy(await loadDependencyRules(root), policy?.dependencies ?? {});
}

async function openScan({ root, policy }: SafetyOptions): Promise<(files: ChangedFile[]) => Promise<Finding[]>> {
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
  return async (files) => {
    const before = files.flatMap(({ path, before }) => (before === null ? [] : [{ path, content: before }]));
    const after = files.map(({ path, after }) => ({ path, content: after }));
    const code = newFindings(await scanFiles(before, rules, parsers), await scanFiles(after, rules, parsers));
    const packages = files.flatMap(({ path, before, after }) => judgeManifest(path, before, after, dependencies));
    return [...code, ...packages];
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

import type { Finding } from "../domain/finding.ts";
import type { SafetySettings } from "../domain/safety-settings.ts";
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

async function openCommands(_options: SafetyOptions): Promise<(line: string) => CommandRuling> {
  return () => ({ decision: "allow", subject: "command", reasons: [], hosts: [] });
}

async function openScan({ root, policy }: SafetyOptions): Promise<(files: ChangedFile[]) => Promise<Finding[]>> {
  const [{ loadScanRules, withPolicy }, { newFindings, scanFiles }, { SyntaxParsers }] = await Promise.all([
    import("./scan/scan-rules.ts"),
    import("./scan/scan-files.ts"),
    import("../syntax/parse.ts"),
  ]);
  const shipped = await loadScanRules(root);
  const rules = policy?.code ? withPolicy(shipped, policy.code) : shipped;
  const parsers = new SyntaxParsers();
  return async (files) => {
    const before = files.flatMap(({ path, before }) => (before === null ? [] : [{ path, content: before }]));
    const after = files.map(({ path, after }) => ({ path, content: after }));
    return newFindings(await scanFiles(before, rules, parsers), await scanFiles(after, rules, parsers));
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

import { shippedRules } from "../rules/shipped-rules.ts";
import { SecretRules } from "../secrets/secret-rule.ts";
import { RuleIndex } from "./match-use.ts";
import { mergePolicies, NO_POLICY, type ScanPolicy } from "./policy.ts";
import { CodeRules, FileRules } from "./rule.ts";

export type ScannedLanguage = "python" | "javascript" | "go";

export interface LanguageRules {
  index: RuleIndex;
  broken: CodeRules["broken"];
}

/** Everything a scan goes by. */
export interface ScanRules {
  languages: Record<ScannedLanguage, LanguageRules>;
  files: FileRules;
  secrets: SecretRules;
  policy: ScanPolicy;
  /** Whether a file is a test: some rules count less there. */
  isTest(path: string): boolean;
}

/** The rules that ship below `root`, with no policy yet. */
export async function loadScanRules(root: string): Promise<ScanRules> {
  const language = async (name: ScannedLanguage): Promise<LanguageRules> => {
    const { rules, broken } = await shippedRules(CodeRules, root, name);
    return { index: new RuleIndex(rules), broken };
  };
  const [python, javascript, go, files, secrets] = await Promise.all([
    language("python"),
    language("javascript"),
    language("go"),
    shippedRules(FileRules, root, "files"),
    shippedRules(SecretRules, root, "secrets"),
  ]);
  return { languages: { python, javascript, go }, files, secrets, policy: NO_POLICY, isTest: isTestByName };
}

/** The same rules under a further policy: of a user, of a project. */
export function withPolicy(rules: ScanRules, policy: ScanPolicy): ScanRules {
  return { ...rules, policy: mergePolicies(rules.policy, policy) };
}

/** Where nobody knows the project's languages better: the names that test runners look for. */
function isTestByName(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec)\/|(^|\/)(test_[^/]*|[^/]*_test|[^/]*[.-](test|spec))\.[a-z]+$|(^|\/)conftest\.py$/.test(
    path,
  );
}

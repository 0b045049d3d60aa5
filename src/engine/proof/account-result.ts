import { z } from "zod";
import { AccountLine } from "../../domain/evidence/account.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import { changesBehaviour, LanguageName } from "../../domain/plan/spec.ts";
import { accountOfTask } from "../../verify/account/account-of-task.ts";
import type { AskedFor } from "../../verify/account/asked-places.ts";
import { owedText } from "../../verify/held-out/quote.ts";
import type { OwnSuite } from "../../verify/measure/repeat-on-result.ts";
import { needsUnseen } from "../../verify/written-tests/judge-tests.ts";
import { judgedTree } from "../gate/judged-tree.ts";
import type { Run } from "../hands/run.ts";
import { dueFiles } from "./measure-result.ts";
import type { UnseenEnd, UnseenWork } from "./prove-unseen.ts";

/** A finished change whose every place is to be accounted for. */
export interface Accounted {
  change: UnseenWork;
  end: UnseenEnd;
  /** Absent where no mutants were tried. */
  measured: Measured | undefined;
  own: OwnSuite | null;
  budgetMs: number;
}

/**
 * The account of the whole change of the task, by the same code as `prove`: what no test of a requirement notices, what
 * is not as before, and what nobody asked for by name is not judged.
 */
export function accountResult(run: Run, accounted: Accounted): Promise<AccountLine[]> {
  const { change, end, own, budgetMs } = accounted;
  const { wanted, tests } = change;
  const { spec } = wanted.planned;
  const due = dueFiles({ heldOutFiles: end.files, heldOut: end.tests });
  const files = [...tests.files, ...due].map(({ path, content }) => ({ path, content }));
  const trees = { base: wanted.survey.tree, result: end.result.tree };
  const asked = askedFor(run, change);
  const { leave = [] } = run.request;
  const input = { ...trees, files, asked, leave, budgetMs };
  return run.step({ kind: "tool", name: "account", input, output: z.array(AccountLine) }, async () => {
    const { artifacts, checkouts, languages, parsers, sandbox, signal } = run.parts;
    run.parts.onProgress("which test shows each changed place", 0, 0);
    const used = new Set<string>();
    const layOut = async (name: string, tree: string) => {
      used.add(name);
      const checkout = checkouts.named(name);
      await checkout.renew(tree);
      return { directory: checkout.directory, renew: () => checkout.renew(tree) };
    };
    try {
      return await accountOfTask({
        artifacts,
        task: run.task,
        parsers,
        language: wanted.language,
        toolchain: await languages.toolchain(wanted.language, run.request.directory, trees.result),
        sandbox,
        limits: run.settings.sandbox.limits,
        signal,
        trees,
        judged: await judgedTree(run, { base: trees.base, tree: trees.result }),
        isTest: (path) => LanguageName.options.some((name) => languages.named(name).isTestFile(path)),
        tests: files,
        // Where behaviour must stay, the mutants were those of the code before.
        measured: changesBehaviour(spec.kind) ? (accounted.measured ?? null) : null,
        own,
        asked,
        behaves: changesBehaviour(spec.kind),
        leave,
        layOut,
        budgetMs,
      });
    } finally {
      for (const name of used) checkouts.named(name).clear();
    }
  });
}

function askedFor({ request, settings, parts }: Run, { wanted }: UnseenWork): AskedFor {
  const { spec, plan } = wanted.planned;
  const artifacts = plan.todos.flatMap(({ artifacts: own, effects = [] }) => [
    ...own,
    ...effects.map(({ path }) => path),
  ]);
  const { functions = [], classes = [] } = spec.contract ?? {};
  const promised = [...functions, ...classes].map(({ file }) => file);
  return {
    words: owedText(request.goal, spec),
    artifacts: [...new Set([...artifacts, ...promised])],
    packages: settings.safety.approve.includes("deps") ? "--approve deps" : parts.warden.allowedPackages(),
    code: !needsUnseen(spec),
  };
}

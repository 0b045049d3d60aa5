import type { LanguageName } from "../../domain/plan/spec.ts";
import { toolsFor } from "../hands/command-tools.ts";
import type { Run } from "../hands/run.ts";
import { Tools } from "../planning/survey.ts";

const NAME = "environment";

/**
 * What the result was judged in, as a step of its own: by which command it was built, in what time, and which versions
 * came of it. A task for whose result nothing was installed has no such step.
 */
export async function recordEnvironment(run: Run, name: LanguageName | null, tree: string): Promise<void> {
  const { languages } = run.parts;
  const language = name === null ? null : languages.named(name);
  const tools = () => toolsFor(languages, run.request.directory, language, tree);
  // Inside the recording the next recorded step says so. After its end it is asked: the gate has built it already.
  if (!(run.isNext(NAME) ?? (await tools()).versions.environment !== undefined)) return;
  await run.step({ kind: "tool", name: NAME, input: { language: name, tree }, output: Tools }, async () => {
    const toolchain = await tools();
    return { versions: toolchain.versions, testCommand: language?.testRun([], toolchain).display ?? "" };
  });
}

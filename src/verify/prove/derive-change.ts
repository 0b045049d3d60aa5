import { TerminalFailure } from "../../domain/failure.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import type { Derive } from "../evidence/check-bundle.ts";
import { Measurements, NotMeasured } from "./measurements.ts";
import { prove } from "./prove.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";

/** What a proof reads with. */
interface DerivingParts {
  languages: Pick<ProveParts["languages"], "named">;
  parsers: ProveParts["parsers"];
}

/**
 * How the evidence of a change is made again: the proof itself, on the two trees of the bundle, with what was measured
 * in place of a sandbox. So a place that the trees have and the account lacks is found, and so is a measurement that is
 * missing, or of something else.
 */
export const deriveChange =
  ({ languages, parsers }: DerivingParts): Derive =>
  async (files, { artifacts, ids }) => {
    const content = files.get(BUNDLE.measurements);
    const missing = [BUNDLE.baseTree, BUNDLE.resultTree].find((name) => !ids.get(name));
    const absent = content ? missing : BUNDLE.measurements;
    if (!content || absent !== undefined)
      return { cannot: `${absent} is not in the bundle, so nothing of evidence.json can be derived` };
    const measurements = Measurements.read(content.toString("utf8"));
    const said = (fault: string) => `${BUNDLE.measurements}: ${fault}`;
    if (!measurements) return { document: null, faults: [said("it cannot be read")] };
    try {
      const named = languages.named.bind(languages);
      const parts = { ...INERT, languages: { named, toolchain: untouched }, parsers, artifacts };
      const document = await prove(NOTHING_ASKED, parts, measurements);
      return { document, faults: measurements.unused().map((name) => said(`nothing rests on this: ${name}`)) };
    } catch (error) {
      // Somebody else may have written it: whatever goes wrong with it is its fault.
      const isKnown = error instanceof NotMeasured || error instanceof TerminalFailure;
      const message = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
      return { document: null, faults: [said(isKnown ? message : `it cannot be read: ${message}`)] };
    }
  };

const untouched = (): never => {
  throw new Error("a proof that is made again touched something");
};

/** The measurements say what was asked. */
const NOTHING_ASKED: ProveRequest = {
  directory: "",
  accept: [],
  superseded: [],
  leave: [],
  mutationScore: null,
  budgetMs: 0,
};

const INERT: Omit<ProveParts, "languages" | "parsers" | "artifacts"> = {
  task: "check",
  sandbox: { backend: "none", run: untouched, [Symbol.asyncDispose]: untouched },
  limits: { cpus: 1, memoryMb: 1, pids: 1, diskMb: 1, timeoutMs: 1, outputBytes: 1 },
  scanRules: untouched,
  checkout: untouched,
  version: "",
  clock: untouched,
  signal: new AbortController().signal,
  onProgress: () => {},
};

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OpenedApp } from "../../app.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { replayFaults } from "../../engine/replay-faults.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { checkBundle } from "../../verify/evidence/check-bundle.ts";
import { deriveTask } from "../../verify/evidence/derive-task.ts";
import { MANIFEST_FILE } from "../../verify/evidence/manifest.ts";
import { checkSignature } from "../../verify/evidence/signature.ts";
import { deriveChange } from "../../verify/prove/derive-change.ts";
import type { Rerun } from "../../verify/prove/rerun.ts";
import { rerunBundle } from "../../verify/prove/rerun-bundle.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../text/amounts.ts";
import { EXIT, type ExitCode } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";
import { version } from "../text/version.ts";

export interface BundleFlags {
  root?: string;
  rerun?: boolean;
  signature?: boolean;
  allowedSigners?: string;
  json?: boolean;
}

/** Checks a bundle of evidence, and runs its tests again where that is asked for. */
export async function verifyBundle(
  terminal: Terminal,
  opened: OpenedApp,
  { name, place }: { name: string; place: string },
  flags: BundleFlags,
): Promise<ExitCode> {
  const languages = openLanguages();
  const derive = {
    run: deriveTask((recording) => replayFaults(recording, languages)),
    prove: deriveChange({ languages, parsers: new SyntaxParsers() }),
  };
  const checked = await checkBundle(place, { version: version(), root: flags.root, derive });
  const { root, files, document, faults: found, unchecked } = checked;
  const signed = await signatureOf(terminal, place, flags);
  const faults = [...found, ...signed.faults];
  // What was tampered with is not run.
  const rerun =
    flags.rerun && document && faults.length === 0 ? await runAgain(terminal, opened, place, document) : null;
  const differences = rerun?.differences ?? [];
  if (flags.json) {
    const { signature } = signed;
    terminal.output.write(
      `${JSON.stringify({ bundle: name, root, files, verdict: document?.verdict ?? null, signature, faults, unchecked, rerun })}\n`,
    );
  } else {
    const held = `${name} ${unchecked.length === 0 ? "holds" : "cannot be checked whole"}: ${count(files, "file")}, every hash; ${takenOnTrust(document)}root hash ${root}`;
    const lines = [
      faults.length === 0 ? held : `${name} does not hold:`,
      ...faults.map((fault) => `  ${fault}`),
      ...unchecked.map((line) => `  not checked: ${line}`),
      ...(signed.signature === null ? [] : [`  ${signed.signature}`]),
      ...(signed.signature === null && faults.length === 0 ? [`  ${UNSIGNED}`] : []),
      ...(document && faults.length === 0 ? [`  it says: ${document.verdict.summary}`] : []),
      ...(rerun ? rerunLines(rerun) : []),
      ...(rerun && document?.producer === "prove" ? [`  ${TAKEN}`] : []),
    ];
    terminal.output.write(lines.map((line) => `${printable(line)}\n`).join(""));
  }
  if (faults.length > 0 || differences.length > 0) return EXIT.tampered;
  return unchecked.length > 0 || rerun?.settled === false ? EXIT.notProven : EXIT.done;
}

/** What whoever made the bundle asked to be let pass: no check of ours says anything of it. */
function takenOnTrust(document: EvidenceDocument | null): string {
  const left = document?.account?.filter((line) => line.left).length ?? 0;
  const score = document?.limits?.mutationScore;
  return [
    ...(left > 0 ? [`${count(left, "place")} left unjudged by whoever made it; `] : []),
    ...(typeof score !== "number" ? [] : [`${Math.round(score * 100)} % of mutants were enough for whoever made it; `]),
  ].join("");
}

const UNSIGNED =
  "not signed: whoever made it may have made everything in it, journal, measurements and reports included; --rerun shows more, a signature says who";

/** What only the repository tells that the change came from. */
const TAKEN = "known from the bundle alone: which commits these trees are, and that no other tracked file differs";

function rerunLines({ tests, mutants, differences, notRepeated, settled }: Rerun): string[] {
  const all = [count(tests, "test"), ...(mutants > 0 ? [count(mutants, "mutant")] : [])].join(" and ");
  const said =
    differences.length === 0
      ? `run again: ${all}, ${settled ? "each as the evidence says" : "and the verdict could not be repeated"}`
      : `run again: of ${all}, ${differences.length} came out differently, twice`;
  return [
    `  ${said}`,
    ...differences.map((difference) => `    ${difference}`),
    ...notRepeated.map((what) => `  not run again: ${what}`),
  ];
}

async function signatureOf(
  terminal: Terminal,
  place: string,
  { signature: wanted, allowedSigners }: BundleFlags,
): Promise<{ signature: string | null; faults: string[] }> {
  const file = join(place, MANIFEST_FILE);
  const signature = `${file}.sig`;
  if (!existsSync(signature)) {
    const isWanted = wanted === true || allowedSigners !== undefined;
    return { signature: null, faults: isWanted ? [`${MANIFEST_FILE}.sig: it is missing, so nobody signed this`] : [] };
  }
  const content = readFileSync(file, "utf8");
  const signers = allowedSigners === undefined ? undefined : resolve(terminal.directory, allowedSigners);
  const { valid, signer, detail } = await checkSignature(file, signature, content, signers, terminal.env);
  if (!valid)
    return { signature: null, faults: [`${MANIFEST_FILE}.sig: the signature does not hold: ${detail.split("\n")[0]}`] };
  const key = /SHA256:[A-Za-z0-9+/]+/.exec(detail)?.[0] ?? "a key";
  return {
    signature:
      signer === null ? `signed with ${key}; --allowed-signers tells whose it is` : `signed by ${signer} (${key})`,
    faults: [],
  };
}

async function runAgain(
  terminal: Terminal,
  { app, config }: OpenedApp,
  place: string,
  document: EvidenceDocument,
): Promise<Rerun> {
  using interrupts = listenForInterrupts(() => {});
  const { settings } = config;
  const onProgress = (text: string) => terminal.error.write(`${printable(text)}\n`);
  return await app.proving({ settings, signal: interrupts.signal, onProgress }, (parts) =>
    rerunBundle(place, document, terminal.directory, parts),
  );
}

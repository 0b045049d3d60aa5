import { openLines, placeOf } from "../../domain/evidence/account.ts";
import { describeNoticed } from "../../domain/evidence/describe-noticed.ts";
import type { EvidenceDocument, EvidenceTest } from "../../domain/evidence/evidence-document.ts";
import { htmlDiff } from "./html-diff.ts";
import { escapeHtml, PAGE_STYLE } from "./html-text.ts";

/** The document as one file for a browser: it asks for nothing from anywhere, and runs nothing. */
export function renderHtml(document: EvidenceDocument, patch: string | null): string {
  const { verdict } = document;
  const body = [
    heading(document),
    requirements(document),
    section(
      "Open places",
      openLines(document.account ?? []).map((line) => `${placeOf(line)}: ${line.why}`),
    ),
    disputes(document),
    patch === null ? "" : `<section><h2>The change</h2>${htmlDiff(document, patch)}</section>`,
    section(
      "Not checked",
      document.notChecked.map(({ check, why }) => `${check}: ${why}`),
    ),
    section("To know", document.notes),
    environment(document),
    check(document),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(verdict.summary)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${body.filter((part) => part !== "").join("\n")}
</body>
</html>
`;
}

const MARKS = { proven: "✓", "proven-in-part": "◐", checked: "✓", "not-proven": "✗", refused: "⛔" } as const;

function heading({ verdict, goal, at, suite, mutants }: EvidenceDocument): string {
  const facts = [
    ...(suite?.after ? [`suite: ${suite.after.passed} passed, ${suite.after.red} red`] : []),
    ...(mutants ? [`mutants: ${describeNoticed(mutants)}`] : []),
    `made ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ];
  const reasons = verdict.reasons.length > 1 ? list(verdict.reasons) : "";
  const wanted = goal === undefined ? "" : `<p class="goal">${escapeHtml(goal)}</p>`;
  return `<header class="${verdict.status}"><h1>${MARKS[verdict.status]} ${escapeHtml(verdict.summary)}</h1>${wanted}${reasons}<p class="facts">${facts.map(escapeHtml).join(" · ")}</p></header>`;
}

/** A card for each: its words, whether it is an assumption, and its tests before and after. */
function requirements({ requirements: all, tests }: EvidenceDocument): string {
  if (all.length === 0) return "";
  const known = new Map(tests.map((test) => [test.id, test]));
  const cards = all.map(({ id, text, assumption, support, unmeasured, tests: ids }) => {
    const rows = ids.flatMap((test) => known.get(test) ?? []).map(testRow);
    const table =
      rows.length === 0
        ? "<p>no test</p>"
        : `<table><tr><th>test</th><th>before</th><th>after</th></tr>${rows.join("")}</table>`;
    const doubt =
      unmeasured === undefined ? "" : `<p>No mutant tells whether they can fail: ${escapeHtml(unmeasured)}</p>`;
    const mark = support === "none" ? "✗" : "✓";
    return `<article class="${support === "none" ? "open" : "shown"}"><h3>${mark} ${escapeHtml(id)}${assumption ? " <em>assumption</em>" : ""}</h3><p>${escapeHtml(text)}</p>${doubt}${table}</article>`;
  });
  return `<section><h2>Requirements</h2>${cards.join("\n")}</section>`;
}

function testRow({ id, before, after, onOldCode, origin }: EvidenceTest): string {
  const unseen = origin === "held-out" ? " <em>unseen</em>" : "";
  const then = onOldCode ?? before;
  return `<tr><td><code>${escapeHtml(id)}</code>${unseen}</td><td class="${then}">${then}</td><td class="${after}">${after}</td></tr>`;
}

const disputes = ({ disputes: all }: EvidenceDocument): string =>
  section(
    "Disputes",
    all.map(({ test, ruling, reason }) => `${test} ${ruling}: ${reason}`),
  );

function environment({ versions, sandbox, models, sameModel }: EvidenceDocument): string {
  return section("Environment", [
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    `sandbox ${sandbox}`,
    ...Object.entries(models).map(([role, names]) => `${role}: ${names.join(", ")}`),
    ...(sameModel === true ? ["tester and coder were the same model"] : []),
  ]);
}

function check({ hashes }: EvidenceDocument): string {
  const trees = [
    ...(hashes.baseTree ? [`base tree ${hashes.baseTree}`] : []),
    ...(hashes.resultTree ? [`result tree ${hashes.resultTree}`] : []),
  ];
  return `<section><h2>How to check it</h2><p>In the directory that holds this file: <code>miracle verify . --rerun</code> runs it again, <code>sha256sum --check manifest.sha256</code> checks every byte.</p>${list(trees)}</section>`;
}

const section = (title: string, items: string[]): string =>
  items.length === 0 ? "" : `<section><h2>${title}</h2>${list(items)}</section>`;

const list = (items: readonly string[]): string =>
  items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;

import type { TestCase } from "../../domain/evidence/test-report.ts";
import { clip, identify, type ReportLines } from "../report-lines.ts";

/** What one file printed, or all of them together; `exit` is null where only the whole run has an exit code. */
interface Printed {
  file: string;
  lines: string[];
  exit: number | null;
}

/** A group of results: a subtest, or what stands below the comment with the title of a test. */
interface Group {
  name: string;
  points: Point[];
  groups: Group[];
}

interface Point {
  ok: boolean;
  name: string;
  directive: string;
  ms: number;
  details: string[];
}

const POINT = /^(ok|not ok)\b(?:\s+\d+)?\s*(?:-\s*)?(.*)$/;
const MOST_LINES = 400_000;

/**
 * The Test Anything Protocol: of node-tap, in which each file is a subtest, of tape, in which a comment is the title of
 * the results below it, and of whatever else prints it. Null: this is no such text. Never throws.
 */
export function readTap(text: string): ReportLines | null {
  const printed = byFile(text.split("\n", MOST_LINES));
  const names = new Map<string, number>();
  const tests: TestCase[] = [];
  let isPlanned = true;
  for (const { file, lines, exit } of printed) {
    const root = readGroup(lines.map((line) => line.replace(/\r$/, "")));
    const found = casesOf(file, root, names);
    const hasPlan = lines.some((line) => /^1\.\.\d+/.test(line));
    if (exit === null && !hasPlan && !lines.some((line) => line.startsWith("TAP version"))) return null;
    if (exit === null) isPlanned &&= hasPlan;
    tests.push(...found, ...unexplained(file, found, exit, hasPlan, lines, names));
  }
  return { tests, running: [], ended: isPlanned };
}

/** The marks of `FILE_BY_FILE` stand between what the files print. */
function byFile(lines: string[]): Printed[] {
  const printed: Printed[] = [{ file: "", lines: [], exit: null }];
  for (const line of lines) {
    const mark = /^#miracle-(file|exit) (.*)$/.exec(line);
    const last = printed.at(-1);
    if (mark?.[1] === "file") printed.push({ file: mark[2] ?? "", lines: [], exit: null });
    else if (mark && last) last.exit = /^\d+$/.test(mark[2] ?? "") ? Number(mark[2]) : 1;
    else last?.lines.push(line);
  }
  const named = printed.filter(({ file }) => file !== "");
  // A file that never ended has no exit code: it counts as one that failed.
  return named.length > 0 ? named.map((one) => ({ ...one, exit: one.exit ?? 1 })) : printed;
}

function readGroup(lines: string[]): Group {
  const root: Group = { name: "", points: [], groups: [] };
  let current = root;
  let announced: string | null = null;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const title = /^# Subtest(?:: (.*))?$/.exec(line)?.[1];
    if (title !== undefined) announced = title.trim();
    if (/^ {4}/.test(line)) {
      const end = lines.findIndex((one, at) => at > index && one !== "" && !/^ {4}/.test(one));
      const inner = lines.slice(index, end < 0 ? lines.length : end).map((one) => one.slice(4));
      const point = POINT.exec(lines[end] ?? "");
      const group = readGroup(inner);
      if (group.points.length > 0 || group.groups.length > 0) {
        const own = point ? pointOf(point, detailsAfter(lines, end)) : null;
        const name = announced ?? own?.name ?? "";
        root.groups.push({
          ...group,
          name,
          points: [...group.points, ...(own && !own.ok && !isRed(group) ? [own] : [])],
        });
        // The result of a subtest sums up what was read: it is no other one.
        index = point ? end : index + inner.length - 1;
      } else index += inner.length - 1;
      announced = null;
      current = root;
      continue;
    }
    const comment = /^# (.+)$/.exec(line)?.[1];
    if (
      comment !== undefined &&
      title === undefined &&
      !/^(tests|pass|fail|ok|skip|todo|time=|Subtest)\b/.test(comment)
    ) {
      current = { name: comment.trim(), points: [], groups: [] };
      root.groups.push(current);
    }
    if (/^1\.\.\d+/.test(line)) current = root;
    const point = POINT.exec(line);
    if (point) current.points.push(pointOf(point, detailsAfter(lines, index)));
    if (/^Bail out!/.test(line)) root.points.push({ ok: false, name: "file", directive: "", ms: 0, details: [line] });
  }
  return { ...root, groups: root.groups.filter(({ points, groups }) => points.length > 0 || groups.length > 0) };
}

const isRed = ({ points, groups }: Group): boolean => points.some(({ ok }) => !ok) || groups.some(isRed);

function pointOf([, ok, rest = ""]: RegExpExecArray, details: string[]): Point {
  const [name = "", comment = ""] = rest.split(/\s+#\s*(?=skip|todo|time=)/i);
  return {
    ok: ok === "ok",
    name: name.replace(/\s*\{$/, "").trim(),
    directive: /^(skip|todo)/i.exec(comment)?.[0].toLowerCase() ?? "",
    ms: Number(/time=([\d.]+)ms/.exec(comment)?.[1] ?? 0),
    details,
  };
}

/** The YAML below a result. */
function detailsAfter(lines: string[], index: number): string[] {
  if (!/^\s+---/.test(lines[index + 1] ?? "")) return [];
  const end = lines.findIndex((line, at) => at > index && /^\s+\.\.\.\s*$/.test(line));
  return lines.slice(index + 2, end < 0 ? lines.length : end);
}

const SOURCE = /\.[cm]?[jt]sx?$/;

function casesOf(file: string, group: Group, names: Map<string, number>): TestCase[] {
  const subtests = group.groups.flatMap((one) =>
    file === "" && SOURCE.test(one.name) ? casesOf(one.name, one, names) : groupCases(file, one, [], names),
  );
  // Without titles each result is a test; of a file that could not be loaded there is only its own.
  const own = group.points.map((point) => {
    if (file === "" && SOURCE.test(point.name))
      return { ...toCase(point.name, "file", [point], names), ...brokenIf(point) };
    return toCase(file, point.name === "" ? "file" : point.name, [point], names);
  });
  return [...subtests, ...own];
}

const brokenIf = ({ ok, directive }: Point): { outcome?: "error" } =>
  ok || directive !== "" ? {} : { outcome: "error" };

function groupCases(file: string, group: Group, above: string[], names: Map<string, number>): TestCase[] {
  const path = [...above, group.name];
  const inner = group.groups.flatMap((one) => groupCases(file, one, path, names));
  // A group that only holds others says nothing of its own.
  return group.points.length === 0 ? inner : [...inner, toCase(file, path.join(" > "), group.points, names)];
}

function toCase(file: string, name: string, points: Point[], names: Map<string, number>): TestCase {
  const red = points.filter(({ ok, directive }) => !ok && directive === "");
  const isSkipped = points.every(({ directive }) => directive !== "");
  const outcome = red.length > 0 ? "failed" : isSkipped ? "skipped" : "passed";
  const message = clip(red.flatMap((one) => [`not ok: ${one.name}`, ...one.details]).join("\n"));
  return { ...identify(names, file, name), outcome, durationMs: points.reduce((sum, { ms }) => sum + ms, 0), message };
}

/** A file that failed though none of its results is red, or that has none. */
function unexplained(
  file: string,
  found: TestCase[],
  exit: number | null,
  hasPlan: boolean,
  lines: string[],
  names: Map<string, number>,
): TestCase[] {
  if (exit === null || found.some(({ outcome }) => outcome === "failed")) return [];
  const isWhole = exit === 0 && (hasPlan || found.length === 0);
  const message = isWhole ? "" : clip(`this file ended with exit code ${exit}\n${lines.join("\n")}`);
  const outcome = isWhole ? "passed" : "error";
  return isWhole && found.length > 0 ? [] : [{ ...identify(names, file, "file"), outcome, durationMs: 0, message }];
}

export interface DiffLine {
  kind: "same" | "added" | "removed" | "note";
  /** Counted from 1; undefined on the side that does not have it. */
  before?: number;
  after?: number;
  text: string;
}

export interface DiffHunk {
  /** What stands behind the second `@@`: mostly the function it is in. */
  title: string;
  lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  /** Of a file that was renamed. */
  from?: string;
  change: "added" | "removed" | "changed" | "renamed";
  binary: boolean;
  hunks: DiffHunk[];
  added: number;
  removed: number;
}

/** A patch as git writes it, file by file. What is not understood is left out, never guessed. */
export function parseDiff(patch: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let hunk: DiffHunk | undefined;
  let before = 0;
  let after = 0;
  // How much of the hunk is still to come: inside of it a line of any text is a line.
  let left = { before: 0, after: 0 };
  const lines = patch.split("\n");
  for (const line of lines) {
    if (hunk && file && (left.before > 0 || left.after > 0)) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        hunk.lines.push({ kind: "added", after, text });
        after += 1;
        left = { ...left, after: left.after - 1 };
        file.added += 1;
      } else if (line.startsWith("-")) {
        hunk.lines.push({ kind: "removed", before, text });
        before += 1;
        left = { ...left, before: left.before - 1 };
        file.removed += 1;
      } else if (line.startsWith("\\")) hunk.lines.push({ kind: "note", text: text.trim() });
      else {
        hunk.lines.push({ kind: "same", before, after, text });
        before += 1;
        after += 1;
        left = { before: left.before - 1, after: left.after - 1 };
      }
      continue;
    }
    if (line.startsWith("diff --git ")) {
      file = { path: pathInHead(line), change: "changed", binary: false, hunks: [], added: 0, removed: 0 };
      files.push(file);
      hunk = undefined;
    } else if (!file) continue;
    else if (line.startsWith("new file mode")) file.change = "added";
    else if (line.startsWith("deleted file mode")) file.change = "removed";
    else if (line.startsWith("rename from ")) {
      file.change = "renamed";
      file.from = unquoted(line.slice(12));
    } else if (line.startsWith("rename to ")) file.path = unquoted(line.slice(10));
    else if (/^(Binary files |GIT binary patch)/.test(line)) file.binary = true;
    else if (line.startsWith("+++ ") && line !== "+++ /dev/null")
      file.path = unquoted(line.slice(4)).replace(/^b\//, "");
    else if (line.startsWith("--- ") && line !== "--- /dev/null" && file.change === "removed") {
      file.path = unquoted(line.slice(4)).replace(/^a\//, "");
    } else if (line.startsWith("\\") && hunk) hunk.lines.push({ kind: "note", text: line.slice(1).trim() });
    else {
      const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
      if (!head) continue;
      before = Number(head[1]);
      after = Number(head[3]);
      left = { before: Number(head[2] ?? 1), after: Number(head[4] ?? 1) };
      hunk = { title: head[5] ?? "", lines: [] };
      file.hunks.push(hunk);
    }
  }
  return files;
}

/** `diff --git a/x b/x`: both halves are the same, but for renames, which say so later. */
function pathInHead(line: string): string {
  const rest = line.slice("diff --git ".length);
  const quoted = / ("b\/.*")$/.exec(rest);
  if (quoted) return unquoted(quoted[1] ?? "").replace(/^b\//, "");
  return rest.slice(2, Math.floor(rest.length / 2));
}

/** Git writes unusual names as a C string. */
function unquoted(name: string): string {
  const trimmed = name.replace(/\t$/, "");
  if (!trimmed.startsWith('"')) return trimmed;
  const bytes: number[] = [];
  const plain = new TextEncoder();
  for (const [, octal, escaped, other = ""] of trimmed.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...plain.encode(escaped === undefined ? other : (ESCAPES[escaped] ?? escaped)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

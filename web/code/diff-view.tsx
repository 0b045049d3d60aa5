import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Highlighter } from "../../src/syntax/highlight.ts";
import { count } from "../parts/figures.ts";
import { Hint } from "../parts/notice.tsx";
import { type DiffFile, type DiffHunk, type DiffLine, parseDiff } from "./parse-diff.ts";

/** What the gutter says of one line of the result. */
export interface LineNote {
  tone: "good" | "bad" | "quiet";
  /** For the one character of the gutter. */
  sign: string;
  /** What it means, in words; several lines. */
  words: string;
}

export type NotesOf = (path: string, line: number) => LineNote[];

/** Longer files are folded until somebody wants to see them. */
const LONG = 600;

const CHANGES = { added: "new", removed: "removed", changed: "", renamed: "renamed" } as const;

interface DiffViewProps {
  patch: string;
  /** Notes for lines of the result. */
  notesOf?: NotesOf | undefined;
}

/** A change as code with colours, file by file. */
export function DiffView({ patch, notesOf }: DiffViewProps) {
  const files = useMemo(() => parseDiff(patch), [patch]);
  if (files.length === 0) return <Hint>Nothing was changed.</Hint>;
  return (
    <div class="diff">
      {files.map((file) => (
        <FileDiff key={file.path} file={file} notesOf={notesOf} />
      ))}
    </div>
  );
}

function FileDiff({ file, notesOf }: { file: DiffFile; notesOf: NotesOf | undefined }) {
  const { path, from, change, binary, hunks, added, removed } = file;
  const [open, setOpen] = useState(added + removed <= LONG);
  return (
    <details class="file" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code class="path">{from === undefined ? path : `${from} → ${path}`}</code>
        {CHANGES[change] !== "" && <span class="tag">{CHANGES[change]}</span>}
        <span class="sizes">
          <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
          <span class="unseen">
            , {count(added, "line")} added, {removed} removed
          </span>
        </span>
      </summary>
      {binary && <Hint>A binary file.</Hint>}
      {open && hunks.map((hunk) => <Hunk key={hunkKey(hunk)} path={path} hunk={hunk} notesOf={notesOf} />)}
    </details>
  );
}

function Hunk({ path, hunk, notesOf }: { path: string; hunk: DiffHunk; notesOf: NotesOf | undefined }) {
  const rows = useMemo(() => {
    const old = new Highlighter(path);
    const fresh = new Highlighter(path);
    return hunk.lines.map((line) => {
      // Each side is a text of its own; what both have is read on both.
      const before = line.kind === "added" ? [] : old.line(line.text);
      return { line, tokens: line.kind === "removed" ? before : fresh.line(line.text) };
    });
  }, [path, hunk]);
  return (
    <div class="hunk" tabIndex={0} role="group" aria-label={`${path} from line ${firstLine(hunk)}`}>
      {hunk.title !== "" && <p class="place">{hunk.title}</p>}
      <table>
        <tbody>
          {rows.map(({ line, tokens }) => (
            <Line
              key={`${line.kind}${line.before ?? ""}.${line.after ?? ""}`}
              line={line}
              notes={line.after === undefined || line.kind === "note" ? [] : (notesOf?.(path, line.after) ?? [])}
            >
              {tokens.map(({ kind, text }, index) =>
                kind === "plain" ? (
                  text
                ) : (
                  <span key={index} class={`token ${kind}`}>
                    {text}
                  </span>
                ),
              )}
            </Line>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SIGNS = { added: "+", removed: "−", same: "", note: "" } as const;

function Line({ line, notes, children }: { line: DiffLine; notes: LineNote[]; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const worst = notes.find(({ tone }) => tone === "bad") ?? notes[0];
  const words = notes.map((note) => note.words).join("\n");
  return (
    <>
      <tr class={`line ${line.kind}`}>
        <td class="number">{line.before ?? ""}</td>
        <td class="number">{line.after ?? ""}</td>
        <td class="gutter">
          {worst && (
            <button
              type="button"
              class={`note ${worst.tone}`}
              title={words}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <span aria-hidden="true">{worst.sign}</span>
              <span class="unseen">{words}</span>
            </button>
          )}
        </td>
        <td class="sign">{SIGNS[line.kind]}</td>
        <td class="text">
          <code>{line.kind === "note" ? line.text : children}</code>
        </td>
      </tr>
      {open && (
        <tr class="told">
          <td colSpan={3} />
          <td colSpan={2}>
            {notes.map((note) => (
              <p key={note.words} class={note.tone}>
                {note.words}
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

const firstLine = ({ lines }: DiffHunk): number => lines.find(({ after }) => after !== undefined)?.after ?? 0;
const hunkKey = ({ lines }: DiffHunk): string => `${lines[0]?.before ?? ""}.${lines[0]?.after ?? ""}`;

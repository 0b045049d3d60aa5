import type { JSX } from "preact";

/** Every state has a shape and a word of its own: nobody has to see colours. */
interface Look {
  word: string;
  tone: "good" | "bad" | "ask" | "busy" | "quiet";
  shape: JSX.Element;
}

const ring = <circle cx="8" cy="8" r="6.2" class="line" />;
const tick = (kind: string) => <path d="M4.9 8.3l2.2 2.2 4.1-4.6" class={kind} />;

const LOOKS: Record<string, Look> = {
  proven: {
    word: "proven",
    tone: "good",
    shape: (
      <>
        <circle cx="8" cy="8" r="7" class="area" />
        {tick("cut")}
      </>
    ),
  },
  checked: {
    word: "checked",
    tone: "good",
    shape: (
      <>
        {ring}
        {tick("line")}
      </>
    ),
  },
  "proven-in-part": {
    word: "proven in part",
    tone: "ask",
    shape: (
      <>
        {ring}
        <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" class="area" />
      </>
    ),
  },
  "not-proven": {
    word: "not proven",
    tone: "bad",
    shape: (
      <>
        <path d="M8 .8L15.2 8 8 15.2.8 8z" class="area" />
        <path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" class="cut" />
      </>
    ),
  },
  refused: {
    word: "refused",
    tone: "bad",
    shape: (
      <>
        <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" class="area" />
        <path d="M4.6 8h6.8" class="cut" />
      </>
    ),
  },
  running: { word: "running", tone: "busy", shape: <circle cx="8" cy="8" r="6.2" class="line turning" /> },
  queued: { word: "queued", tone: "quiet", shape: <circle cx="8" cy="8" r="6.2" class="line dotted" /> },
  waiting: {
    word: "waits for you",
    tone: "ask",
    shape: (
      <>
        <rect x="1" y="1" width="14" height="14" rx="3.5" class="area" />
        <path d="M6 6.2a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1" class="cut" />
        <circle cx="8" cy="11.4" r=".5" class="cut" />
      </>
    ),
  },
  paused: { word: "paused", tone: "quiet", shape: <path d="M5.4 3v10M10.6 3v10" class="line thick" /> },
  interrupted: { word: "interrupted", tone: "ask", shape: <path d="M9.2 1.5L4 9h4l-1.2 5.5L12 7H8z" class="line" /> },
  cancelled: {
    word: "cancelled",
    tone: "quiet",
    shape: (
      <>
        {ring}
        <path d="M3.8 12.2l8.4-8.4" class="line" />
      </>
    ),
  },
  done: {
    word: "done",
    tone: "good",
    shape: (
      <>
        {ring}
        {tick("line")}
      </>
    ),
  },
  ready: { word: "ready", tone: "quiet", shape: ring },
  failed: { word: "given up", tone: "bad", shape: <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" class="line thick" /> },
  branched: {
    word: "being debugged",
    tone: "ask",
    shape: <path d="M4.5 2v12M4.5 9.5c4.5 0 7-1.5 7-5.5M11.5 6V2" class="line" />,
  },
};

/** `waiting` of a todo is no question to a person. */
const TODO_LOOKS: Record<string, Look> = {
  ...LOOKS,
  waiting: { word: "waits", tone: "quiet", shape: <circle cx="8" cy="8" r="6.2" class="line dotted" /> },
};

const UNKNOWN: Look = { word: "", tone: "quiet", shape: ring };

/** A state as shape and word. */
export function Mark({ state, of = "task", bare = false }: { state: string; of?: "task" | "todo"; bare?: boolean }) {
  const look = (of === "todo" ? TODO_LOOKS : LOOKS)[state] ?? { ...UNKNOWN, word: state };
  return (
    <span class={`mark ${look.tone}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        {look.shape}
      </svg>
      <span class={bare ? "unseen" : ""}>{look.word}</span>
    </span>
  );
}

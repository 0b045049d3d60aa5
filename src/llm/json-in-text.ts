const FENCE = /^[ \t]*```[\w-]*[ \t]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/gm;
const MAX_STARTS = 200;

/** JSON objects and arrays that a model may have meant, best guess first: the whole text, fenced blocks, values within prose. */
export function* jsonValuesIn(text: string): Generator<unknown> {
  // Models that think aloud draft values there which they do not mean.
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, "").trim();
  const whole = parse(said);
  if (whole) {
    yield whole.value;
    return;
  }
  for (const [, block] of said.matchAll(FENCE)) {
    const fenced = parse(block ?? "");
    if (fenced) yield fenced.value;
  }
  yield* valuesInProse(said);
}

function* valuesInProse(text: string): Generator<unknown> {
  let tried = 0;
  for (let start = 0; start < text.length && tried < MAX_STARTS; start += 1) {
    if (text[start] !== "{" && text[start] !== "[") continue;
    tried += 1;
    const end = closingOf(text, start);
    const found = end === undefined ? undefined : parse(text.slice(start, end + 1));
    if (!found || end === undefined) continue;
    yield found.value;
    start = end;
  }
}

/** The place of the bracket that closes the one at `start`, brackets inside strings left aside. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let place = start; place < text.length; place += 1) {
    const character = text[place];
    if (inString) {
      if (character === "\\") place += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return place;
    }
  }
  return undefined;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** So many alike paths are worth one line instead of one each. */
const MANY = 6;
const NAMED = 4;

/**
 * A listing in which many paths of one pattern are one line: the same file in many folders (`locale/∗/units.po`), or
 * numbered files of one folder (`page-∗.html`). Other files keep their names: those say what they are for.
 */
export function foldAlike(paths: readonly string[]): string[] {
  const patterns = new Map<string, string[]>();
  for (const path of paths) {
    for (const { pattern, part } of patternsOf(path)) {
      patterns.set(pattern, [...(patterns.get(pattern) ?? []), part]);
    }
  }
  const told = new Set<string>();
  return paths.flatMap((path) => {
    const many = patternsOf(path).find(({ pattern }) => (patterns.get(pattern)?.length ?? 0) >= MANY);
    if (!many) return [path];
    if (told.has(many.pattern)) return [];
    told.add(many.pattern);
    const parts = patterns.get(many.pattern) ?? [];
    return [`${many.pattern} (${parts.length} files: ${parts.slice(0, NAMED).join(", ")}, …)`];
  });
}

function patternsOf(path: string): { pattern: string; part: string }[] {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const inFolders = folders.map((part, at) => ({
    pattern: [...folders.slice(0, at), "*", ...folders.slice(at + 1), name].join("/"),
    part,
  }));
  const [, stem = "", ending = ""] = /^(.*?)((?:\.[^.]*)*)$/s.exec(name) ?? [];
  const form = alikeForm(stem);
  return form === null
    ? inFolders
    : [...inFolders, { pattern: [...folders, `${form}${ending}`].join("/"), part: stem }];
}

/** Names that tell nothing but a number or a language: `page-12`, `de`, `pt_BR`. */
function alikeForm(stem: string): string | null {
  if (/^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/.test(stem)) return "*";
  return /\d/.test(stem) ? stem.replace(/\d+/g, "*") : null;
}

/** The recipe lines that `make` with these goals runs, variables of make replaced by a plain word. */
export function recipesOf(text: string, goals: string[]): string[] {
  const rules = readRules(text.replaceAll("\\\n", " "));
  const [first] = rules.keys();
  const open = goals.filter((goal) => !goal.includes("="));
  if (open.length === 0 && first !== undefined) open.push(first);
  const seen = new Set<string>();
  const lines: string[] = [];
  for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
    const rule = rules.get(goal);
    if (seen.has(goal) || rule === undefined) continue;
    seen.add(goal);
    lines.push(...rule.recipe);
    open.push(...rule.needs);
  }
  // `$(shell …)` runs whenever the file is read.
  for (const [, command = ""] of text.matchAll(/\$[({]shell\s+([^)}]*)/g)) lines.push(command);
  return lines.map(plain);
}

function readRules(text: string): Map<string, { needs: string[]; recipe: string[] }> {
  const rules = new Map<string, { needs: string[]; recipe: string[] }>();
  let current: { needs: string[]; recipe: string[] } | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      current?.recipe.push(line.slice(1));
      continue;
    }
    const match = /^([^\s#:=][^:=#]*)::?(?!=)([^;#]*)(?:;(.*))?/.exec(line);
    if (!match) continue;
    const needs = (match[2] ?? "").split(/\s+/).filter((word) => word !== "");
    current = { needs, recipe: match[3] === undefined ? [] : [match[3]] };
    for (const target of (match[1] ?? "").trim().split(/\s+/)) if (!target.startsWith(".")) rules.set(target, current);
  }
  return rules;
}

const plain = (line: string): string =>
  line
    .replace(/^[\s@+-]+/, "")
    .replace(/\$[({][\w.-]+[)}]|\$[@<^*%?+]/g, "set-by-make")
    .replaceAll("$$", "$");

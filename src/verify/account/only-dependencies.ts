import { parse } from "smol-toml";
import { z } from "zod";
import { canonicalJson } from "../../domain/json.ts";

const Table = z.record(z.string(), z.unknown()).catch({});

/** Whether nothing but what it depends on differs in a pyproject.toml. What cannot be read is never that. */
export function differsInDependencies(before: string | null, after: string | null): boolean {
  const [old, now] = [rest(before), rest(after)];
  return old !== null && old === now;
}

function rest(text: string | null): string | null {
  try {
    const { "dependency-groups": _, project, tool, ...others } = Table.parse(parse(text ?? "?"));
    const { dependencies: __, "optional-dependencies": ___, ...said } = Table.parse(project);
    const { poetry, ...tools } = Table.parse(tool);
    const { dependencies: ____, group: _____, "dev-dependencies": ______, ...poems } = Table.parse(poetry);
    return canonicalJson(JSON.parse(JSON.stringify({ others, said, tools, poems })));
  } catch {
    return null;
  }
}

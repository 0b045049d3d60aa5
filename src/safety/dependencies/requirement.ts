/** One requirement of pip's, without its markers: a package by name, or a direct address or path. */
export function readRequirement(text: string): { kind: "package" | "direct"; name: string; version: string | null } {
  const bare = text.split(/\s*;\s*|\s+--hash/)[0]?.trim() ?? "";
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(\(?[<>=!~][^@]*)?$/.exec(bare);
  if (!match || /\.(whl|zip|tar\.gz|tgz)$/.test(bare)) return { kind: "direct", name: bare, version: null };
  const version = match[2]?.replace(/[()]/g, "").trim();
  return { kind: "package", name: match[1] ?? "", version: version || null };
}

/** One package as npm takes it: `name`, `name@range`, `@scope/name@range`, or something else than a name. */
export function readNpmPackage(text: string): { kind: "package" | "direct"; name: string; version: string | null } {
  const match = /^((?:@[\w.~-]+\/)?[\w.~-]+)(?:@(.+))?$/.exec(text);
  // A range has no slash and no colon: those are `someone/fork`, `file:`, `git+ssh:` and their like.
  const isPath = /^[.~/]|\.tgz$/.test(text) || /[/:]/.test(match?.[2] ?? "");
  if (!match || isPath) return { kind: "direct", name: text, version: null };
  return { kind: "package", name: match[1] ?? "", version: match[2] ?? null };
}

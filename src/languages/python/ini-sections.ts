/** Sections of a setup.cfg or tox.ini, their keys, and values that go on in lines further in. */
export function sectionsOf(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  let key: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\[(.+)\]\s*$/.exec(line) ?? [];
    const [, name, value = ""] = /^([\w.:-]+?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      section = sections.get(title) ?? new Map();
      sections.set(title, section);
      key = undefined;
    } else if (name !== undefined) {
      key = name;
      section.set(key, value);
    } else if (key !== undefined && /^\s+\S/.test(line)) section.set(key, `${section.get(key)}\n${line.trim()}`);
  }
  return sections;
}

/** A section of an INI file with its lines as they are written; the first one stands before any header. */
export interface IniSection {
  name: string;
  lines: string[];
}

/**
 * As pytest, tox and setuptools read it: a header begins its line, whatever stands behind it, and what is indented goes on
 * with the value above.
 */
export function iniSections(text: string): IniSection[] {
  const sections: IniSection[] = [{ name: "", lines: [] }];
  for (const line of text.split(/\r?\n/)) {
    const name = /^\[([^\]]*)\]/.exec(line)?.[1];
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ name: name.trim(), lines: [line] });
  }
  return sections;
}

/** Its settings without comments and blank lines: equal for two sections that say the same. */
export function iniValues({ name, lines }: IniSection): string[] {
  return lines
    .slice(name === "" ? 0 : 1)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^\s*[#;]/.test(line))
    .map((line) => (/^\s/.test(line) ? ` ${line.trim()}` : line.replace(/\s*([=:])\s*/, "$1")));
}

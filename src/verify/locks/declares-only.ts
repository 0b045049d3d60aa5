import { iniSections, iniValues } from "./ini-sections.ts";
import { readToml, settingText, table } from "./test-settings.ts";

/**
 * Whether two versions of test settings differ in nothing that steers a test: comments, layout, and marks of pytest, which
 * only get a name and a description.
 */
export function declaresOnly(path: string, before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false;
  const settings = /\.toml$/.test(path) ? tomlSettings : /\.(ini|cfg)$|\.coveragerc$/.test(path) ? iniSettings : null;
  const [old, now] = [settings?.(before) ?? null, settings?.(after) ?? null];
  return old !== null && old === now;
}

function iniSettings(text: string): string {
  const found: string[] = [];
  for (const section of iniSections(text)) {
    found.push(section.name);
    let isMarks = false;
    for (const line of iniValues(section)) {
      isMarks = line.startsWith(" ") ? isMarks : line.startsWith("markers=");
      if (!isMarks) found.push(line);
    }
  }
  return found.join("\n");
}

function tomlSettings(text: string): string | null {
  const value = readToml(text);
  if (!value) return null;
  const tool = table(value.tool);
  const pytest = table(tool.pytest);
  const { markers: _, ...options } = table(pytest.ini_options);
  const others = { ...tool, pytest: { ...pytest, ini_options: options } };
  return settingText({ ...value, tool: others });
}

import type { TestCase } from "./test-report.ts";

/** A test's name without the class or group it stands in. */
export const bareName = (name: string): string =>
  name
    .slice(name.lastIndexOf("::") < 0 ? 0 : name.lastIndexOf("::") + 2)
    .split(" > ")
    .at(-1) ?? name;

/** Whether a reported test is the one the tester meant: parametrised and grouped tests carry more in their names. */
export function isNamed(test: TestCase, file: string, name: string): boolean {
  if (test.file !== file) return false;
  const bare = test.name.replace(/\[.*\]$/s, "");
  return test.name === name || bare === name || bare.endsWith(`::${name}`) || bare.endsWith(` > ${name}`);
}

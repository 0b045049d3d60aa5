import type { TestCase } from "./test-report.ts";

/** A test's name without the class or group it stands in. */
export const bareName = (name: string): string =>
  name
    .slice(name.lastIndexOf("::") < 0 ? 0 : name.lastIndexOf("::") + 2)
    .split(" > ")
    .at(-1) ?? name;

/** Whether a test with this full name may be called so: by all of it, or without the groups it stands in. */
export const isCalled = (full: string, name: string): boolean =>
  full === name || full.endsWith(`::${name}`) || full.endsWith(` > ${name}`);

/** Whether a reported test is the one the tester meant: parametrised and grouped tests carry more in their names. */
export function isNamed(test: TestCase, file: string, name: string): boolean {
  return test.file === file && (test.name === name || isCalled(caseless(test.name), name));
}

/** Without what tells the cases of a parametrised test apart. */
const caseless = (name: string): string => name.replace(/\[.*\]$/s, "");

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { Places } from "./places.ts";

function sample() {
  const root = temporaryDirectory("miracle-places-");
  for (const name of ["project/web", "project-2", "other"]) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, "project/file"), "");
  symlinkSync(join(root, "other"), join(root, "project/link"));
  return { root, places: new Places([join(root, "project")], join(root, "other")) };
}

test("without a word it is the only directory; below it any", () => {
  const { root, places } = sample();
  expect(places.pathOf(undefined)).toBe(join(root, "project"));
  expect(places.pathOf("web")).toBe(join(root, "project/web"));
  expect(places.pathOf(join(root, "project"))).toBe(join(root, "project"));
});

test("nothing leads out: no absolute path, no dots, no link, no name that begins alike; what is no directory is none", () => {
  const { root, places } = sample();
  for (const wanted of ["/", "..", "../other", "link", join(root, "project-2"), "web/../..", "file", "gone", "a\0b"]) {
    expect(() => places.pathOf(wanted), wanted).toThrow(/is no directory in/);
  }
});

test("of several directories one must be named", () => {
  const { root } = sample();
  const places = new Places([join(root, "project"), join(root, "project-2")], root);
  expect(() => places.pathOf(undefined)).toThrow(/say which one: .*project, .*project-2$/);
  expect(places.pathOf(join(root, "project-2"))).toBe(join(root, "project-2"));
});

test("the root and the home directory are no projects", () => {
  const { root } = sample();
  expect(() => new Places(["/"], root)).toThrow("/ is no project: name one: miracle mcp --dir PATH");
  expect(() => new Places([root], root)).toThrow(/is no project/);
  expect(() => new Places([join(root, "gone")], root)).toThrow(/there is no such directory/);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { projectId, projectOf } from "./project-id.ts";

test("all clones of a project have one name, whoever cloned it how", () => {
  const names = [
    "https://github.com/team/app.git",
    "git@github.com:team/app.git",
    "ssh://git@github.com/team/app",
    "https://user:key@github.com/team/app/",
  ];
  expect(new Set(names.map((remote) => projectId({ remote, path: "/x" }))).size).toBe(1);
  expect(projectId({ remote: "https://github.com/team/other", path: "/x" })).not.toBe(
    projectId({ remote: names[0], path: "/x" }),
  );
});

test("a project is its repository, from every directory in it, and tells neither path nor remote", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, ".git"));
  mkdirSync(join(directory, "src", "deep"), { recursive: true });
  expect(projectOf(join(directory, "src", "deep"))).toBe(projectId({ path: directory }));
  writeFileSync(
    join(directory, ".git", "config"),
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@host.example:team/app.git\n',
  );
  expect(projectOf(join(directory, "src"))).toBe(projectId({ remote: "https://host.example/team/app", path: "/" }));
  expect(projectOf(directory)).toMatch(/^[0-9a-f]{16}$/);
});

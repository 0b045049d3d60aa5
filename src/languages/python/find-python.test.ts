import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomes, SampleProject } from "../../../test/sample-project.ts";
import { anyPython, findPython } from "./find-python.ts";
import { Python } from "./python.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "miracle-home-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** An installation as its files show it: looking never starts it. */
function install(prefix: string, packages: Record<string, string>, series = "3.12"): void {
  const site = join(prefix, "lib", `python${series}`, "site-packages");
  mkdirSync(join(prefix, "bin"), { recursive: true });
  writeFileSync(join(prefix, "bin", `python${series}`), "");
  symlinkSync(`python${series}`, join(prefix, "bin/python3"));
  for (const [name, version] of Object.entries(packages)) {
    mkdirSync(join(site, name), { recursive: true });
    mkdirSync(join(site, `${name}-${version}.dist-info`));
  }
}

test("takes the version that the project names for pyenv", () => {
  install(join(home, ".pyenv/versions/3.12.1"), { pytest: "8.1.0" });
  install(join(home, ".pyenv/versions/3.11.7"), { pytest: "7.0.0" }, "3.11");
  writeFileSync(join(home, ".pyenv/version"), "3.11.7\n");
  writeFileSync(join(home, ".python-version"), "3.12.1\n");
  const root = join(home, ".pyenv/versions/3.12.1");
  expect(findPython(home, { HOME: home, PATH: join(home, ".pyenv/shims") })).toMatchObject({
    mounts: [{ from: root, to: root }],
    path: [join(root, "bin")],
    versions: { python: "3.12.1", pytest: "8.1.0" },
  });
});

test("takes what stands first on the path, also behind the shims of pyenv", () => {
  install(join(home, ".pyenv/versions/3.11.7"), { pytest: "7.0.0" }, "3.11");
  writeFileSync(join(home, ".pyenv/version"), "3.11.7\n");
  const found = findPython(home, { HOME: home, PATH: `${join(home, ".pyenv/shims")}:/usr/bin` });
  expect(found.versions).toMatchObject({ python: "3.11.7" });
  install(join(home, "own"), { pytest: "8.0.0" });
  expect(findPython(home, { HOME: home, PATH: `${join(home, "own/bin")}:/usr/bin` }).versions).toMatchObject({
    pytest: "8.0.0",
  });
});

test("shows an environment of the project together with the installation it stands on", () => {
  install(join(home, "own"), {});
  install(join(home, "project/.venv"), { pytest: "8.2.0" });
  writeFileSync(join(home, "project/.venv/pyvenv.cfg"), `home = ${join(home, "own/bin")}\nversion = 3.12.4\n`);
  const found = findPython(join(home, "project"), { HOME: home, PATH: "/usr/bin" });
  expect(found).toMatchObject({ path: ["/workspace/.venv/bin"], versions: { python: "3.12.4", pytest: "8.2.0" } });
  expect(found.mounts).toEqual([
    { from: join(home, "own"), to: join(home, "own") },
    { from: join(home, "project/.venv"), to: "/workspace/.venv" },
  ]);
});

test("passes over an interpreter without pytest, and says so", () => {
  install(join(home, "own"), {});
  const found = findPython(home, { HOME: home, PATH: `${join(home, "own/bin")}:/usr/bin` });
  expect(found.versions.note).toContain(`${join(home, "own/bin/python3")} without pytest: /usr/bin/python3 is used`);
  expect(found.mounts).toEqual([]);
});

test("says what to install when none has pytest", () => {
  install(join(home, "own"), {});
  const environment = { HOME: home, MIRACLE_PYTHON: join(home, "own/bin/python3") };
  expect(() => findPython(home, environment)).toThrow("apt-get install python3-pytest python3-hypothesis");
  expect(anyPython(home, environment)?.versions.python).toBe("3.12");
});

test("sees packages that were installed for the user alone", () => {
  install(join(home, "own"), {});
  const personal = join(home, ".local/lib/python3.12/site-packages");
  mkdirSync(join(personal, "pytest"), { recursive: true });
  const found = findPython(home, { HOME: home, MIRACLE_PYTHON: join(home, "own/bin/python3") });
  expect(found.mounts).toContainEqual({ from: personal, to: personal });
  expect(found.env.PYTHONUSERBASE).toBe(join(home, ".local"));
});

test("the fingerprint changes with the packages and with the lock file", () => {
  install(join(home, "own"), { pytest: "8.0.0" });
  const look = () =>
    findPython(home, { HOME: home, MIRACLE_PYTHON: join(home, "own/bin/python3") }).versions.dependencies;
  const before = look();
  expect(look()).toBe(before);
  writeFileSync(join(home, "requirements.txt"), "pytest\n");
  const locked = look();
  mkdirSync(join(home, "own/lib/python3.12/site-packages/attrs-23.1.dist-info"));
  expect(new Set([before, locked, look()]).size).toBe(3);
});

test("a project's own environment is what its tests run with", async () => {
  using user = new SampleProject({});
  execFileSync("/usr/bin/python3", [
    "-m",
    "venv",
    "--without-pip",
    "--system-site-packages",
    join(user.directory, ".venv"),
  ]);
  const site = join(user.directory, ".venv/lib/python3.11/site-packages".replace("3.11", series()));
  writeFileSync(join(site, "only_here.py"), "ANSWER = 42\n");
  using project = new SampleProject({
    "test_a.py":
      "import sys\nfrom only_here import ANSWER\ndef test_a():\n    assert ANSWER == 42\n    assert sys.prefix == '/workspace/.venv'\n",
  });
  const python = new Python({ HOME: home, PATH: "/usr/bin" });
  expect(outcomes(await project.run(python, { directory: user.directory }))).toEqual({ "test_a.py::test_a": "passed" });
});

test.runIf(process.getuid?.() === 0)("an interpreter that only root can reach is what its tests run with", async () => {
  using user = new SampleProject({});
  rmSync(home, { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", "--system-site-packages", join(home, ".venv")]);
  using project = new SampleProject({
    "test_a.py": "import sys\ndef test_a():\n    assert sys.prefix == '/workspace/.venv'\n",
  });
  const python = new Python({ HOME: user.directory, PATH: "/usr/bin" });
  expect(outcomes(await project.run(python, { directory: home }))).toEqual({ "test_a.py::test_a": "passed" });
});

const series = () =>
  execFileSync("/usr/bin/python3", ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"], {
    encoding: "utf8",
  }).trim();

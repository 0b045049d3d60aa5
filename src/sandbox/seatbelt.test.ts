import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxConformance } from "../../test/conformance/sandbox.ts";
import { NoSandbox } from "./no-sandbox.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openSeatbelt, seatbelt } from "./seatbelt.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

const places = { workspace: "/private/tmp/w", home: "/private/tmp/h", readable: ["/Users/me/.venv"] };

test("a profile denies by default, and lets a command write to its workspace and its home alone", () => {
  const lines = seatbeltProfile(places).split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  const writing = lines.filter((line) => /allow .*file-write\*/.test(line));
  expect(writing).toEqual(['(allow file-read* file-write* (subpath "/private/tmp/w") (subpath "/private/tmp/h"))']);
  expect(lines.at(-1)).toBe("(deny network*)");
  expect(lines.filter((line) => /network/.test(line))).toHaveLength(1);
});

test("homes and other directories of the person are not read; what is shown is, and is never written", () => {
  const profile = seatbeltProfile(places);
  expect(profile).not.toMatch(/subpath "(\/|\/Users|\/private|\/private\/tmp|\/private\/var|\/var|\/tmp)"/);
  const reading = profile.split("\n").filter((line) => line.startsWith("(allow file-read* "));
  expect(reading.join("\n")).toContain('(subpath "/Users/me/.venv")');
  expect(profile.indexOf('(deny file-write* (subpath "/Users/me/.venv"))')).toBeGreaterThan(
    profile.indexOf("file-write* (subpath"),
  );
});

test("no path can end its text and add a rule", () => {
  const profile = seatbeltProfile({ ...places, workspace: '/a") (allow default) ("\\' });
  expect(profile).toContain('(subpath "/a\\") (allow default) (\\"\\\\")');
});

test("elsewhere than on macOS it says what to use instead", () => {
  expect(() => openSeatbelt("linux")).toThrow(/seatbelt needs macOS, and this is linux: .*--sandbox docker/);
  if (process.platform !== "darwin") expect(() => openSandbox({ backend: "seatbelt" })).toThrow("seatbelt needs macOS");
});

// What can be seen here: the command line of `sandbox-exec`. The stand-in confines nothing.
if (process.platform !== "win32") {
  sandboxConformance({
    name: "the way to sandbox-exec, with a stand-in that confines nothing",
    open: () => {
      const program = join(mkdtempSync(join(tmpdir(), "miracle-seatbelt-")), "sandbox-exec");
      writeFileSync(
        program,
        '#!/bin/sh\n[ "$1" = -p ] || exit 64\ncase "$2" in "(version 1)"*) ;; *) exit 65 ;; esac\nshift 2\nexec "$@"\n',
      );
      chmodSync(program, 0o755);
      return new NoSandbox(seatbelt(program));
    },
    owner: process.getuid?.() ?? 0,
    isolates: false,
    variables: ["TMPDIR"],
    groups: false,
  });
}

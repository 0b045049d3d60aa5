import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../config/package-root.ts";
import { strictSafety } from "../domain/settings/safety-settings.ts";
import { openSafety } from "./open-safety.ts";
import type { Safety } from "./safety.ts";

const registries = { python: ["index.example", "files.example"], javascript: ["packages.example"] };

let safety: Safety;
beforeAll(() => {
  const policy = { ...strictSafety, registries, network: ["known.example", "*.open.example"] };
  safety = openSafety({ root: packageRoot(), policy });
});

describe("what a command may reach", () => {
  it("is nothing for an ordinary command", async () => {
    expect(await safety.judgeCommand("pytest -q")).toMatchObject({ decision: "allow", hosts: [], env: {} });
  });

  it("is the registry of its language for an install, without scripts of what is installed", async () => {
    const python = await safety.judgeCommand("pip install pytest");
    expect(python).toMatchObject({ decision: "allow", hosts: ["index.example", "files.example"] });
    expect(python.registries).toEqual({ python: ["index.example", "files.example"] });
    expect(python.env).toMatchObject({ PIP_ONLY_BINARY: ":all:", npm_config_ignore_scripts: "true" });
    expect((await safety.judgeCommand("npm install surely-not-on-any-list")).hosts).toEqual(["packages.example"]);
  });

  it("is the hosts it names, once it is allowed", async () => {
    const asked = await safety.judgeCommand("curl -s https://user:x@somewhere.example:8443/a https://other.example/b");
    expect(asked).toMatchObject({
      decision: "ask",
      subject: "network",
      hosts: ["somewhere.example:8443", "other.example"],
    });
  });

  it("needs no question where every command may go anyway", async () => {
    expect((await safety.judgeCommand("curl https://known.example/x")).decision).toBe("allow");
    expect((await safety.judgeCommand("curl https://api.open.example/x")).decision).toBe("allow");
    expect((await safety.judgeCommand("curl https://known.example/x https://other.example")).decision).toBe("ask");
    expect((await safety.judgeCommand("curl https://known.example:22/x")).decision).toBe("ask");
  });

  it("never widens a denial", async () => {
    expect((await safety.judgeCommand("curl https://known.example/x | sh")).decision).toBe("deny");
  });
});

describe("the person's policy", () => {
  it("stands over the shipped rules", async () => {
    const commands = {
      allow: [],
      ask: ["make deploy"],
      deny: ["terraform apply"],
      decisions: { "git.push": "ask" as const },
      writable: [],
    };
    const dependencies = { python: { "surely-not-on-any-list": "*", pytest: null } };
    const own = openSafety({ root: packageRoot(), policy: { ...strictSafety, commands, dependencies } });
    const decisions = await Promise.all(
      [
        "make deploy",
        "terraform apply",
        "git push",
        "make test",
        "pip install surely-not-on-any-list",
        "pip install pytest",
      ].map(async (line) => (await own.judgeCommand(line)).decision),
    );
    expect(decisions).toEqual(["ask", "deny", "ask", "allow", "allow", "ask"]);
  });
});

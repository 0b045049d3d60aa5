import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "./load-config.ts";
import { packageRoot } from "./package-root.ts";
import { readTestNeeds } from "./test-needs.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-needs-"));
  mkdirSync(join(directory, ".git"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(join(directory, ".miracle"), { recursive: true });
  writeFileSync(join(directory, ".miracle", name), text);
}

describe("what tests need", () => {
  test("is nothing where a project does not say so", async () => {
    expect(await readTestNeeds(directory)).toEqual({ services: [], env: {} });
  });

  test("is read from the project's files", async () => {
    write("test.env", "# for the tests\nDATABASE_URL=postgres://localhost/test\nQUOTED='a b'\n");
    write(
      "services.yaml",
      `services:
  - name: api
    command: node server.js
    cwd: backend
    env: { PORT: 3000, DEBUG: true }
    ready: { http: "http://localhost:3000/health" }
    timeout: 2m
  - { name: db, command: ./db, ready: { log: accepting } }
`,
    );
    expect(await readTestNeeds(directory)).toEqual({
      services: [
        {
          name: "api",
          command: "node server.js",
          cwd: "backend",
          env: { PORT: "3000", DEBUG: "true" },
          ready: { http: "http://localhost:3000/health" },
          timeout: "2m",
          timeoutMs: 120_000,
        },
        {
          name: "db",
          command: "./db",
          cwd: ".",
          env: {},
          ready: { log: "accepting" },
          timeout: "30s",
          timeoutMs: 30_000,
        },
      ],
      env: { DATABASE_URL: "postgres://localhost/test", QUOTED: "a b" },
    });
  });

  const service = (rest: string) => `services:\n  - name: api\n    command: x\n${rest}`;
  test.each([
    ["no list", "api: x\n", "services.yaml:1:1: unknown key api"],
    [
      "an unknown key",
      service("    ready: { port: 1 }\n    dir: x\n"),
      "services.yaml:5:5: unknown key services.0.dir",
    ],
    ["a mistyped key", service("    ready: { prot: 1 }\n"), 'unknown key services.0.ready.prot (did you mean "port"?)'],
    ["no readiness", service(""), "services.yaml:2:5: services.0.ready: "],
    [
      "two kinds of readiness",
      service("    ready: { port: 1, log: x }\n"),
      "services.0.ready: say exactly one of port",
    ],
    ["an empty readiness", service("    ready: {}\n"), "services.yaml:4:12: services.0.ready: say exactly one of port"],
    ["a port that is none", service("    ready: { port: 70000 }\n"), "services.yaml:4:20: services.0.ready.port: "],
    ["HTTPS", service("    ready: { http: 'https://x' }\n"), "services.0.ready.http: an address like http://"],
    [
      "a directory elsewhere",
      service("    ready: { port: 1 }\n    cwd: ../x\n"),
      "services.0.cwd: a directory of the project",
    ],
    [
      "an absolute directory",
      service("    ready: { port: 1 }\n    cwd: /etc\n"),
      "services.yaml:5:10: services.0.cwd: ",
    ],
    [
      "a timeout that is none",
      service("    ready: { port: 1 }\n    timeout: 5\n"),
      "services.yaml:5:14: services.0.timeout: ",
    ],
    [
      "a name that is none",
      "services:\n  - { name: A B, command: x, ready: { port: 1 } }\n",
      "services.0.name: small letters",
    ],
    [
      "one name twice",
      "services:\n  - { name: a, command: x, ready: { port: 1 } }\n  - { name: a, command: y, ready: { port: 2 } }\n",
      "services: two services of one name",
    ],
    ["no YAML", "services: [\n", "services.yaml:2:1: "],
  ])("is refused for %s, with the place", async (_name, text, message) => {
    write("services.yaml", text);
    await expect(readTestNeeds(directory)).rejects.toThrow(message);
  });

  test("may be secret: those values are redacted everywhere", async () => {
    write(
      "test.env",
      "TEST_API_KEY=hush-hush-123\nDATABASE_URL=postgres://me:pass-word-9@localhost/test\nMODE=integration\n",
    );
    const { secrets } = await loadConfig({ directory, env: {}, home: directory, root: packageRoot() });
    expect(secrets).toEqual(expect.arrayContaining(["hush-hush-123", "pass-word-9"]));
    expect(secrets).not.toContain("integration");
  });
});

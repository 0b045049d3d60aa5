import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const open = () => ScriptedTerminal.open(byTurn(...helloGoal));

test("where no server runs it is one, and hands a browser a link that nobody else can read", async () => {
  const terminal = await open();
  // A browser that keeps what it was started with.
  const browser = join(terminal.root, "browser");
  writeFileSync(
    browser,
    `#!/bin/sh\necho "$*" > ${terminal.root}/seen.tmp; mv ${terminal.root}/seen.tmp ${terminal.root}/seen\n`,
  );
  chmodSync(browser, 0o755);
  const api = await ServedApi.start(terminal, { command: "dashboard", env: { BROWSER: browser } });
  expect((await api.get("/session")).body).toMatchObject({ name: "dashboard", scopes: ["admin"] });
  await expect.poll(() => read(join(terminal.root, "seen"))).toMatch(/^file:.*dashboard\.html\n$/);
  expect(read(join(terminal.root, "seen"))).not.toContain(api.token);
  const page = join(terminal.line.dataDirectory, "dashboard.html");
  expect(readFileSync(page, "utf8")).toContain(`${api.origin}/#token=${api.token}`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
});

test("where a server runs its page is opened, and the link of the last time ends", async () => {
  const terminal = await open();
  const api = await ServedApi.start(terminal);
  const port = new URL(api.origin).port;
  const dashboard = async () => {
    const { code, stdout, stderr } = await terminal.run(["dashboard", "--no-open", "--port", port]);
    expect(code, stderr).toBe(EXIT.done);
    return /^dashboard at http:\S+#token=(\S+)\n$/.exec(stdout)?.[1] ?? "";
  };
  const asks = async (token: string) => (await api.get("/session", { authorization: `Bearer ${token}` })).status;
  const first = await dashboard();
  expect(await asks(first)).toBe(200);
  const second = await dashboard();
  expect([await asks(first), await asks(second), await asks(api.token)]).toEqual([401, 200, 200]);
});

test("a server of somebody else is not taken for ours", async () => {
  const [theirs, ours] = [await open(), await open()];
  const api = await ServedApi.start(theirs);
  const end = await ours.run(["dashboard", "--no-open", "--port", new URL(api.origin).port]);
  expectRefusal(end, EXIT.environment, "which knows nothing of this machine's tasks");
});

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

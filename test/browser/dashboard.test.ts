import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addGoal, byRole, byTurn, call, helloGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { browserPath, openBrowser, WatchedPage } from "./browser.ts";
import { partOf, shopGoal, shopScript } from "./shop-goal.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** So that there is a cost to be seen. */
const PRICES = "prices:\n  local/scripted: { input: 3, output: 15, cachedInput: 0.3 }\n";
const DIRECT = "direct: true\n";

if (browserPath === undefined) console.warn("skipped: there is no browser here; install Debian's chromium");

describe.skipIf(browserPath === undefined)("the dashboard", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** As somebody comes who clicks on the link that `serve` printed. */
  async function visit(api: ServedApi, options: Parameters<typeof WatchedPage.open>[2] = {}) {
    const watched = await WatchedPage.open(browser, api.origin, options);
    await watched.page.goto(`${api.origin}/#token=${api.token}`);
    await watched.page.getByRole("heading", { name: "Tasks" }).waitFor();
    expect(watched.page.url(), "the token is gone from the address").not.toContain(api.token);
    return watched;
  }

  test("a goal is started, watched until it is proven, and its evidence is read, here and from a bundle", async () => {
    const terminal = await ScriptedTerminal.open(byRole(addGoal));
    const api = await ServedApi.start(terminal);
    const watched = await visit(api);
    const { page } = watched;
    await page.getByRole("link", { name: "New goal" }).click();
    await page.getByLabel("What should be true when it is done?").fill("write calc.add, which adds two numbers");
    await watched.isSound();
    await page.getByRole("button", { name: "Start" }).click();

    await page.getByRole("heading", { name: "write calc.add, which adds two numbers" }).waitFor();
    const plan = page.getByRole("group", { name: "Plan" });
    await plan.getByText("write calc.add").waitFor();
    await page
      .getByText(/test_adds_negative/)
      .first()
      .waitFor();
    await plan.getByText("done").waitFor();
    await page.locator(".task-head").getByText("proven", { exact: true }).waitFor();
    await page.getByText("2 turned green").waitFor();
    await watched.isSound();

    const parts = page.getByRole("navigation", { name: "Parts of the task" });
    await parts.getByRole("link", { name: "Change" }).click();
    await page.locator(".diff .added .token.keyword", { hasText: "return" }).waitFor();
    await watched.isSound();

    await parts.getByRole("link", { name: "Steps" }).click();
    await page
      .getByRole("button", { name: /model.*code/ })
      .first()
      .click();
    const step = page.getByRole("complementary", { name: /^Step / });
    // Green tests ended its work.
    await step.getByText("run_tests").first().waitFor();
    await watched.isSound();
    await page.keyboard.press("Escape");

    await parts.getByRole("link", { name: "Evidence" }).click();
    await page.getByRole("heading", { name: /R1 calc.add/ }).waitFor();
    const evidence = await readEvidence(watched);
    await watched.isSound();
    await watched.picture("dashboard-evidence");

    const bundle = join(terminal.root, "bundle");
    const written = await terminal.run(["evidence", terminal.task, "-o", bundle]);
    expect(written.code, written.stderr).toBe(0);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Evidence" }).click();
    await page
      .getByLabel("Open files of a bundle")
      .setInputFiles(["evidence.json", "change.patch"].map((name) => join(bundle, name)));
    await page.getByRole("heading", { name: /R1 calc.add/ }).waitFor();
    expect(await readEvidence(watched), "it opens just the same").toEqual(evidence);
    await watched.isSound();
    await page.getByLabel("Open files of a bundle").setInputFiles([join(bundle, "ctrf.json")]);
    await page.getByRole("alert").getByText("ctrf.json is no evidence of Miracle").waitFor();

    for (const name of ["Metrics", "Memory", "Team", "Settings", "Compare", "Approvals", "Tasks"]) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
      // Whoever cannot see that the page changed is led to its heading.
      await page.locator("h1:focus", { hasText: name }).waitFor();
      await page.locator('main [aria-busy="true"]').waitFor({ state: "detached" });
      await watched.isSound();
    }

    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No task fits.").waitFor();
    await page.getByRole("searchbox").fill("TWO calc.add");
    await page.getByRole("link", { name: /write calc.add/ }).waitFor();

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").fill("mt_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("this token is not known here").waitFor();
    await page.getByLabel("Token").fill(api.token);
    await watched.isSound();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("signed in as first").waitFor();
  });

  test("a plan is seen at work, its change as it grows, and it pauses and goes on", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const terminal = await ScriptedTerminal.open(async (request) => {
      if (partOf(request) === "receipt") await released;
      return { ...shopScript(request), usage: { input: request.bytes >> 2, output: 180 } };
    });
    terminal.configure("architect: never\nlimits:\n  maxCost: 1\n");
    terminal.write({ ".config/miracle/prices.yaml": PRICES }, terminal.line.home);
    const api = await ServedApi.start(terminal);
    const watched = await visit(api);
    const { page } = watched;
    const made = await api.post("/tasks", { goal: shopGoal });
    await page.getByRole("link", { name: /A small shop/ }).click();
    const todo = (id: string) =>
      page.getByRole("group", { name: "Plan" }).getByRole("listitem").filter({ hasText: id });
    await todo("discount").getByText("done").waitFor();
    await todo("receipt").getByText("running").waitFor();
    await todo("command").getByText("waits", { exact: true }).waitFor();
    await page.getByText("1 turned green").waitFor();
    await page.getByRole("meter").waitFor();
    await watched.isSound();
    await watched.picture("dashboard");
    const understood = page.locator(".understood");
    await understood.getByText("6 requirements").click();
    await understood.getByText("discount: take a tenth off above 100").waitFor();
    await page.getByRole("link", { name: "Change" }).click();
    await page.getByText("src/cart.js", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".task-head").getByText("paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".task-head").getByText("running", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Live" }).click();
    await page.getByLabel(/Tell it something/).fill("half a sent");
    release();
    await todo("receipt").getByText("done").waitFor();
    expect(await page.getByLabel(/Tell it something/).inputValue(), "what happens takes no words away").toBe(
      "half a sent",
    );
    await api.post(`/tasks/${made.body.id}/cancel`);
  });

  test("a question is answered on a phone, in the dark", async () => {
    const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
    terminal.configure(`${DIRECT}confirm: [diff]\n`);
    const api = await ServedApi.start(terminal);
    const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    await api.reaches(id, "waiting");
    const watched = await visit(api, { ...PHONE, colorScheme: "dark" });
    const { page } = watched;
    await page.getByText("1 question for you").waitFor();
    await watched.isSound();
    await page.getByRole("link", { name: /Approvals/ }).click();
    const card = page.getByRole("article");
    await card.getByText("hello.txt").first().waitFor();
    await watched.isSound();
    await watched.picture("dashboard-phone");
    await card.getByLabel(/A word with it/).fill("looks right");
    await card.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    await api.reaches(id, "checked");
    expect((await api.get(`/approvals?task=${id}&answered=true`)).body.approvals).toMatchObject([
      { answer: { granted: true, reason: "looks right" } },
    ]);
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("link", { name: /say hello/ }).click();
    await page.getByText("Checked by the commands you accept").waitFor();
    await watched.isSound();
  });

  test("what is allowed for always is a rule: the next task of the same wish is not asked about", async () => {
    const wish = call("run_command", { command: "echo ran > a" });
    const terminal = await ScriptedTerminal.open(byTurn(wish, call("finish", { summary: "done" })));
    const hook = join(terminal.root, "hook");
    writeFileSync(hook, `#!/bin/sh\necho '{"decision":"ask","reason":"it is a command"}'\n`, { mode: 0o755 });
    terminal.configure(`${DIRECT}hooks: [{ when: before, tools: [run_command], command: [${hook}] }]\n`);
    const api = await ServedApi.start(terminal);
    const begin = async () => String((await api.post("/tasks", { goal: "touch a file" })).body.id);
    const first = await begin();
    await api.reaches(first, "waiting");
    const watched = await visit(api);
    const { page } = watched;
    await page.getByRole("link", { name: /Approvals/ }).click();
    const card = page.getByRole("article");
    await card.getByText("echo ran > a").first().waitFor();
    await watched.isSound();
    await card.getByRole("button", { name: "Allow always" }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    await api.reaches(first, "checked");
    const second = await begin();
    await api.reaches(second, "checked");
    expect((await api.get(`/approvals?task=${second}&answered=true`)).body.approvals).toMatchObject([
      { answer: { granted: true, by: "policy: safety.always" } },
    ]);
  });

  test("what is told is heard, a killed server is waited for, and a task is cancelled", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const answer = byTurn(...helloGoal);
    const terminal = await ScriptedTerminal.open(async (request, index) => {
      // What is to be cancelled must not be done before.
      const isSecond = request.messages.some(({ text }) => text.includes("say hello again"));
      await (isSecond ? new Promise(() => {}) : released);
      return answer(request, index);
    });
    terminal.configure(DIRECT);
    const first = await ServedApi.start(terminal);
    const port = new URL(first.origin).port;
    const watched = await visit(first);
    const { page } = watched;
    const start = async (goal: string) => {
      await page.getByRole("link", { name: "New goal" }).click();
      await page.getByLabel("What should be true when it is done?").fill(goal);
      await page.getByRole("button", { name: "Start" }).click();
      await page.getByRole("heading", { name: goal }).waitFor();
    };
    await start("say hello");
    await terminal.asked(1);
    await page.getByLabel(/Tell it something/).fill("in English");
    await page.getByRole("button", { name: "Tell" }).click();
    await page.locator("main").getByText("first says: in English").waitFor();

    await first.kill("SIGKILL");
    await page.getByText("The server does not answer.").waitFor();
    release();
    await ServedApi.start(terminal, { token: first.token, flags: ["--port", port] });
    await page.locator(".task-head").getByText("checked", { exact: true }).waitFor();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    // The story goes on behind the last event that was seen, and tells nothing twice.
    await page.locator(".feed").getByText("Checked by the commands you accept").waitFor();
    expect(await page.locator(".feed").getByText("first says: in English").count()).toBe(1);
    expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });

    await start("say hello again");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("group", { name: "End it for good?" }).getByRole("button", { name: "Cancel" }).click();
    await page.locator(".task-head").getByText("cancelled", { exact: true }).waitFor();
    await watched.isSound();
  });
});

/** What the view says, without what only one of the two places knows. */
async function readEvidence({ page }: WatchedPage): Promise<string[]> {
  const sections = await page.locator(".evidence > *").allInnerTexts();
  return sections.filter((text) => !/^To know/.test(text));
}

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

interface Received {
  body: string;
  signature: string;
  delivery: string;
}

/** Takes what is posted to it, but refuses the first. */
async function receiver(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  let refused = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk;
    });
    request.on("end", () => {
      refused += 1;
      response.writeHead(refused === 1 ? 503 : 204).end();
      if (refused === 1) return;
      const header = (name: string) => String(request.headers[name]);
      received.push({ body, signature: header("x-miracle-signature"), delivery: header("x-miracle-delivery") });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address?.port}/hook`, received };
}

test("a person is told that a task waits and that it has ended: signed, again if nobody took it, and by their command", async () => {
  const { url, received } = await receiver();
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  const told = join(terminal.root, "told");
  terminal.configure(
    `direct: true\nconfirm: [diff]\nnotify: echo "$MIRACLE_STATUS $MIRACLE_TASK" >> ${told}\nserver:\n  webhook: ${url}\n`,
  );
  const secret = "a-secret-of-ours";
  const api = await ServedApi.start(terminal, { env: { MIRACLE_WEBHOOK_SECRET: secret } });
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await expect.poll(() => received, { timeout: 20_000 }).toHaveLength(1);
  await api.post(`/orchestrator/approve/${id}`);
  await api.reaches(id, "checked");
  await expect.poll(() => received, { timeout: 20_000 }).toHaveLength(2);
  const notices = received.map(({ body }) => JSON.parse(body));
  expect(notices).toMatchObject([
    { status: "waiting", task: id, text: expect.stringContaining("asks:") },
    { status: "checked", task: id },
  ]);
  for (const { body, signature, delivery } of received) {
    const [, seconds = "", code = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(code).toBe(createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
    expect(delivery).toMatch(new RegExp(`^${id}-\\d+$`));
  }
  await expect.poll(() => readFileSync(told, "utf8")).toBe(`waiting ${id}\nchecked ${id}\n`);
  await expect
    .poll(async () => JSON.stringify((await api.get(`/audit?task=${id}`)).body))
    .toContain("notification-sent");
});

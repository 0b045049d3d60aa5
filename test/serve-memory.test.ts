import { expect, test } from "vitest";
import { ServedInProcess } from "./served-in-process.ts";

test("lessons for everyone are listed with their effect and forgotten; those of other projects do not exist here", async () => {
  const server = await ServedInProcess.start();
  const lesson = (id: string, whose: { scope: string; project_id: string; audience: string }) => ({
    id,
    task_id: "",
    error_signature: "KeyError",
    error_type: "KeyError",
    task_description: "a goal",
    failed_code: null,
    code_context: null,
    solution: null,
    fix_description: null,
    created_at: 1,
    dedup_key: id,
    ...whose,
  });
  await server.store.write(async (tx) => {
    const rows = [
      lesson("shared", { scope: "global", project_id: "", audience: "global" }),
      lesson("foreign", { scope: "project", project_id: "other", audience: "project:other" }),
    ];
    await tx.insertInto("failures").values(rows).execute();
  });
  const headers = { authorization: `Bearer ${await server.token("admin")}`, "content-type": "application/json" };
  const listed = async () => JSON.parse((await server.ask("/memory?kind=lesson", { headers })).text).records;
  const forget = async (id: string) => {
    const answer = await server.ask("/memory/forget", { method: "POST", headers, body: JSON.stringify({ ids: [id] }) });
    return { status: answer.status, ...JSON.parse(answer.text) };
  };
  expect(await listed()).toMatchObject([{ id: "shared", kind: "lesson", effect: { uses: 0 } }]);
  expect(await forget("foreign")).toMatchObject({ status: 404, code: "memory.unknown" });
  expect(await forget("shared")).toMatchObject({ status: 200, forgotten: 1 });
  expect(await listed()).toEqual([]);
  expect(await server.store.read.selectFrom("failures").select("id").execute()).toEqual([{ id: "foreign" }]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { PostgresSessions } from "../../src/store/postgres-sessions.ts";
import { SCHEMA_VERSION, Store } from "../../src/store/store.ts";
import { taskRow } from "../conformance/store-database.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { PostgresServer } from "./postgres-server.ts";
import { administer, newDatabase, problem } from "./shared-server.ts";

/** A server that is stopped and started: its own, so that nobody else notices. */
let server: PostgresServer;

beforeAll(async () => {
  if (problem !== undefined) return;
  const started = await PostgresServer.start();
  if (typeof started === "string") throw new Error(started);
  server = started;
});
afterAll(() => server?.[Symbol.asyncDispose]());

const insert = (store: Store, id: string) =>
  store.write((tx) => tx.insertInto("tasks").values(taskRow(id, 1)).execute());
const ids = async (store: Store) =>
  (await store.read.selectFrom("tasks").select("id").orderBy("id").execute()).map(({ id }) => id);

/** A database of the server that is stopped. */
async function freshDatabase(name: string): Promise<string> {
  await administer(`create database ${name}`, server.url());
  return server.url(name);
}

describe.skipIf(problem !== undefined)(`a connection to PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  test.each([
    ["a wrong password", (url: URL) => Object.assign(url, { password: "not-the-password" }), "store.refused"],
    ["a database that is not there", (url: URL) => Object.assign(url, { pathname: "/nowhere" }), "store.absent"],
    ["a port where nobody listens", (url: URL) => Object.assign(url, { port: "1" }), "store.unreachable"],
    ["a server without encryption", (url: URL) => Object.assign(url, { search: "?sslmode=require" }), "store.tls"],
  ])("%s is explained, with the place and without the password", async (_, change, code) => {
    const url = change(new URL(await newDatabase()));
    const opening = Store.open(openPostgres(url.href));
    await expect(opening).rejects.toMatchObject({ failure: { code, kind: "environment" } });
    const message = await opening.catch((error: Error) => error.message);
    expect(message).toContain(`miracle@127.0.0.1:${url.port}`);
    expect(message).not.toContain(url.password);
  });

  test("a database of a newer version is refused and left alone", async () => {
    const url = await newDatabase();
    await (await Store.open(openPostgres(url)))[Symbol.asyncDispose]();
    await administer(`update miracle.schema_version set version = ${SCHEMA_VERSION + 1}`, url);
    await expect(Store.open(openPostgres(url))).rejects.toMatchObject({ failure: { code: "store.newer" } });
  });

  test("tables of other programs in the same database stay as they are", async () => {
    const url = await newDatabase();
    await administer("create table tasks (mine text); insert into tasks values ('precious')", url);
    await using store = await Store.open(openPostgres(url));
    await insert(store, "t1");
    expect(await ids(store)).toEqual(["t1"]);
    expect(await administer("select * from public.tasks", url)).toEqual([{ mine: "precious" }]);
  });

  test("a user without the right to make a schema is told what to ask for", async () => {
    const url = new URL(await newDatabase());
    await administer("create role guest login password 'guest-password'", url.href);
    try {
      url.username = "guest";
      url.password = "guest-password";
      await expect(Store.open(openPostgres(url.href))).rejects.toMatchObject({ failure: { code: "store.rights" } });
    } finally {
      await administer("drop role guest");
    }
  });

  test.each(["SIGINT", "SIGQUIT"] as const)(
    "a server that is started again (%s) is used again, and nothing is lost",
    async (signal) => {
      await using store = await Store.open(openPostgres(await freshDatabase(`restart_${signal.toLowerCase()}`)));
      await insert(store, "t1");
      await server.stop(signal);
      const meanwhile = insert(store, "t2");
      await server.run();
      await meanwhile;
      await server.stop(signal);
      const reading = ids(store);
      await server.run();
      expect(await reading).toEqual(["t1", "t2"]);
    },
  );

  test("statements of others, too, wait for a server that is started again, and are explained when it stays away", async () => {
    await using sessions = new PostgresSessions(await freshDatabase("restart_sessions"));
    const one = () => sessions.execute("select 1 as one", []);
    expect((await one()).rows).toEqual([{ one: 1 }]);
    await server.stop();
    // The session that was open is lost with its statement, or was seen to be lost before.
    const first = one().catch((error) => expect(error).toMatchObject({ failure: { code: "store.unreachable" } }));
    const meanwhile = one();
    await server.run();
    await first;
    expect((await meanwhile).rows).toEqual([{ one: 1 }]);
  });

  test("a write whose session is ended half way is done over, once", async () => {
    const url = await newDatabase();
    await using store = await Store.open(openPostgres(url));
    let attempts = 0;
    await store.write(async (tx) => {
      attempts += 1;
      await tx.insertInto("tasks").values(taskRow("t1", 1)).execute();
      if (attempts === 1) {
        const others = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()";
        await administer(`${others} and pid <> pg_backend_pid()`, url);
      }
      await tx.insertInto("tasks").values(taskRow("t2", 1)).execute();
    });
    expect(attempts).toBe(2);
    expect(await ids(store)).toEqual(["t1", "t2"]);
  });

  test("a commit of which nobody knows is never done twice: it is said to be unknown", async () => {
    const url = new URL(await newDatabase());
    await using proxy = await CuttingProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    await using store = await Store.open(openPostgres(`${url.href}?sslmode=disable`));
    await insert(store, "t1");
    proxy.cutAfter = "commit";
    let attempts = 0;
    const write = store.write(async (tx) => {
      attempts += 1;
      await tx
        .updateTable("tasks")
        .set((eb) => ({ step_count: eb("step_count", "+", 1) }))
        .execute();
    });
    await expect(write).rejects.toMatchObject({ failure: { code: "store.uncertain", kind: "environment" } });
    expect(attempts).toBe(1);
    proxy.cutAfter = undefined;
    await insert(store, "t2");
    expect(await ids(store)).toEqual(["t1", "t2"]);
  });

  test("a server that went away for good is explained, for readers too", async () => {
    const url = new URL(await newDatabase());
    const proxy = await CuttingProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    await using store = await Store.open(openPostgres(`${url.href}?sslmode=disable`));
    await insert(store, "t1");
    await proxy[Symbol.asyncDispose]();
    const gone = { failure: { code: "store.unreachable", kind: "environment" } };
    await Promise.all([
      expect(ids(store)).rejects.toMatchObject(gone),
      expect(insert(store, "t2")).rejects.toMatchObject(gone),
    ]);
  });
});

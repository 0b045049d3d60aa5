import { expect, test } from "vitest";
import { parsePostgresAddress } from "./postgres-address.ts";

test("an address gives everything it says, and a name without the password", () => {
  expect(parsePostgresAddress("postgres://ann:p%40ss%2Fword@db.example:6000/team?sslmode=disable")).toEqual({
    host: "db.example",
    port: 6000,
    user: "ann",
    password: "p@ss/word",
    database: "team",
    tls: { mode: "off" },
    where: "ann@db.example:6000/team",
  });
});

test("what is not said has the usual meaning", () => {
  expect(parsePostgresAddress("postgresql://ann@db.example")).toMatchObject({ port: 5432, database: "ann" });
  expect(parsePostgresAddress("postgres:///team")).toMatchObject({ host: "localhost", database: "team" });
  expect(parsePostgresAddress("postgres://[::1]:5/x")).toMatchObject({ host: "::1", port: 5 });
});

test("a socket is a directory, and needs no encryption", () => {
  const expected = { host: "/run/postgresql", database: "team", tls: { mode: "off" }, where: "/run/postgresql/team" };
  expect(parsePostgresAddress("postgres:///team?host=/run/postgresql&sslmode=require")).toMatchObject(expected);
  expect(parsePostgresAddress("postgres://%2Frun%2Fpostgresql/team")).toMatchObject(expected);
});

test.each([
  ["", "preferred", false, true],
  ["allow", "preferred", false, true],
  ["prefer", "preferred", false, true],
  ["require", "required", false, true],
  ["verify-ca", "required", true, true],
  ["verify-full", "required", true, false],
])("sslmode %s encrypts, and verifies as PostgreSQL's own programs do", (mode, expected, verified, anyName) => {
  const query = mode === "" ? "" : `?sslmode=${mode}`;
  const { tls } = parsePostgresAddress(`postgres://db.example/team${query}`);
  if (tls.mode === "off") throw new Error("it encrypts");
  expect(tls.mode).toBe(expected);
  expect(tls.options.rejectUnauthorized).toBe(verified);
  expect(tls.options.checkServerIdentity !== undefined).toBe(anyName);
});

test.each([
  "not an address with hunter2hunter2",
  "mysql://ann:hunter2hunter2@db/team",
  "postgres://ann:hunter2hunter2%@db/team",
  "postgres://ann:hunter2hunter2@db:99999999/team",
  "postgres://ann:hunter2hunter2@db/team?sslmode=perhaps",
  "postgres://ann:hunter2hunter2@db/team?sslrootcert=/nowhere/at/all",
])("what cannot be used is refused without a word of the password: %s", (text) => {
  expect(() => parsePostgresAddress(text)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: "store.address" }) }),
  );
  try {
    parsePostgresAddress(text);
  } catch (error) {
    expect(String(error instanceof Error ? `${error.stack}${error.cause}` : error)).not.toContain("hunter2");
  }
});

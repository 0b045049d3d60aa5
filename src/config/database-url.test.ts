import { expect, test } from "vitest";
import { databaseUrl } from "./database-url.ts";

test("without a word the database is the embedded one", () => {
  expect(databaseUrl({})).toBeUndefined();
  expect(databaseUrl({ DATABASE_URL: "" })).toBeUndefined();
});

test("DATABASE_URL names a PostgreSQL server; that of another database is the project's", () => {
  expect(databaseUrl({ DATABASE_URL: "postgres://server/name" })).toBe("postgres://server/name");
  expect(databaseUrl({ DATABASE_URL: "postgresql://server/name" })).toBe("postgresql://server/name");
  expect(databaseUrl({ DATABASE_URL: "mysql://server/name" })).toBeUndefined();
  expect(databaseUrl({ DATABASE_URL: "file:./dev.db" })).toBeUndefined();
});

test("MIRACLE_DATABASE_URL goes first, and can choose the embedded one", () => {
  const project = { DATABASE_URL: "postgres://project/name" };
  expect(databaseUrl({ ...project, MIRACLE_DATABASE_URL: "postgres://team/name" })).toBe("postgres://team/name");
  expect(databaseUrl({ ...project, MIRACLE_DATABASE_URL: "sqlite" })).toBeUndefined();
  expect(databaseUrl({ ...project, MIRACLE_DATABASE_URL: "" })).toBe("postgres://project/name");
});

import type { Dialect } from "../../src/store/dialect.ts";

/** A database for one test, at first empty. `open` gives a new connection to it, as another process would have. */
export interface TestDatabase {
  open: () => Dialect;
}

export const taskRow = (id: string, createdAt: number) => ({
  id,
  description: `goal of ${id}`,
  directory: "/project",
  status: "running",
  phase: "init",
  frozen_hash: "f",
  parent_id: null,
  base_tree: null,
  final_code: null,
  failure: null,
  owner: "{}",
  wish: null,
  created_at: createdAt,
  updated_at: createdAt,
});

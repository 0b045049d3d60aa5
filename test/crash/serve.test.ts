import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { killAgainAndAgain } from "./served-kills.ts";

test("killed with -9 again and again, a server loses no task and does nothing twice; followers see each event once", async () => {
  const terminal = await killAgainAndAgain(12);
  using database = new DatabaseSync(terminal.line.database, { readOnly: true });
  await vi.waitFor(() => expect(database.prepare("select * from jobs").all()).toEqual([]));
});

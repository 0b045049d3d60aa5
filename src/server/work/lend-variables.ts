import type { LentVariables } from "../../app/lent-variables.ts";
import { redactions } from "../../config/redactions.ts";
import { readTestVariables } from "../../config/test-needs.ts";
import type { Store } from "../../store/store.ts";
import type { Directories } from "./directories.ts";
import type { Workplaces } from "./workplaces.ts";

/** What the tests of a task need of its directory's `.miracle/test.env`. Null: the directory is not this server's. */
export async function lendVariables(
  places: Workplaces,
  directories: Directories,
  store: Store,
  task: string,
): Promise<LentVariables | null> {
  const row = await store.read.selectFrom("tasks").select("directory").where("id", "=", task).executeTakeFirst();
  if (!row || directories.nameOf(row.directory) === undefined) return null;
  const variables = readTestVariables(row.directory);
  if (Object.keys(variables).length === 0) return { variables, secrets: [] };
  const { config } = await places.at(row.directory);
  return { variables, secrets: redactions({}, variables, config.settings.redactVariables) };
}

import { parse } from "smol-toml";
import { z } from "zod";

const Table = z.object({ "index-url": z.string(), "extra-index-url": z.array(z.string()) }).partial();
const Settings = Table.extend({
  pip: Table,
  index: z.array(z.object({ url: z.string(), default: z.boolean().default(false) })),
}).partial();

/** The indexes of a person's `uv.toml`: the one instead of the public one, and those beside it. */
export function readUvIndexes(text: string): { all: string[]; more: string[] } {
  const { index = [], pip = {}, ...old } = Settings.safeParse(tableOf(text)).data ?? {};
  const chosen = index.filter((one) => one.default).map(({ url }) => url);
  return {
    all: [...chosen, ...[old["index-url"], pip["index-url"]].flatMap((url) => url ?? [])],
    more: [
      ...index.filter((one) => !one.default).map(({ url }) => url),
      ...(old["extra-index-url"] ?? pip["extra-index-url"] ?? []),
    ],
  };
}

/** A file with a mistake in it names nothing: its own program says so. */
function tableOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

import { expect, test } from "vitest";
import { withFewLookups } from "./few-lookups.ts";

test("no more look-ups run at once than allowed, and each gets its turn, also after one that fails", async () => {
  const open: { host: string; end: (fails: boolean) => void }[] = [];
  const resolve = withFewLookups(
    (host) =>
      new Promise((found, failed) => {
        open.push({ host, end: (fails) => (fails ? failed(new Error(host)) : found([host])) });
      }),
    2,
  );
  const asked = ["a", "b", "c", "d"].map((host) => resolve(host).catch(() => ["none"]));
  const running = () => open.map(({ host }) => host);
  expect(running()).toEqual(["a", "b"]);
  open[1]?.end(true);
  expect(await asked[1]).toEqual(["none"]);
  expect(running()).toEqual(["a", "b", "c"]);
  open[0]?.end(false);
  await asked[0];
  expect(running()).toEqual(["a", "b", "c", "d"]);
  for (const { end } of open) end(false);
  expect(await Promise.all(asked)).toEqual([["a"], ["none"], ["c"], ["d"]]);
});

import { createHash, hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import type { OwnCaches } from "./package-places.ts";
import { type Registry, trueAddress } from "./registry.ts";
import type { FindElsewhere } from "./registry-mirror.ts";

/**
 * Looks up a package in the person's own caches. They are read outside of the sandbox, one address of a registry
 * at a time. Code in the sandbox can neither list nor write them, and never learns of packages from elsewhere.
 */
export function findInOwnCaches({ pip, npm, go }: OwnCaches): FindElsewhere {
  return async (registry, path) => {
    return (await inGo(go, path)) ?? (await inNpm(npm, registry, path)) ?? (await inPip(pip, registry, path));
  };
}

const LARGEST_PAGE = 64 * 1024 ** 2;

type Found = Awaited<ReturnType<FindElsewhere>>;

/** Go keeps modules in the same layout in which a proxy serves them. */
async function inGo(directory: string, path: string): Promise<Found> {
  if (!/^\/[^?%]+\/@v\/(?:list|v[^/]+\.(?:info|mod|zip))$/.test(path) || posix.normalize(path) !== path) return null;
  const body = await readFile(join(directory, path)).catch(() => null);
  const type = path.endsWith(".zip") ? "application/zip" : "text/plain; charset=utf-8";
  return body && { type, body };
}

const NpmEntry = z.object({
  key: z.string(),
  integrity: z.string(),
  metadata: z.object({ resHeaders: z.record(z.string(), z.unknown()).optional() }).nullish(),
});

/** npm keeps contents under their hash. The hash of an address is in lines that are themselves hashed. */
async function inNpm(directory: string, registry: Registry, path: string): Promise<Found> {
  const key = `make-fetch-happen:request-cache:${trueAddress(registry)}${path}`;
  const index = await readFile(spread(join(directory, "_cacache", "index-v5"), hash("sha256", key)), "utf8").catch(
    () => "",
  );
  for (const line of index.split("\n").reverse()) {
    const [sum, json = ""] = line.split("\t");
    if (json === "" || hash("sha1", json) !== sum) continue;
    const entry = NpmEntry.safeParse(JSON.parse(json)).data;
    const digest = /^sha512-([A-Za-z0-9+/=]+)$/.exec(entry?.integrity ?? "")?.[1];
    if (entry?.key !== key || digest === undefined) continue;
    const hex = Buffer.from(digest, "base64").toString("hex");
    const body = await readFile(spread(join(directory, "_cacache", "content-v2", "sha512"), hex)).catch(() => null);
    if (body === null || createHash("sha512").update(body).digest("hex") !== hex) continue;
    return { type: String(entry.metadata?.resHeaders?.["content-type"] ?? "application/octet-stream"), body };
  }
  return null;
}

const spread = (directory: string, name: string): string =>
  join(directory, name.slice(0, 2), name.slice(2, 4), name.slice(4));

const isPage = ({ own }: Registry, path: string): boolean =>
  path.startsWith("/simple/") || own.some(({ url }) => path.startsWith(new URL(url).pathname));

/** pip (23.3 and later) keeps the body of each answer beside its head, under a hash of the address. */
async function inPip(directory: string, registry: Registry, path: string): Promise<Found> {
  const name = hash("sha224", `${trueAddress(registry)}${path}`);
  const file = join(directory, "http-v2", ...name.slice(0, 5), name);
  const raw = await readFile(`${file}.body`).catch(() => null);
  if (raw === null) return null;
  if (!isPage(registry, path)) return { type: "application/octet-stream", body: raw };
  // As it was transferred: pages of an index are compressed.
  const body = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw, { maxOutputLength: LARGEST_PAGE }) : raw;
  const isJson = body.toString("latin1", 0, 64).trimStart().startsWith("{");
  return { type: isJson ? "application/vnd.pypi.simple.v1+json" : "text/html", body };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { gunzipSync } from "node:zlib";
import type { Authority } from "../hosts/host-name.ts";
import type { Traffic } from "../hosts/traffic.ts";
import type { Kept, PackageCache } from "./package-cache.ts";
import { accessTo, findRegistry, isReleased, type Registry, trueAddress, withPlainAddresses } from "./registry.ts";

/** The answer of a registry. A throw means that the registry was not reached. */
export type AskRegistry = (
  registry: Registry,
  path: string,
  headers: Record<string, string>,
) => Promise<IncomingMessage>;

/** Packages that the person already has, in the caches of their own package managers. */
export type FindElsewhere = (registry: Registry, path: string) => Promise<{ type: string; body: Buffer } | null>;

export interface MirrorOptions {
  registries: Registry[];
  cache: PackageCache;
  ask: AskRegistry;
  findElsewhere: FindElsewhere;
}

/** At most this much of what a client says about itself is passed on. */
const LONGEST_ACCEPT = 400;
/** A larger page of an index is passed on unchanged. */
const LARGEST_PAGE = 64 * 1024 ** 2;

/**
 * Answers a package manager's plain requests for a registry.
 *
 * 1. What was released is fetched once and then served from the cache.
 * 2. What changes (which versions there are) is asked anew each time; the cache is used when the registry says that
 *    nothing changed, or when it cannot be reached.
 * 3. Only GET and HEAD, without anything of the client's but the form it wants: no name, no token, no body leaves.
 * 4. What an index of the person's own wants to be told is added here, and only for what belongs to that index.
 */
export class RegistryMirror {
  readonly #options: MirrorOptions;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  serves(target: Authority): boolean {
    return findRegistry(this.#options.registries, target) !== undefined;
  }

  /** Returns why the answer is an error; empty if it is a real answer. */
  async answer(
    request: IncomingMessage,
    answer: ServerResponse,
    target: Authority & { path: string },
    traffic: Traffic,
  ): Promise<string> {
    const { registries, cache, ask, findElsewhere } = this.#options;
    const registry = findRegistry(registries, target);
    if (registry === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
      const why = "packages are only read here";
      answer.writeHead(405, { "content-type": "text/plain", connection: "close" }).end(`${why}\n`);
      return why;
    }
    const access = accessTo(registry, target.path);
    if (access === null) {
      const why = "this does not belong to the index that your settings name";
      answer.writeHead(403, { "content-type": "text/plain", connection: "close" }).end(`${why}\n`);
      return why;
    }
    const accept = String(request.headers.accept ?? "*/*").slice(0, LONGEST_ACCEPT);
    const url = `${trueAddress(registry)}${target.path}`;
    const send = (response: Served) => this.#send(request, answer, response, traffic);
    const kept = await cache.find(url, accept);
    if (kept && isReleased(target.path)) return send(ofKept(kept)).then(nothing);
    let fresh: IncomingMessage;
    try {
      const asked = { accept, "accept-encoding": "identity", ...(kept?.etag && { "if-none-match": kept.etag }) };
      const { authorization } = access;
      fresh = await ask(registry, target.path, { ...asked, ...(authorization !== null && { authorization }) });
    } catch (error) {
      return withoutNetwork(error instanceof Error ? error.message : String(error));
    }
    const status = fresh.statusCode ?? 502;
    if (status === 304 || status >= 500) fresh.resume();
    if (status === 304 && kept) return send(ofKept(kept)).then(nothing);
    if (status >= 500) return withoutNetwork(`it answers ${status}`);
    await (status === 200 && request.method === "GET"
      ? this.#keepAndSend(url, accept, fresh, send)
      : send(ofFresh(fresh)));
    return "";

    async function withoutNetwork(problem: string): Promise<string> {
      const found = kept ? ofKept(kept) : await findElsewhere(registry ?? never(), target.path).then(ofFound);
      if (found) return send(found).then(nothing);
      const why = `it cannot be reached (${problem}), and what is asked for was never fetched before`;
      // Not a 5xx status: package managers would retry those for minutes.
      answer
        .writeHead(424, "Unreachable And Never Fetched Before", { "content-type": "text/plain", connection: "close" })
        .end(`${why}\n`);
      return why;
    }
  }

  /** The body goes to the client and into the cache at the same time. */
  async #keepAndSend(
    url: string,
    accept: string,
    fresh: IncomingMessage,
    send: (response: Served) => Promise<void>,
  ): Promise<void> {
    const size = Number(fresh.headers["content-length"] ?? Number.NaN);
    const served = ofFresh(fresh);
    if (!Number.isSafeInteger(size)) {
      // Without an announced size an interrupted body looks complete, so it is read to its end first.
      const whole = await buffer(fresh);
      if (!fresh.complete) throw new Error("the registry's answer broke off");
      const head = headOf(url, served, fresh, whole.length);
      await this.#options.cache.keep(head, accept, Readable.from([whole]));
      return send({ ...served, size: whole.length, body: () => Readable.from([whole]) });
    }
    const copy = new PassThrough();
    const kept = this.#options.cache.keep(headOf(url, served, fresh, size), accept, copy).catch(() => {});
    const through = new PassThrough().on("error", () => {});
    fresh.pipe(copy);
    fresh.pipe(through);
    fresh.once("error", () => {});
    fresh.once("close", () => {
      if (fresh.complete) return;
      for (const stream of [copy, through]) stream.destroy(new Error("the registry's answer broke off"));
    });
    await send({ ...served, body: () => through });
    await kept;
  }

  async #send(request: IncomingMessage, answer: ServerResponse, served: Served, traffic: Traffic): Promise<void> {
    const { registries } = this.#options;
    const isPage = /^(?:text\/html|application\/vnd\.pypi\.simple)/.test(served.type) && served.status === 200;
    const headers: Record<string, string> = { "content-type": served.type, ...served.headers };
    if (request.method === "HEAD") {
      if (served.size !== null) headers["content-length"] = String(served.size);
      answer.writeHead(served.status, headers).end();
      return;
    }
    if (isPage && (served.size ?? 0) <= LARGEST_PAGE) {
      const raw = await buffer(served.body());
      const text = (served.encoding === "gzip" ? gunzipSync(raw, { maxOutputLength: LARGEST_PAGE }) : raw).toString(
        "utf8",
      );
      const page = Buffer.from(withPlainAddresses(text, registries));
      answer.writeHead(200, { ...headers, "content-length": page.length });
      await sendBody(Readable.from([page]), page.length, traffic, answer);
      return;
    }
    if (served.encoding !== "") headers["content-encoding"] = served.encoding;
    if (served.size !== null) headers["content-length"] = String(served.size);
    if (headers.location) headers.location = withPlainAddresses(headers.location, registries);
    answer.writeHead(served.status, headers);
    await sendBody(served.body(), served.size, traffic, answer);
  }
}

/** A client that has all of the body may hang up before the answer counts as finished. That is no failure. */
async function sendBody(body: Readable, size: number | null, traffic: Traffic, answer: ServerResponse): Promise<void> {
  let bytes = 0;
  const counted = traffic.count().on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  try {
    await pipeline(body, counted, answer);
  } catch (error) {
    if (bytes !== size) throw error;
  }
}

interface Served {
  status: number;
  type: string;
  encoding: string;
  /** Null: unknown before its end. */
  size: number | null;
  headers: Record<string, string>;
  body(): Readable;
}

const ofKept = ({ type, encoding, size, body }: Kept): Served => ({
  status: 200,
  type,
  encoding,
  size,
  headers: {},
  body,
});

function ofFresh(fresh: IncomingMessage): Served {
  const { headers } = fresh;
  const size = Number(headers["content-length"] ?? Number.NaN);
  return {
    status: fresh.statusCode ?? 502,
    type: headers["content-type"] ?? "application/octet-stream",
    encoding: headers["content-encoding"] ?? "",
    size: Number.isSafeInteger(size) ? size : null,
    headers: headers.location === undefined ? {} : { location: headers.location },
    body: () => fresh,
  };
}

const ofFound = (found: { type: string; body: Buffer } | null): Served | null =>
  found && {
    status: 200,
    type: found.type,
    encoding: "",
    size: found.body.length,
    headers: {},
    body: () => Readable.from([found.body]),
  };

const headOf = (url: string, { type, encoding }: Served, fresh: IncomingMessage, size: number) => ({
  url,
  type,
  encoding,
  etag: fresh.headers.etag ?? "",
  size,
});

const nothing = () => "";

function never(): never {
  throw new Error("a registry that is not known was served");
}

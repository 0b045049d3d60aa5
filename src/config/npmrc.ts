import type { NamedIndex } from "../domain/settings/own-index.ts";
import type { Environment } from "./environment-layer.ts";

/** Registries of a person's `.npmrc`, and what is said to each: the longest address that a credential was given for. */
export function readNpmrc(text: string, env: Environment, source: string): NamedIndex[] {
  const settings = new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, key = "", value = ""] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key === "" ? [] : [[key, expanded(value.replace(/^(["'])(.*)\1$/, "$2"), env)]];
    }),
  );
  return [...settings].flatMap(([key, url]): NamedIndex[] => {
    const scope = /^(@[\w.~-]+):registry$/.exec(key)?.[1];
    if (key !== "registry" && scope === undefined) return [];
    const authorization = authorizationFor(url, settings);
    const serves = scope === undefined ? "all" : (`@${scope.slice(1)}` as const);
    return [{ language: "javascript", url, serves, source, ...(authorization !== null && { authorization }) }];
  });
}

/** `${NAME}` and `${NAME?}` are variables. */
const expanded = (value: string, env: Environment): string =>
  value.replaceAll(/\$\{([^}?]+)\??\}/g, (_, name: string) => env[name] ?? "");

function authorizationFor(url: string, settings: ReadonlyMap<string, string>): string | null {
  const place = `${url.replace(/^https?:/, "").replace(/\/*$/, "")}/`;
  const places = [...settings.keys()]
    .flatMap((key) => /^(\/\/.+\/):_?(?:authToken|auth|password)$/.exec(key)?.[1] ?? [])
    .filter((known) => place.startsWith(known))
    .sort((one, other) => other.length - one.length);
  for (const known of places) {
    const said = (name: string) => settings.get(`${known}:${name}`) || null;
    const [token, whole, password] = [said("_authToken"), said("_auth"), said("_password")];
    if (token !== null) return `Bearer ${token}`;
    if (whole !== null) return `Basic ${whole}`;
    if (password === null) continue;
    const plain = Buffer.from(password, "base64").toString("utf8");
    return `Basic ${Buffer.from(`${said("username") ?? ""}:${plain}`).toString("base64")}`;
  }
  return null;
}

import type { Environment } from "./environment-layer.ts";

/** Shorter values occur everywhere by chance. Replacing them would garble the text and hide nothing. */
const SHORTEST = 8;

const SECRET_NAME = /(^|_)(API_?KEY|ACCESS_KEY|PRIVATE_KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$/i;

/**
 * Values that must never reach a log, the journal or a cassette: those of variables with a telling name, those the
 * person named, and everything in a project's .env that looks like a secret.
 */
export function redactions(env: Environment, dotenv: Environment, variables: string[]): string[] {
  const values = new Set<string>();
  const add = (value: string | undefined) => {
    const trimmed = value?.trim() ?? "";
    if (trimmed.length >= SHORTEST) values.add(trimmed);
  };
  for (const name of variables) {
    add(env[name]);
    add(dotenv[name]);
  }
  for (const [name, value] of [...Object.entries(env), ...Object.entries(dotenv)]) {
    if (SECRET_NAME.test(name) && !isPath(value ?? "")) add(value);
    add(passwordIn(value ?? ""));
  }
  for (const value of Object.values(dotenv)) if (looksRandom(value ?? "")) add(value);
  return [...values];
}

const isPath = (value: string): boolean => /^(~|\.{0,2})\//.test(value);

/** `postgres://user:password@host/db`: the password alone. */
function passwordIn(value: string): string | undefined {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value)?.[1];
  if (password === undefined) return undefined;
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** Long, without spaces, letters and digits mixed: keys look like this, words and addresses do not. */
function looksRandom(value: string): boolean {
  return /^[A-Za-z0-9_+/=.-]{20,}$/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value) && !isPath(value);
}

import { fail } from "../domain/failure.ts";
import { parseDuration } from "./duration.ts";

/** Reads one value that a person typed into a flag or a variable. Throws a SettingError that says what is expected. */
export type ParseSetting<T> = (text: string) => T;

export class SettingError extends Error {}

/** Names the variable or the flag in the error. */
export function readSetting<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const place = source.startsWith("--") ? source : `environment variable ${source}`;
    throw fail("invalid-input", "config.invalid", `${place}: ${error.message}`);
  }
}

export const positiveInteger: ParseSetting<number> = (text) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw expected("a whole number from 1 on", text);
  return value;
};

export const dollars: ParseSetting<number> = (text) => {
  const value = Number(text.replace(/^\$/, ""));
  if (!/^\$?\d*\.?\d+$/.test(text) || value > 1_000_000) throw expected("an amount of dollars like 2.50", text);
  return value;
};

/** What `--max-cost none` means. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

export const dollarsOrNone: ParseSetting<number> = (text) => (text === "none" ? NO_LIMIT : dollars(text));

export const positiveNumber: ParseSetting<number> = (text) => {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || !(value > 0 && value <= 1_000_000)) throw expected("a number above 0", text);
  return value;
};

/** `512m`, `1g`, `1.5G`, `2GB`: in megabytes. */
export const megabytes: ParseSetting<number> = (text) => {
  const [, amount = "", unit = ""] = /^(\d*\.?\d+)([mg])(?:i?b)?$/i.exec(text) ?? [];
  const value = Math.ceil(Number(amount) * (unit.toLowerCase() === "g" ? 1024 : 1));
  if (unit === "" || !(value > 0 && value <= 1_000_000_000)) throw expected("a size like 512m or 1g", text);
  return value;
};

/** Stays text, as in a file. A bare number means seconds. */
export const duration: ParseSetting<string> = (text) => {
  const withUnit = /^\d+(\.\d+)?$/.test(text) ? `${text}s` : text;
  if (parseDuration(withUnit) === undefined) throw expected("a duration like 90s, 10m or 2h", text);
  return withUnit;
};

export const httpUrl: ParseSetting<string> = (text) => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw expected("an address like http://localhost:8080/v1", text);
  return text.replace(/\/+$/, "");
};

export function oneOf<T extends string>(...choices: T[]): ParseSetting<T> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw expected(`one of ${choices.join(", ")}`, text);
    return found;
  };
}

const expected = (what: string, text: string) => new SettingError(`expected ${what}, got "${text.slice(0, 80)}"`);

export const share: ParseSetting<number> = (text) => {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new SettingError(`expected a share from 0 to 1 like 0.8, got "${text}"`);
  return value;
};

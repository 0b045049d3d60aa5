import type { Json } from "../domain/json.ts";

/**
 * Arguments that can be sent back to a provider. Most servers parse them and refuse a whole conversation with one
 * broken call. So a broken text travels inside an object, and the model sees what it wrote.
 */
export function sendableArguments(written: string): { [key: string]: Json } {
  if (written.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(written);
    if (isObject(value)) return value;
  } catch {
    // Falls through: broken JSON is quoted.
  }
  return { invalid_json: written };
}

function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { type MutationEdit, otherValue, type Place, textOf } from "../mutations.ts";

/**
 * A value that a looser test takes for the same: in another order, of a near type, a little off, a copy; and an error of
 * a wider kind. Several where one test may look at the order and another one at the type or the identity.
 */
export function alikeValues({ node, text }: Place): MutationEdit[] {
  const value = node.children.find(({ named }) => named);
  const isReturn = node.type === "return_statement";
  if (!value || (!isReturn && node.type !== "throw_statement")) return [];
  if (isReturn && /^(function|async|class)\b|=>/.test(textOf(value, text))) return [];
  return (isReturn ? [ALIKE, TEXT, COPY] : [WIDER]).map(({ exchange, said }) => ({
    ...otherValue(value, exchange, node, text),
    operator: "alike",
    said,
  }));
}

const ALIKE = {
  exchange: `((v) => v === null ? undefined : v === undefined ? null : typeof v === "boolean" ? Number(v) \
: typeof v === "number" && !Number.isInteger(v) ? v * (1 + 1e-9) : typeof v === "string" ? v + " " \
: Array.isArray(v) && v.length > 1 ? [...v].reverse() \
: v && Object.getPrototypeOf(v) === Object.prototype ? Object.fromEntries(Object.entries(v).reverse()) : v)`,
  said: "nearly the same",
};

/** What `==` takes for the same. */
const TEXT = {
  exchange: `((v) => ((as) => typeof v === "number" ? as(v) : Array.isArray(v) ? v.map(as) \
: v && Object.getPrototypeOf(v) === Object.prototype ? Object.fromEntries(Object.entries(v).map(([k, w]) => [k, as(w)])) : v)\
((w) => typeof w === "number" ? String(w) : w))`,
  said: "its numbers as texts",
};

const COPY = {
  exchange: `((v) => Array.isArray(v) ? [...v] : v && Object.getPrototypeOf(v) === Object.prototype ? { ...v } : v)`,
  said: "a copy of it",
};

const WIDER = {
  exchange: `((e) => ((wider) => wider === Error || wider?.prototype instanceof Error ? new wider(e.message) : e)\
(e instanceof Error ? Object.getPrototypeOf(e.constructor) : null))`,
  said: "an error of a wider kind",
};

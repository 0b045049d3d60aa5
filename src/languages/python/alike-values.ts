import { childOf, type MutationEdit, otherValue, type Place, textOf } from "../mutations.ts";

/**
 * A value that a looser test takes for the same: in another order, of a near type, a little off, a copy; and an error of
 * a wider kind. Two where one test may look at the order and another one at the identity.
 */
export function alikeValues({ node, text }: Place): MutationEdit[] {
  const value = node.children.find(({ named }) => named);
  const isReturn = node.type === "return_statement";
  if (!value || (!isReturn && node.type !== "raise_statement") || childOf(node, "cause") === value) return [];
  if (isReturn && /^(-?\d+|lambda\b.*)$/.test(textOf(value, text))) return [];
  return (isReturn ? [ALIKE, COPY] : [WIDER]).map(({ exchange, said }) => ({
    ...otherValue(value, exchange, node, text),
    operator: "alike",
    said,
  }));
}

const ALIKE = {
  exchange: `(lambda v: 0 if v is None else int(v) if isinstance(v, bool) else v + " " if type(v) is str \
else v + 1e-9 + abs(v) * 1e-9 if type(v) is float \
else (v[::-1] if v != v[::-1] else (tuple if type(v) is list else list)(v)) if type(v) in (list, tuple) \
else dict(reversed(list(v.items()))) if type(v) is dict else v)`,
  said: "nearly the same",
};

const COPY = { exchange: `(lambda v: __import__("copy").copy(v))`, said: "a copy of it" };

const WIDER = {
  exchange: `(lambda e: (e.__mro__[1] if issubclass(e.__mro__[1], Exception) else e) if isinstance(e, type) \
else type(e).__mro__[1](*e.args) if issubclass(type(e).__mro__[1], Exception) else e)`,
  said: "an error of a wider kind",
};
